"""How the items of the Agents SDK are read: those of OpenAI's Responses API."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from agents import TResponseInputItem

from loci_client.agent import without_recalled

Item = Mapping[str, Any]

# What a part of a message is called that is text.
_TEXTS = ("input_text", "output_text", "text")
# Between a block and the words of the user.
_BEHIND_BLOCK = "\n\n"


def latest_of_user(items: Sequence[Item]) -> int | None:
    """Where the latest message of the user stands."""
    return next((at for at in reversed(range(len(items))) if items[at].get("role") == "user"), None)


def position_of(items: Sequence[Item], at: int) -> str:
    """Where an item stands: the same when a run is tried again, and another one for the same words later on.

    A session that gives the newest items only has each question at the same place, so that the place alone does not do.
    """
    before = items[at - 1] if at > 0 else {}
    said = f"{before.get('id')} {before.get('call_id')} {text_of(before)}"
    return f"{at}:{hashlib.sha256(said.encode(errors='replace')).hexdigest()[:16]}"


def text_of(item: Item) -> str:
    """What a message says in words."""
    return _text(item.get("content"))


def texts_of_user(items: Sequence[Item]) -> list[str]:
    """What the user says in them."""
    return [text_of(item) for item in items if item.get("role") == "user"]


def with_block(item: Item, block: str) -> TResponseInputItem:
    """A copy of a message with a block as its first text."""
    content = item.get("content")
    if isinstance(content, str):
        return cast("TResponseInputItem", {**item, "content": f"{block}{_BEHIND_BLOCK}{content}"})
    return cast("TResponseInputItem", {**item, "content": [{"type": "input_text", "text": f"{block}{_BEHIND_BLOCK}"}, *(content or [])]})


def without_block(item: Item) -> Item:
    """An item as it was before a block was put in front of it."""
    content = item.get("content")
    if item.get("role") != "user":
        return item
    if isinstance(content, str):
        said = _behind_block(content)
        return item if said == content else {**item, "content": said}
    first, *others = content if isinstance(content, list) and content else [None]
    if not isinstance(first, Mapping) or first.get("type") != "input_text":
        return item
    said = _behind_block(first["text"])
    if said == first["text"]:
        return item
    return {**item, "content": [*([{**first, "text": said}] if said else []), *others]}


def _behind_block(text: str) -> str:
    """To the byte: spaces that the user began with stay."""
    said = without_recalled(text)
    if said == text:
        return text
    block = text[: len(text) - len(said)].rstrip()
    return text[len(block) + len(_BEHIND_BLOCK) :] if text.startswith(_BEHIND_BLOCK, len(block)) else said


def begin_of_run(items: Sequence[Item], at: int) -> int:
    """Where a run begins that answers a message of the user, who may ask in several."""
    while at > 0 and items[at - 1].get("role") == "user":
        at -= 1
    return at


def turns_of(items: Iterable[Item]) -> list[dict[str, Any]]:
    """What is kept of items: what was said, which tools were called, and what they returned."""
    turns: list[dict[str, Any]] = []
    open_calls: set[str] = set()
    for item in items:
        kind, role = item.get("type", "message"), item.get("role")
        last = turns[-1] if turns else None
        if kind == "function_call":
            if last is None or last["role"] != "assistant":
                open_calls = set()
                last = {"role": "assistant", "content": "", "tool_calls": []}
                turns.append(last)
            call = {"id": item["call_id"], "name": item["name"], "arguments": item["arguments"]}
            if call["id"] not in open_calls:
                open_calls.add(call["id"])
                last["tool_calls"].append(call)
        elif kind == "function_call_output":
            if item["call_id"] in open_calls:
                open_calls.remove(item["call_id"])
                turns.append({"role": "tool", "tool_call_id": item["call_id"], "content": _text(item["output"])})
        elif kind == "message" and role == "assistant":
            if last is not None and last["role"] == "assistant" and last["tool_calls"]:
                # Said between calls: they stay open until their results come.
                last["content"] = "\n\n".join([text for text in (last["content"], text_of(item)) if text])
            else:
                open_calls = set()
                turns.append({"role": "assistant", "content": text_of(item), "tool_calls": []})
        elif kind == "message" and role == "user":
            open_calls = set()
            turns.append({"role": "user", "content": _shown_text(item.get("content"))})
    return turns


def _shown_text(content: object) -> str:
    """With a word for what is no text."""
    if not isinstance(content, (list, tuple)):
        return _text(content)
    return "\n".join([_text([part]) if part.get("type") in _TEXTS else _word_for(part) for part in content])


def _word_for(part: Item) -> str:
    return "[image]" if part.get("type") == "input_image" else "[file]"


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, (list, tuple)):
        return ""
    parts = [part for part in content if isinstance(part, Mapping)]
    texts = [part.get("text") for part in parts if part.get("type") in _TEXTS]
    return "\n".join([text for text in texts if isinstance(text, str)])
