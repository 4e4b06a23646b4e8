"""JSON that the contract takes as a text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def json_text(value: object, default: Callable[[object], object] | None = None) -> str:
    """A value as compact JSON, with letters as they are.

    Raises:
        TypeError: There is something in it that JSON does not know.
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=default)
    # Halves of characters, which a text of the contract may not hold, stand in texts of the value only.
    return _HALF_CHARACTER.sub(lambda half: f"\\u{ord(half[0]):04x}", written)


def is_well_formed(text: str) -> bool:
    """False for one with halves of characters."""
    return _HALF_CHARACTER.search(text) is None
