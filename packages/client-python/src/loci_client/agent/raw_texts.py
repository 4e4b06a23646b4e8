"""Keeps values as JSON so that whoever looks for secrets in it reads each text as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loci_client.agent.json_text import parse_redacted_json

# The control character that is made for standing between records.
_MARK = "\x1e"
_BETWEEN = f"\n{_MARK}\n"
# What no text has that is joined to others: the mark, and halves of characters, which no session takes.
_UNJOINABLE = re.compile("[\x1e\ud800-\udfff]")
_WRITTEN = re.compile("\x1e([0-9a-f]{4})")
# An image or a signature: longer than what lets anybody in.
_BASE64 = re.compile(r"(?:data:[\w/+.;=-]{0,200},)?[\w+/-]{512,}={0,2}", re.ASCII)
_RUN = re.compile(r"(.{31})(.)", re.DOTALL)


def with_texts_behind(value: Any) -> str:
    """JSON whose texts stand behind it as they are, each in the place of its number.

    What looks for secrets in a session reads them so, line breaks, quotes and all, and takes none of the signs of JSON around
    them.

    Raises:
        TypeError: There is something in it that JSON does not know.
    """
    texts: list[str] = []

    def number(text: str) -> str:
        texts.append(text)
        return str(len(texts) - 1)

    frame = json.dumps(_with_each_text(value, number), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _BETWEEN.join([_UNJOINABLE.sub(_code, frame), *map(_joinable, texts)])


def with_texts_back(written: str) -> Any:
    """What was written so.

    Raises:
        ValueError: A secret was taken out that reached from one text into another.
    """
    frame, *texts = [_WRITTEN.sub(lambda code: chr(int(code[1], 16)), part) for part in written.split(_BETWEEN)]
    places = 0

    def put(number: str) -> str:
        nonlocal places
        if not number.isdecimal():
            # In the place of a number that was taken for a secret.
            return number
        places += 1
        return texts[int(number)]

    try:
        value = _with_each_text(parse_redacted_json(frame), put)
    except IndexError:
        raise ValueError("There are fewer texts than places.") from None
    if places != len(texts):
        raise ValueError(f"There are {len(texts)} texts for {places} places.")
    return value


def _with_each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _with_each_text(part, change) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_with_each_text(part, change) for part in value]
    return value


def _joinable(text: str) -> str:
    """In much Base64 anything can be found by chance.

    Broken up it has no words, and what looks for secrets leaves it whole.
    """
    if _BASE64.fullmatch(text):
        return _RUN.sub(lambda found: found[1] + _code_of(found[2]), text)
    return _UNJOINABLE.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    return _code_of(found[0])


def _code_of(character: str) -> str:
    return f"{_MARK}{ord(character):04x}"
