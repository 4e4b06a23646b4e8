"""An item as a memory, and a memory as an item."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any

from loci_client.errors import invalid
from loci_client.items.item_text import text_of_item
from loci_client.items.labels import labels_as_metadata, labels_of, text_problem
from loci_client.types import Memory

# Of what a store keeps, so that other memories of the scope are none of its items.
ITEM_CATEGORY = "item"
_MOST_KEY_BYTES = 512
_MOST_VALUE_BYTES = 36 * 1024
_BEGINNING = datetime.fromtimestamp(0, timezone.utc)


@dataclass(frozen=True)
class KeptItem:
    """What a store keeps at one place."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    score: float | None = None
    """How well it answers a question; None without one."""


def memory_key(namespace: Sequence[str], key: str) -> str:
    """The key of an item's memory: another one for every other place, the same in every language."""
    named = json.dumps([*namespace, key], ensure_ascii=False, separators=(",", ":"))
    return named if len(named.encode()) <= _MOST_KEY_BYTES else f"sha256:{sha256(named.encode()).hexdigest()}"


def check_item_key(key: object) -> None:
    """Raises `INVALID_IDENTIFIER`."""
    problem = text_problem(key, _MOST_KEY_BYTES)
    if problem is not None:
        advice = f"Use 1 to {_MOST_KEY_BYTES} bytes of well-formed text without NUL characters."
        raise invalid("INVALID_IDENTIFIER", f"The key of the item {problem}.", field="key", advice=advice)


def memory_of_item(
    namespace: Sequence[str], key: str, value: Mapping[str, Any], index: Sequence[str] | None, expires: datetime | None
) -> dict[str, Any]:
    """The memory of an item, as arguments of `update`.

    One that is not searched is closed from the beginning, so that no recall finds it; it never fades, as nobody may have asked
    for it for long.

    Args:
        index: Paths whose text it is found by. None: it is not searched.
    """
    said = _json(value)
    read = json.loads(said)
    text = None if index is None else text_of_item(read, index)
    return {
        "text": text or text_of_item(read, ["$"]) or "An item without words.",
        "category": ITEM_CATEGORY,
        "is_static": True,
        "metadata": {**labels_as_metadata(namespace), "key": key, "value": said},
        "valid_to": _BEGINNING if text is None else None,
        "expire_time": expires,
    }


def item_of(memory: Memory, now: datetime, score: float | None = None) -> KeptItem | None:
    """The item that a memory is, if it is one and has not expired."""
    if memory.category != ITEM_CATEGORY or memory.state != "active":
        return None
    if memory.expire_time is not None and memory.expire_time <= now:
        return None
    key, value = memory.metadata.get("key"), memory.metadata.get("value")
    if not isinstance(key, str) or not isinstance(value, str):
        return None
    namespace = labels_of(memory.metadata)
    if memory.key != memory_key(namespace, key):
        return None
    assert memory.create_time is not None and memory.update_time is not None
    return KeptItem(namespace, key, json.loads(value), memory.create_time, memory.update_time, score)


def _json(value: object) -> str:
    said: str | None = None
    if isinstance(value, Mapping):
        try:
            said = json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            said.encode()
        except (TypeError, ValueError, RecursionError):
            # What was raised may quote the value.
            said = None
    if said is None or "\0" in said:
        advice = "Pass a dict of texts, numbers, booleans, lists and such dicts, or None to delete the item."
        raise invalid("INVALID_REQUEST", "The value of the item is no dict that JSON can say.", field="value", advice=advice)
    size = len(said.encode())
    if size > _MOST_VALUE_BYTES:
        advice = "Keep large values elsewhere and a reference to them here, or in several items."
        message = f"The value of the item has {size} bytes as JSON, but at most {_MOST_VALUE_BYTES} are kept."
        raise invalid("METADATA_TOO_LARGE", message, field="value", advice=advice)
    return said
