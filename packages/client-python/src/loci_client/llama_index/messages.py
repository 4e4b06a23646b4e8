"""How LlamaIndex's messages are read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ContentBlock, ImageBlock, TextBlock, ToolCallBlock

from loci_client.agent.json_text import json_text


def latest_of_user(messages: Sequence[ChatMessage]) -> int | None:
    """Where the latest message of the user stands."""
    return next((at for at in reversed(range(len(messages))) if messages[at].role.value == "user"), None)


def position_of(messages: Sequence[ChatMessage], at: int) -> str:
    """Where a message stands: the same when a run is tried again, and another one for the same words later on.

    A history that is cut has many questions at the same place, so that the place alone does not do.
    """
    before = text_of(messages[at - 1]) if at > 0 else ""
    return f"{at}:{hashlib.sha256(before.encode(errors='replace')).hexdigest()[:16]}"


def text_of(message: ChatMessage) -> str:
    """What a message says in words."""
    return "\n".join([block.text for block in message.blocks if isinstance(block, TextBlock)])


def texts_of_user(messages: Iterable[ChatMessage]) -> list[str]:
    """What the user says in them."""
    return [text_of(message) for message in messages if message.role.value == "user"]


def begin_of_run(messages: Sequence[ChatMessage], at: int) -> int:
    """Where a run begins that answers a message of the user, who may ask in several."""
    while at > 0 and messages[at - 1].role.value == "user":
        at -= 1
    return at


def is_answer(message: ChatMessage) -> bool:
    """Whether a message ends a run: the model has said something, and calls no tool."""
    return message.role.value == "assistant" and not _calls_of(message)


def turns_of(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """Messages as a session takes them, each result behind its call. Instructions are nobody's words."""
    turns: list[dict[str, Any]] = []
    open_calls: set[str] = set()
    for message in messages:
        role = message.role.value
        if role == "user":
            open_calls = set()
            turns.append({"role": "user", "content": "\n".join([_shown(block) for block in message.blocks])})
        elif role == "assistant":
            calls = _calls_of(message)
            open_calls = {call["id"] for call in calls}
            turns.append({"role": "assistant", "content": _said(message), "tool_calls": calls})
        elif role in ("tool", "function"):
            answered = message.additional_kwargs.get("tool_call_id")
            if answered in open_calls:
                open_calls.remove(answered)
                turns.append({"role": "tool", "tool_call_id": answered, "content": _said(message)})
    return turns


def _said(message: ChatMessage) -> str:
    return "".join([block.text for block in message.blocks if isinstance(block, TextBlock)])


def _shown(block: ContentBlock) -> str:
    """With a word for what is no text."""
    if isinstance(block, TextBlock):
        return block.text
    return "[image]" if isinstance(block, ImageBlock) else "[file]"


def _calls_of(message: ChatMessage) -> list[dict[str, Any]]:
    """Models give them as blocks, older ones beside the message in the form of OpenAI."""
    blocks = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    if blocks:
        return [_call(block.tool_call_id, block.tool_name, block.tool_kwargs) for block in blocks]
    beside = message.additional_kwargs.get("tool_calls") or []
    return [_call(_field(call, "id"), *_function_of(call)) for call in beside]


def _function_of(call: object) -> tuple[Any, Any]:
    called = _field(call, "function")
    return _field(called, "name"), _field(called, "arguments")


def _field(given: object, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)


def _call(id: object, name: object, arguments: object) -> dict[str, Any]:
    written = arguments if isinstance(arguments, str) else json_text({} if arguments is None else arguments, str)
    return {"id": str(id or name), "name": str(name), "arguments": written}
