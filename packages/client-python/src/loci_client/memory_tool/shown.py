"""Files and directories as a model sees them."""

from __future__ import annotations

from collections.abc import Sequence

from loci_client.memory_tool.path import is_within, parent_of
from loci_client.memory_tool.tree import MemoryTree

_NUMBER_WIDTH = 6
# What the file systems that the tool was made on say of a directory.
_DIRECTORY_BYTES = 4096
_LEVELS = 2


def numbered_lines(lines: Sequence[str], first: int) -> str:
    """Lines with their numbers, from the first of them on."""
    return "\n".join(f"{str(first + at).rjust(_NUMBER_WIDTH)}\t{line}" for at, line in enumerate(lines))


def shown_file(given: str, text: str, view_range: Sequence[int] | None) -> str:
    """A file with the numbers of its lines."""
    lines = text.split("\n")
    first, last = view_range if view_range is not None and len(view_range) == 2 else (1, -1)
    start = max(1, first) - 1
    shown = lines[start : len(lines) if last == -1 else last]
    return f"Here's the content of {given} with line numbers:\n{numbered_lines(shown, start + 1)}"


def shown_directory(given: str, directory: str, tree: MemoryTree) -> str:
    """A directory, two levels deep."""
    lines = [f"{_size(_DIRECTORY_BYTES)}\t{given}"]

    def add(of: str, shown: str, level: int) -> None:
        for path in _entries(of, tree):
            name = path.rpartition("/")[2]
            if name.startswith("."):
                continue
            if path in tree.directories:
                lines.append(f"{_size(_DIRECTORY_BYTES)}\t{shown}/{name}/")
                if level < _LEVELS:
                    add(path, f"{shown}/{name}", level + 1)
            else:
                lines.append(f"{_size(len((tree.files[path].text or '').encode()))}\t{shown}/{name}")

    add(directory, given, 1)
    header = f"Here're the files and directories up to 2 levels deep in {given}, excluding hidden items:"
    return "\n".join([header, *lines])


def _entries(directory: str, tree: MemoryTree) -> list[str]:
    return sorted(
        path for path in {*tree.files, *tree.directories} if is_within(path, directory) and parent_of(path) == directory
    )


def _size(count: int) -> str:
    if count == 0:
        return "0B"
    unit = min((count.bit_length() - 1) // 10, 3)
    size = count / 1024**unit
    return f"{int(size) if size == int(size) else format(size, '.1f')}{'BKMG'[unit]}"


def waiting_notice(count: int, what: str) -> str:
    """What a model is told of edits that wait, at the end of an answer; nothing when none do."""
    if count == 0:
        return ""
    return f"\n\n{count} {'edit' if count == 1 else 'edits'} of {what} {'waits' if count == 1 else 'wait'} until a person approves."
