"""A context as Anthropic's library takes it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loci_client.types import AssembledContext, ChatMessage, ContentPart, ToolCall

# Where Anthropic asks for a turn and nothing was said.
_NOTHING_SAID = "..."
_INLINE_IMAGE = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.ASCII | re.DOTALL | re.IGNORECASE)
_INLINE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def to_anthropic(context: AssembledContext) -> dict[str, Any]:
    """A context for `client.messages.create(model=…, max_tokens=…, **to_anthropic(context))`.

    Each item is there once; the stable part of the system prompt is a block of its own with `cache_control`. The API knows two
    roles, which alternate, beginning with the user: neighbouring turns of one role are one message, system and developer
    turns of the conversation become the user's, and names are left out. Calls without a result, which the API refuses,
    become text.
    """
    turns = list(context.messages)
    system = ""
    if turns and turns[0].role == "system" and turns[0].parts is None:
        system = turns.pop(0).content or ""
    end = _stable_end(system, _first_units(context.text, context.cache.stable_prefix_length))
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": system[:end], "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": system[end:]},
    ]
    messages: list[dict[str, Any]] = []
    for index, turn in enumerate(turns):
        role = "assistant" if turn.role == "assistant" else "user"
        if not messages and role == "assistant":
            _add(messages, "user", _text_blocks(_NOTHING_SAID))
        _add(messages, role, _turn_blocks(turns, index))
    if not messages or messages[-1]["role"] != "user":
        _add(messages, "user", _text_blocks(_NOTHING_SAID))
    return {"system": [block for block in blocks if block["text"].strip()], "messages": messages}


def _first_units(text: str, length: int) -> str:
    """The beginning of a text by UTF-16 units, which the contract counts in."""
    return text.encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore")


def _stable_end(system: str, prefix: str) -> int:
    """How far a system message is the stable beginning of the text, up to the end of a line."""
    longest = min(len(system), len(prefix))
    same = next((at for at in range(longest) if system[at] != prefix[at]), longest)
    return same if same in (0, len(system)) else system.rfind("\n", 0, same) + 1


def _add(messages: list[dict[str, Any]], role: str, content: list[dict[str, Any]]) -> None:
    if not content:
        return
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += content
    else:
        messages.append({"role": role, "content": content})


def _turn_blocks(turns: Sequence[ChatMessage], index: int) -> list[dict[str, Any]]:
    turn = turns[index]
    said = _text_blocks(turn.content or "") if turn.parts is None else _part_blocks(turn.parts)
    if turn.role == "tool":
        result: dict[str, Any] = {"type": "tool_result", "tool_use_id": turn.tool_call_id or ""}
        return [{**result, "content": said} if said else result]
    answered = _answered_ids(turns, index)
    without = [call for call in turn.tool_calls if call.id not in answered]
    blocks = said + _text_blocks("\n".join(f"[calls {call.name} {call.arguments}]" for call in without))
    for call in turn.tool_calls:
        if call.id in answered:
            blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call)})
    return blocks


def _answered_ids(turns: Sequence[ChatMessage], index: int) -> set[str | None]:
    """The calls whose results stand right behind a message."""
    answered: set[str | None] = set()
    for turn in turns[index + 1 :]:
        if turn.role != "tool":
            break
        answered.add(turn.tool_call_id)
    return answered


def _text_blocks(text: str) -> list[dict[str, Any]]:
    """The API refuses blocks of nothing but white space."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _part_blocks(parts: Sequence[ContentPart]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    for part in parts:
        if part.image_url is None:
            blocks += _text_blocks(part.text or "")
        else:
            blocks.append({"type": "image", "source": _source(part.image_url.url)})
    return blocks


def _source(url: str) -> dict[str, Any]:
    found = _INLINE_IMAGE.fullmatch(url)
    media_type = "" if found is None else found[1].lower()
    if found is None or media_type not in _INLINE_TYPES:
        return {"type": "url", "url": url}
    return {"type": "base64", "media_type": media_type, "data": found[2]}


def _input(call: ToolCall) -> dict[str, Any]:
    """A call's arguments as an object.

    Of a tool that takes nothing some servers send none at all: then it is an empty one. What is not one, or would be longer than
    it was said, stands as text in the field `arguments`.
    """
    text = call.arguments
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):  # models write arguments that are not JSON
        return {"arguments": text}
    if isinstance(value, dict) and len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) <= len(text):
        return value
    return {"arguments": text}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON.")
