"""How calls are told which memory they are about."""

from __future__ import annotations

from loci_client.types import Memory


def id_of(memory: Memory | str) -> str:
    """The id of a memory that was read, or the one that was given."""
    if not isinstance(memory, (Memory, str)):
        raise TypeError(f"memory must be a Memory or the id of one, but is {type(memory).__name__}.")
    return memory if isinstance(memory, str) else memory.id
