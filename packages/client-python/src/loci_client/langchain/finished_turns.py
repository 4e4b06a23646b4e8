"""What was said in a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from loci_client.langchain.message_turns import turn_of
from loci_client.langchain.messages import is_of_user, shown_text_of_user
from loci_client.types import Turn


def begin_of_run(messages: Sequence[BaseMessage], at: int) -> int:
    """Where a run begins that answers a message of the user: who writes twice before anybody answers has asked with both."""
    while at > 0 and is_of_user(messages[at - 1]):
        at -= 1
    return at


def is_answered(messages: Sequence[BaseMessage]) -> bool:
    """Whether there is an answer. A tool may give it in the place of the model."""
    last = messages[-1]
    return not last.tool_calls if isinstance(last, AIMessage) else isinstance(last, ToolMessage)


def turns_of(messages: Iterable[BaseMessage]) -> list[Turn]:
    """Messages as turns. Instructions and summaries are nobody's words."""
    turns = []
    for message in messages:
        if isinstance(message, SystemMessage) or (isinstance(message, HumanMessage) and not is_of_user(message)):
            continue
        turn = turn_of(message)
        if is_of_user(message):
            turn = replace(turn, content=shown_text_of_user(message))
        if turn.role == "assistant":
            # LangChain names each answer after the agent.
            turn = replace(turn, name=None)
        turns.append(turn)
    return turns
