"""A memory for agents of LlamaIndex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import InsertMethod, Memory
from llama_index.core.memory.memory import DEFAULT_FLUSH_SIZE, DEFAULT_TOKEN_LIMIT
from llama_index.core.prompts import RichPromptTemplate
from llama_index.core.storage.chat_store.base_db import AsyncDBChatStore

from loci_client.agent import AgentMemory, AsyncAgentMemory, RecalledBlock
from loci_client.llama_index.memory_block import LociMemoryBlock
from loci_client.llama_index.messages import is_answer, latest_of_user, text_of


class LociMemory(Memory):
    """LlamaIndex's memory of one conversation, which keeps a run when it has an answer, and not only what it has no room for."""

    @classmethod
    def class_name(cls) -> str:
        return "LociMemory"

    async def aget(self, input: str | ChatMessage | None = None, **block_kwargs: Any) -> list[ChatMessage]:
        """The messages to send, the latest one of the user with what is remembered of it.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, the application does not say who speaks.
            LociError: What went wrong, where memory is required.
        """
        said = await self.aget_all()
        at = latest_of_user(said)
        # Agents say it again in the later steps of a run.
        is_said = at is not None and isinstance(input, str) and text_of(said[at]) == input
        return await super().aget(None if is_said else input, **block_kwargs)

    async def aput(self, message: ChatMessage) -> None:
        """Adds a message. When it answers, the run is kept."""
        await super().aput(message)
        await self._keep([message])

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """Adds messages. When the last one answers, the run is kept."""
        await super().aput_messages(messages)
        await self._keep(messages)

    async def _keep(self, messages: Sequence[ChatMessage]) -> None:
        if not messages or not is_answer(messages[-1]):
            return
        said = await self.aget_all()
        for block in self.memory_blocks:
            if isinstance(block, LociMemoryBlock):
                await block.keep(said)


class _AsItIs(RichPromptTemplate):
    """Shows blocks as they are. LlamaIndex's own template puts tags around them, and reads what it has written as messages."""

    def __init__(self) -> None:
        super().__init__("{{ memory_blocks }}")

    def format_messages(self, llm: object = None, **kwargs: Any) -> list[ChatMessage]:
        """One message with the blocks of all memory blocks."""
        return [ChatMessage(role="user", blocks=[block for _, blocks in kwargs["memory_blocks"] for block in blocks])]


def loci_memory(
    memory: Union[AgentMemory[Any], AsyncAgentMemory[Any]],
    request: Any = None,
    *,
    tools: Sequence[str] = (),
    on_recalled: Optional[Callable[[RecalledBlock], None]] = None,
    session_id: Optional[str] = None,
    token_limit: int = DEFAULT_TOKEN_LIMIT,
    token_flush_size: int = DEFAULT_FLUSH_SIZE,
    chat_store: Optional[AsyncDBChatStore] = None,
) -> LociMemory:
    """The `memory` of one conversation with an agent or a chat engine.

    Args:
        memory: The rules, made once for all conversations. With `AsyncAgentMemory` for what is run asynchronously.
        request: By what the `conversation` function of `memory` says who speaks. Never messages, nor what a model said.
        tools: Names of the tools that the agent has, which bring the procedures for them.
        on_recalled: Told what a model is shown, with the receipt that says why.
        session_id: The name of the conversation in `chat_store`. Default: one that nobody else has.
        token_limit: How many tokens the messages and what is remembered take together. Default 30,000.
        token_flush_size: How many of them go at once when there is no more room. Default 3,000.
        chat_store: Where LlamaIndex keeps the messages. Default: in this process.
    """
    block = LociMemoryBlock(
        memory=memory,
        request=request,
        tools=list(tools),
        on_recalled=on_recalled,
        # It is given them when they are answered.
        accept_short_term_memory=False,
    )
    made = LociMemory.from_defaults(
        session_id=session_id,
        token_limit=token_limit,
        token_flush_size=token_flush_size,
        chat_store=chat_store,
        memory_blocks=[block],
        memory_blocks_template=_AsItIs(),
        insert_method=InsertMethod.USER,
    )
    assert isinstance(made, LociMemory)
    return made
