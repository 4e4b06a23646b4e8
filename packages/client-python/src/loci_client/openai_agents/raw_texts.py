"""Takes texts out of what is kept as JSON, so that whoever looks for secrets in it reads them as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from loci_client.agent.json_text import is_well_formed, json_text

# Stands between texts that are kept together: the control character of ASCII that is made for it.
_TEXT_END = "\n\x1e\n"

Place = tuple[object, ...]


def write_with_texts(head: Mapping[str, Any], value: Any) -> str:
    """A value as a text: JSON, and behind it the texts that JSON would write in another way.

    Args:
        head: What stands before it.

    Raises:
        TypeError: There is something in it that JSON does not know.
    """
    texts: list[str] = []
    places: list[Place] = []
    frame = _frame(value, (), texts, places)
    return _TEXT_END.join([json_text({**head, "items": frame, "places": places}), *texts])


def read_with_texts(written: str) -> dict[str, Any]:
    """What was written, with the value as `items`.

    Raises:
        ValueError: It cannot be read, as something was taken out of it.
    """
    head, *texts = written.split(_TEXT_END)
    read: dict[str, Any] = json.loads(head)
    for place, text in zip(read.pop("places"), texts):
        holder: Any = read["items"]
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = text
    return read


def _frame(value: Any, place: Place, texts: list[str], places: list[Place]) -> Any:
    if isinstance(value, str):
        if json_text(value) == f'"{value}"' or not _may_stand_alone(value):
            return value
        texts.append(value)
        places.append(place)
        return ""
    if isinstance(value, Mapping):
        return {str(name): _frame(part, (*place, str(name)), texts, places) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_frame(part, (*place, at), texts, places) for at, part in enumerate(value)]
    return value


def _may_stand_alone(text: str) -> bool:
    return "\0" not in text and "\x1e" not in text and is_well_formed(text)
