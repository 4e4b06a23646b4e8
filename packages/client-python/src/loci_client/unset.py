"""The default of arguments for which `None` says something."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unset(Enum):
    """Has one member, so that type checkers can tell it from every value."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""Left out: what is there stays as it is. `None` removes it."""
