"""How LangChain's messages are read by an agent's middleware."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage


def is_of_user(message: BaseMessage) -> bool:
    """False for a summary of what was said before, which has the form of a message of the user."""
    return isinstance(message, HumanMessage) and message.additional_kwargs.get("lc_source") != "summarization"


def latest_of_user(messages: Sequence[BaseMessage]) -> int | None:
    """Where the latest message of the user stands."""
    return next((at for at in reversed(range(len(messages))) if is_of_user(messages[at])), None)


def position_of(messages: Sequence[BaseMessage], at: int) -> str:
    """Where a message stands: the same when a run is tried again, and another one for the same words later on.

    A history that is cut or summarized has many questions at the same place, so that the place alone does not do.
    """
    before = str(messages[at - 1].text) if at > 0 else ""
    return f"{at}:{hashlib.sha256(before.encode(errors='replace')).hexdigest()[:16]}"


def with_text_before(message: BaseMessage, text: str) -> BaseMessage:
    """A copy of a message with another text before its own."""
    content = message.content
    shown = f"{text}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": text}, *content]
    return message.model_copy(update={"content": shown})


def with_text_behind(message: SystemMessage | None, text: str) -> SystemMessage:
    """Instructions with a sentence at their end."""
    if message is None:
        return SystemMessage(content=text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{text}"})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": text}]})
