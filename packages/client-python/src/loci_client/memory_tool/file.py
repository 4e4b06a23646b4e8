"""Files as blocks keep them: the same values, and the same labels, as the library for TypeScript makes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loci_client.memory_tool.path import shown_path
from loci_client.types import Block
from loci_client.values import BlockValue

SCHEMA = "memory_file"

MOST_BYTES = 65_536

_MOST_REPLACED = 2_000

_BLANK_LINE = re.compile(r"[ \t\f\v]*\Z")

_FIELDS = ("path", "text", "linesBefore", "linesAfter", "escaped")


@dataclass(frozen=True)
class KnownBlock:
    """What is known of the block that a path is."""

    label: str
    values: Mapping[str, BlockValue]
    policy: str
    version: int
    etag: str
    updated: float

    @staticmethod
    def of(block: Block) -> KnownBlock:
        """A block as it was listed or made."""
        return KnownBlock(
            block.label, block.values, block.policy, block.version, block.etag, block.update_time.timestamp()
        )


@dataclass(frozen=True)
class MemoryFile:
    """What stands at a path."""

    path: str
    text: str | None
    """`None`: a directory that is kept although nothing is in it."""
    block: KnownBlock


def file_label(path: str) -> str:
    """The label of the block that a path is. A directory's has a slash at its end."""
    return f"memory_file_{hashlib.sha256(path.encode()).hexdigest()[:32]}"


def file_of(block: KnownBlock) -> MemoryFile | None:
    """The file that a block is, unless it says nothing, or is of another path than it says."""
    path = str(block.values.get("path", ""))[len(shown_path("")) + 1 :]
    if path == "" or file_label(path) != block.label:
        return None
    if path.endswith("/"):
        return MemoryFile(path[:-1], None, block)
    return MemoryFile(path, _text_of(block.values), block)


def file_values(path: str, text: str | None) -> dict[str, BlockValue]:
    """The values of a block that is a file with this text, each character of it, or a directory without one."""
    if text is None:
        return {"path": f"{shown_path(path)}/"}
    values: dict[str, BlockValue] = {"path": shown_path(path)}
    without_first = text.lstrip("\n")
    shown = without_first.rstrip("\n")
    if not _is_kept_as_it_is(shown):
        return {**values, "text": json.dumps(text, ensure_ascii=False), "escaped": True}
    before, after = len(text) - len(without_first), len(without_first) - len(shown)
    if shown != "":
        values["text"] = shown
    if before > 0:
        values["linesBefore"] = before
    if after > 0:
        values["linesAfter"] = after
    return values


def _text_of(values: Mapping[str, BlockValue]) -> str:
    text = str(values.get("text", ""))
    if values.get("escaped") is True:
        return _json_text(text)
    return f"{_breaks(values.get('linesBefore'))}{text}{_breaks(values.get('linesAfter'))}"


def _json_text(text: str) -> str:
    # A person may have changed it into something that is no JSON: then it is what they wrote.
    try:
        read = json.loads(text)
    except ValueError:
        return text
    return read if isinstance(read, str) else text


def _breaks(count: BlockValue | None) -> str:
    # More than a file may have is nothing that was written here.
    return "\n" * count if isinstance(count, int) and 0 < count <= MOST_BYTES else ""


def _is_kept_as_it_is(text: str) -> bool:
    if text == "":
        return True
    if "\r" in text or "\0" in text:
        return False
    lines = text.split("\n")
    return _BLANK_LINE.match(lines[0]) is None and _BLANK_LINE.match(lines[-1]) is None


def file_operations(before: Mapping[str, BlockValue], after: Mapping[str, BlockValue]) -> list[dict[str, Any]]:
    """What turns the values of a block into others, as small as a person wants to read it."""
    operations: list[dict[str, Any]] = []
    for name in _FIELDS:
        old, value = before.get(name, ""), after.get(name, "")
        if old == value:
            continue
        is_prose = name == "text" and isinstance(old, str) and isinstance(value, str) and "" not in (old, value)
        replaced = _changed_lines(str(old), str(value)) if is_prose else None
        if replaced is None:
            operations.append({"op": "set", "field": name, "value": value})
        else:
            operations.append({"op": "replace", "field": name, "old": replaced[0], "value": replaced[1]})
    return operations


def _changed_lines(before: str, after: str) -> tuple[str, str] | None:
    """The lines in which two texts differ, and as many around them as make the old ones stand only once."""
    old, now = before.split("\n"), after.split("\n")
    least = min(len(old), len(now))
    start = 0
    while start < least and old[start] == now[start]:
        start += 1
    kept = 0
    while kept < least - start and old[-1 - kept] == now[-1 - kept]:
        kept += 1
    around = 1
    while around <= len(old):
        first, last = max(0, start - around), max(0, kept - around)
        lines = "\n".join(old[first : len(old) - last])
        # What is longer is as well read as a whole, and not looked for.
        if len(lines) > _MOST_REPLACED:
            return None
        place = before.find(lines)
        if lines != "" and before.find(lines, place + 1) < 0:
            return lines, "\n".join(now[first : len(now) - last])
        around *= 2
    return None
