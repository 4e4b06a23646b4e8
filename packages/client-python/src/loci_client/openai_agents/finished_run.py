"""Keeps what was said in a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from agents.result import RunResult, RunResultStreaming

from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation
from loci_client.openai_agents.input_filter import conversation_of
from loci_client.openai_agents.items import begin_of_run, latest_of_user, position_of, text_of, turns_of

Context = TypeVar("Context")

# So many items before a question tell it from one that was asked before.
_MOST_BEFORE = 100


async def keep_run(
    memory: AgentMemory[Context] | AsyncAgentMemory[Context], result: RunResult | RunResultStreaming
) -> None:
    """Has what was said in a run kept and captured, in the background. Once, however often it is called.

    Call it behind `Runner.run`, and of a stream when it has ended. A run that has no answer, as it was stopped or waits for an
    approval, is not kept.
    """
    if result.final_output is None:
        return
    try:
        _finish(memory, await conversation_of(memory, result.context_wrapper.context), result)
    except Exception as error:
        memory.tell(error, "capture")


def keep_run_sync(memory: AgentMemory[Context], result: RunResult) -> None:
    """As `keep_run`, for `Runner.run_sync`."""
    if result.final_output is None:
        return
    try:
        _finish(memory, memory.conversation_of(result.context_wrapper.context), result)
    except Exception as error:
        memory.tell(error, "capture")


def _finish(
    memory: AgentMemory[Any] | AsyncAgentMemory[Any], conversation: Conversation, result: RunResult | RunResultStreaming
) -> None:
    items = [cast("Mapping[str, Any]", item) for item in result.to_input_list()]
    at = latest_of_user(items)
    if at is not None:
        begin = begin_of_run(items, at)
        before = turns_of(items[max(0, begin - _MOST_BEFORE) : begin])
        position, question = position_of(items, at), text_of(items[at])
        memory.finished(conversation, turns_of(items[begin:]), position=position, question=question, before=before)
