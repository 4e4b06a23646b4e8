"""Shows models what is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from agents.run_config import CallModelData, ModelInputData

from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation, RecalledBlock, INSTRUCTIONS_NOTICE
from loci_client.openai_agents.items import latest_of_user, position_of, text_of, texts_of_user, with_block

Context = TypeVar("Context")


def loci_input_filter(
    memory: AgentMemory[Context] | AsyncAgentMemory[Context],
    *,
    on_recalled: Callable[[RecalledBlock, Any], None] | None = None,
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """What `RunConfig(call_model_input_filter=…)` takes: shows a model what is remembered of the user's message.

    Nothing is added to the history. Without a conversation the model is not called: the run ends with `SCOPE_REQUIRED`.

    Args:
        memory: Its `conversation` is told the context of the run. With `AgentMemory` its calls are made in threads.
        on_recalled: Is told, with the context, what a call of a model is shown: which memories, and why these.
    """

    async def show(data: CallModelData[Any]) -> ModelInputData:
        items, instructions = list(data.model_data.input), data.model_data.instructions
        conversation = await conversation_of(memory, data.context)
        at = latest_of_user(items)
        if at is not None:
            asked = {
                "position": position_of(items, at),
                "earlier": texts_of_user(items[:at]),
                "tools": [tool.name for tool in data.agent.tools],
            }
            block = await _block_for(memory, conversation, text_of(items[at]), asked)
            if block is not None:
                items[at] = with_block(items[at], block.text)
                if on_recalled is not None:
                    on_recalled(block, data.context)
        noticed = f"{instructions}\n\n{INSTRUCTIONS_NOTICE}" if instructions else INSTRUCTIONS_NOTICE
        return ModelInputData(input=items, instructions=noticed)

    return show


async def conversation_of(memory: AgentMemory[Any] | AsyncAgentMemory[Any], context: Any) -> Conversation:
    """Who speaks in a run with a context."""
    if isinstance(memory, AsyncAgentMemory):
        return await memory.conversation_of(context)
    return memory.conversation_of(context)


async def _block_for(
    memory: AgentMemory[Any] | AsyncAgentMemory[Any],
    conversation: Conversation,
    question: str,
    asked: dict[str, Any],
) -> RecalledBlock | None:
    if isinstance(memory, AsyncAgentMemory):
        return await memory.block_for(conversation, question, **asked)
    blocking = memory
    return await asyncio.to_thread(lambda: blocking.block_for(conversation, question, **asked))
