"""JSON that the contract takes as a text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

# A text of JSON, also one that does not end, so that none is read twice; or what stands in the place of a number that was taken for a secret.
_TEXT_OR_REDACTION = re.compile(r'"(?:[^"\\]|\\.)*"?|-?\[redacted: [^\]"]{1,40}\]', re.DOTALL)
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def json_text(value: object, default: Callable[[object], object] | None = None) -> str:
    """A value as compact JSON, with letters as they are.

    Raises:
        TypeError: There is something in it that JSON does not know.
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=default)
    # Halves of characters, which a text of the contract may not hold, stand in texts of the value only.
    return _HALF_CHARACTER.sub(lambda half: f"\\u{ord(half[0]):04x}", written)


def parse_redacted_json(text: str) -> Any:
    """Reads JSON of a turn, from which a session may have taken secrets: a number that looked like one is a text then.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(_TEXT_OR_REDACTION.sub(lambda found: found[0] if found[0][0] == '"' else f'"{found[0]}"', text))


def is_well_formed(text: str) -> bool:
    """False for one with halves of characters."""
    return _HALF_CHARACTER.search(text) is None
