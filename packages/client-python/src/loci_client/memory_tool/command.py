"""What a model asks of a memory tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loci_client.memory_tool.path import is_well_formed
from loci_client.memory_tool.problem import MemoryToolError

_FIELDS: Mapping[str, Mapping[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}


def checked_command(name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a command: neither a model nor the SDK keeps to a schema.

    Raises:
        MemoryToolError: A field is missing, or is something else.
    """
    for field, kind in _FIELDS[name].items():
        value = given.get(field)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise MemoryToolError(f"The command {name} needs {field} as a {'number' if kind is int else 'string'}.")
        if isinstance(value, str) and not field.endswith("path") and not is_well_formed(value):
            raise MemoryToolError(f"{field} has half of a character in it. Write it whole.")
    view_range = given.get("view_range")
    if name == "view" and view_range is not None:
        if not isinstance(view_range, list) or not all(isinstance(line, int) for line in view_range):
            raise MemoryToolError("view_range is two line numbers: the first, and the last or -1.")
    return given
