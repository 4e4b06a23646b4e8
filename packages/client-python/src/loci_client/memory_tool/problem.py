"""What a command of a memory tool is refused for."""

from __future__ import annotations


class MemoryToolError(Exception):
    """Says, in the words that the model is told, why a command was refused."""


class OutdatedPlan(Exception):
    """Somebody else was quicker: what a change was planned for is not so any more."""
