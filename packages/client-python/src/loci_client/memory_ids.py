"""Ids as lists of them are sent: packed."""

from __future__ import annotations

import uuid

_PACKED_BYTES = 16


def unpacked_ids(packed: bytes) -> list[str]:
    """The ids of a part of `loci.memories.ids` as texts.

    Args:
        packed: 16 bytes an id. What the last bytes are short of a whole id is left out.
    """
    ends = range(_PACKED_BYTES, len(packed) + 1, _PACKED_BYTES)
    return [str(uuid.UUID(bytes=packed[end - _PACKED_BYTES : end])) for end in ends]
