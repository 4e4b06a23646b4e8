"""Texts that are longer than a turn may be."""

from __future__ import annotations

# In characters, of at most four bytes each: a turn takes 256 KiB.
_MOST_OF_PART = 60_000
# So far from the end of a part it is looked for a space.
_NEAR_END = 2_000


def text_in_parts(text: str) -> list[str]:
    """A text in parts of which a turn can have each.

    None ends within a word that is not longer than 2,000 characters: what looks for secrets reads turns one by one.
    """
    parts = []
    start = 0
    while start < len(text):
        end = _end_of_part(text, start)
        parts.append(text[start:end])
        start = end
    return parts


def _end_of_part(text: str, start: int) -> int:
    most = start + _MOST_OF_PART
    if most >= len(text):
        return len(text)
    behind_space = max(text.rfind(" ", most - _NEAR_END, most), text.rfind("\n", most - _NEAR_END, most)) + 1
    return behind_space or most
