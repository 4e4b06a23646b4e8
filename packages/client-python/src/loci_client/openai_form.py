"""Messages as OpenAI's libraries write and take them, whose forms differ from the contract's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loci_client.types import ChatMessage, ContentPart, ToolCall

# What an answer of the library has besides, and no context shows. The other names are those of libraries and servers that take its form:
# what a model thought, what is its provider's alone, and marks for a cache, whose places a context has itself.
_LEFT_BEHIND = frozenset(
    (
        *("annotations", "audio", "function_call", "refusal"),
        *("reasoning", "reasoning_content", "reasoning_details", "thinking_blocks"),
        *("provider_specific_fields", "cache_control"),
    )
)
# What stands in a turn for what is no text.
_WORDS = {"image_url": "[image]", "input_audio": "[file]", "file": "[file]"}
_CALL = '{"id": "call_1", "type": "function", "function": {"name": "ferries", "arguments": "{}"}}'


def to_openai(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """Messages, such as those of a context, for `client.chat.completions.create(messages=…)`.

    The other way needs no call: everything that takes messages or turns takes those of the library, too.
    """
    return [_message(message) for message in messages]


def from_openai(kind: str, given: Mapping[str, object], path: str) -> Mapping[str, object]:
    """The fields of a message of the contract. What is in the contract's own form stays as it is.

    Args:
        kind: The full name of the message, such as `loci.v1.ChatMessage`.
        path: Where it stands, for errors.

    Raises:
        TypeError: It is of a type that no context shows.
    """
    if kind in ("loci.v1.ChatMessage", "loci.v1.Turn"):
        fields = {name: value for name, value in given.items() if name not in _LEFT_BEHIND}
        content = fields.get("content")
        if isinstance(content, (list, tuple)):
            del fields["content"]
            is_turn = kind == "loci.v1.Turn"
            fields.update({"content": _words_of(content, f"{path}.content")} if is_turn else {"parts": content})
        return fields
    if kind == "loci.v1.ContentPart" and "type" in given:
        if given["type"] not in ("text", "image_url"):
            raise TypeError(f"{path} must be of type text or image_url, but is of type {given['type']}.")
        return {name: value for name, value in given.items() if name != "type" and name not in _LEFT_BEHIND}
    if kind == "loci.v1.ToolCall" and "type" in given:
        function: Any = given.get("function")
        if given["type"] != "function" or not isinstance(function, Mapping):
            raise TypeError(f"{path} must be a call such as {_CALL}.")
        others = ("type", "function", *_LEFT_BEHIND)
        return {**{name: value for name, value in given.items() if name not in others}, **function}
    return given


def _words_of(parts: Sequence[object], path: str) -> str:
    """What a turn keeps of a content in parts: its texts, with a word for what is none."""
    words = []
    for index, part in enumerate(parts):
        if not isinstance(part, Mapping):
            raise TypeError(f"{path}[{index}] must be a mapping, but is {type(part).__name__}.")
        kind, text = part.get("type"), part.get("text")
        if kind == "text" and isinstance(text, str):
            words.append(text)
        elif kind in _WORDS:
            words.append(_WORDS[kind])
        else:
            raise TypeError(f"{path}[{index}] must be of type text, {', '.join(_WORDS)}, but is of type {kind}.")
    return "\n".join(words)


def _message(message: ChatMessage) -> dict[str, Any]:
    said: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.parts is not None:
        said["content"] = [_part(part) for part in message.parts]
    if message.name is not None:
        said["name"] = message.name
    if message.tool_calls:
        said["tool_calls"] = [_call(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        said["tool_call_id"] = message.tool_call_id
    return said


def _part(part: ContentPart) -> dict[str, Any]:
    image = part.image_url
    if image is None:
        return {"type": "text", "text": part.text}
    detail = {} if image.detail is None else {"detail": image.detail}
    return {"type": "image_url", "image_url": {"url": image.url, **detail}}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
