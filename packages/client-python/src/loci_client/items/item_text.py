"""What items are found by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Names of fields that say nothing of what stands in them.
_PLAIN_NAMES = ("text", "content", "memory")
# Deeper levels of a value are no text to search by.
_MOST_LEVELS = 32
_MOST_TEXT_BYTES = 64 * 1024


def text_of_item(value: Any, paths: Sequence[str]) -> str | None:
    """Of each path what stands there, a line a value, with the names of fields but for such as `text`.

    Args:
        paths: Such as `title`, `notes[*].text`, `authors[-1]`, or `$` for all of it.

    Returns:
        None when there is nothing to read.
    """
    lines = [line for path in paths for found in _values_at(value, path) for line in _lines(found)]
    text = "\n".join(lines).replace("\0", "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if not any(character.isprintable() and not character.isspace() for character in text):
        return None
    return text.encode()[:_MOST_TEXT_BYTES].decode(errors="ignore")


def _lines(value: Any, name: str = "", level: int = 0) -> Iterator[str]:
    if level > _MOST_LEVELS or value is None:
        return
    if isinstance(value, Mapping):
        for field, each in value.items():
            yield from _lines(each, field, level + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _lines(each, name, level + 1)
    else:
        said = str(value).lower() if isinstance(value, bool) else str(value)
        yield said if name == "" or name in _PLAIN_NAMES else f"{name}: {said}"


def _values_at(value: Any, path: str) -> list[Any]:
    found = [value]
    for step in [] if path == "$" else [step for step in path.replace("[", ".[").split(".") if step != ""]:
        found = [inner for each in found for inner in _into(each, step)]
    return found


def _into(value: Any, step: str) -> list[Any]:
    if step in ("*", "[*]"):
        return list(value.values()) if isinstance(value, Mapping) else list(value) if isinstance(value, list) else []
    if isinstance(value, list):
        place = re.fullmatch(r"\[(-?\d{1,6})\]", step)
        return value[int(place[1]) :][:1] if place is not None else []
    return [value[step]] if isinstance(value, Mapping) and step in value else []
