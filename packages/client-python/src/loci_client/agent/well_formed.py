"""Texts as the contract takes them."""

from __future__ import annotations


def well_formed(text: str, most_units: int | None = None) -> str:
    """A text without halves of characters, which no text of the contract may hold.

    Args:
        most_units: Only its beginning, in UTF-16 units.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    if most_units is not None:
        units = units[: 2 * most_units]
    return units.decode("utf-16-le", "replace")


def last_units(text: str, most_units: int) -> str:
    """The end of a text, without halves of characters. In UTF-16 units."""
    return text.encode("utf-16-le", "surrogatepass")[-2 * most_units :].decode("utf-16-le", "replace")
