"""What is remembered of a question, as a block of LlamaIndex's memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import Field, PrivateAttr, SkipValidation

from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation, RecalledBlock
from loci_client.llama_index.messages import (
    begin_of_run,
    is_answer,
    latest_of_user,
    position_of,
    text_of,
    texts_of_user,
    turns_of,
)

# So many messages before a question tell it from one that was asked before.
_MOST_BEFORE = 100
# Loci counts by another tokenizer than LlamaIndex may: what is asked for anew is a little less than there is room for.
_CAUTION = 0.95


@dataclass(frozen=True)
class _Question:
    """What is asked, as the arguments of `block_for` say it."""

    conversation: Conversation
    text: str
    position: str
    earlier: list[str]


class LociMemoryBlock(BaseMemoryBlock[str]):
    """What is remembered of the latest message of the user.

    It stands in a `Memory` with `insert_method="user"`, which `loci_memory` makes. In one that you make yourself nothing is kept
    before the history is longer than its limit: only then LlamaIndex gives messages to its blocks.
    """

    name: str = Field(default="loci")
    priority: int = Field(default=1)
    memory: SkipValidation[Union[AgentMemory[Any], AsyncAgentMemory[Any]]] = Field(exclude=True, repr=False)
    """The rules, made once for all conversations. With `AgentMemory` calls are made in threads."""
    request: Any = Field(default=None, exclude=True, repr=False)
    """By what the `conversation` function of `memory` says who speaks."""
    tools: list[str] = Field(default_factory=list)
    """Names of the tools that the agent has, which bring the procedures for them."""
    on_recalled: SkipValidation[Optional[Callable[[RecalledBlock], None]]] = Field(default=None, exclude=True, repr=False)
    """Told what a model is shown, with the receipt that says why."""
    _known: Optional[tuple[_Question, Optional[RecalledBlock]]] = PrivateAttr(default=None)
    """What was asked last, and what was recalled for it."""

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The same for so many tokens less: what matters less is left out, and nothing is cut."""
        question, block = self._known or (None, None)
        if question is None or block is None or not content:
            return None
        counted = len(get_tokenizer()(content))
        share = (counted - tokens_to_truncate) / counted * _CAUTION
        return self._shown(await self._shorter(question, int(block.tokens * share)))

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        conversation = await self._conversation()
        said = messages or []
        at = latest_of_user(said)
        if at is None:
            return ""
        question = _Question(conversation, text_of(said[at]), position_of(said, at), texts_of_user(said[:at]))
        if self._known is not None and self._known[0] == question:
            return self._shown(self._known[1]) or ""
        if is_answer(said[-1]):
            # Somebody looks at what was said: there is no question.
            return ""
        block = await self._recalled(question)
        self._known = (question, block)
        return self._shown(block) or ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await self.keep(messages)

    async def keep(self, messages: Sequence[ChatMessage]) -> None:
        """Has the run kept and captured, in the background, that ends the messages. Once, however often it is called.

        Where they do not end with an answer, what there is of a run is kept.
        """
        memory = self.memory
        try:
            conversation = await self._conversation()
            at = latest_of_user(messages)
            if at is not None:
                begin = begin_of_run(messages, at)
                memory.finished(
                    conversation,
                    turns_of(messages[begin:]),
                    position=position_of(messages, at),
                    question=text_of(messages[at]),
                    before=turns_of(messages[max(0, begin - _MOST_BEFORE) : begin]),
                )
        except Exception as error:
            # The user has the answer already.
            memory.tell(error, "capture")

    async def _conversation(self) -> Conversation:
        memory = self.memory
        if isinstance(memory, AsyncAgentMemory):
            return await memory.conversation_of(self.request)
        return memory.conversation_of(self.request)

    async def _recalled(self, question: _Question) -> RecalledBlock | None:
        memory = self.memory
        asked: dict[str, Any] = {"position": question.position, "earlier": question.earlier, "tools": self.tools}
        if isinstance(memory, AsyncAgentMemory):
            return await memory.block_for(question.conversation, question.text, **asked)
        blocking = memory
        return await asyncio.to_thread(lambda: blocking.block_for(question.conversation, question.text, **asked))

    async def _shorter(self, question: _Question, max_tokens: int) -> RecalledBlock | None:
        memory = self.memory
        asked: dict[str, Any] = {"max_tokens": max_tokens, "earlier": question.earlier, "tools": self.tools}
        if isinstance(memory, AsyncAgentMemory):
            return await memory.shorter_block_for(question.conversation, question.text, **asked)
        blocking = memory
        return await asyncio.to_thread(lambda: blocking.shorter_block_for(question.conversation, question.text, **asked))

    def _shown(self, block: RecalledBlock | None) -> str | None:
        if block is None:
            return None
        if self.on_recalled is not None:
            self.on_recalled(block)
        return f"{block.text}\n\n"
