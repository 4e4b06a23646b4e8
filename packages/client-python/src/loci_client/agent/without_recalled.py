"""Takes the block out of a message of the user again."""

from __future__ import annotations

from loci_client.agent.block_layout import BLOCK_TAGS

_BLANK = "\n \r"


def without_recalled(text: str) -> str:
    """What a user said, without the block of memories that was put in front of it.

    It is known by its tags, from the beginning of the text on, and only whole: what somebody has merely begun like a block
    stays.
    """
    end = 0
    for tag in BLOCK_TAGS:
        start = _skip_blank(text, end)
        if not _opens(text, start, tag):
            continue
        close = f"</{tag}>"
        closing = text.find(close, start)
        if closing < 0:
            break
        end = closing + len(close)
    return text if end == 0 else text[_skip_blank(text, end) :]


def _opens(text: str, start: int, tag: str) -> bool:
    """Procedures alone may be anybody's: they count behind a tag of the block only, which comes first."""
    if tag == "procedures" and start == 0:
        return False
    return text.startswith((f"<{tag}>", f"<{tag} "), start)


def _skip_blank(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANK:
        place += 1
    return place
