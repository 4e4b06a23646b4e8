"""How LangChain's messages are read by an agent's middleware."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

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


def text_of_user(message: BaseMessage) -> str:
    """What the user says in words."""
    return "\n".join([text for text in map(_text_of_part, _parts_of(message)) if text is not None])


def shown_text_of_user(message: BaseMessage) -> str:
    """What the user says, with a word for what is no text."""
    said = [(part, _text_of_part(part)) for part in _parts_of(message)]
    return "\n".join([_word_for(part) if text is None else text for part, text in said])


def _parts_of(message: BaseMessage) -> Sequence[str | dict[Any, Any]]:
    return [message.content] if isinstance(message.content, str) else message.content


def _text_of_part(part: str | dict[Any, Any]) -> str | None:
    if isinstance(part, str):
        return part
    text = part.get("text")
    return text if part.get("type") == "text" and isinstance(text, str) else None


def _word_for(part: str | dict[Any, Any]) -> str:
    return "[image]" if isinstance(part, dict) and str(part.get("type")).startswith("image") else "[file]"


def with_text_before(message: BaseMessage, text: str) -> BaseMessage:
    """A copy of a message with another text before its own."""
    content = message.content
    before = f"{text}\n\n"
    shown = f"{before}{content}" if isinstance(content, str) else [{"type": "text", "text": before}, *content]
    return message.model_copy(update={"content": shown})


def with_text_behind(message: SystemMessage | None, text: str) -> SystemMessage:
    """Instructions with a sentence at their end."""
    if message is None:
        return SystemMessage(content=text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{text}"})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": text}]})
