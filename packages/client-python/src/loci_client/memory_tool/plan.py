"""What commands do, and what the model is told: as the SDK's own tool on a file system, byte for byte."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from loci_client.memory_tool.file import MOST_BYTES, MemoryFile
from loci_client.memory_tool.path import is_within, memory_path, parent_of, shown_path
from loci_client.memory_tool.problem import MemoryToolError
from loci_client.memory_tool.shown import numbered_lines
from loci_client.memory_tool.tree import MemoryTree


@dataclass(frozen=True)
class Create:
    """A file at a path where nothing is."""

    path: str
    text: str


@dataclass(frozen=True)
class Edit:
    """Another text of a file that is as it was read."""

    file: MemoryFile
    text: str


@dataclass(frozen=True)
class Move:
    """A file goes from one path to another."""

    path: str
    to: str


@dataclass(frozen=True)
class Remove:
    """A file goes; with a slash at the end of its path a directory that was kept."""

    path: str


@dataclass(frozen=True)
class Keep:
    """A directory stays, or is made, with nothing in it."""

    directory: str


MemoryChange = Union[Create, Edit, Move, Remove, Keep]


@dataclass(frozen=True)
class PlannedCommand:
    """What a command does, step by step, and how it ends then."""

    changes: tuple[MemoryChange, ...]
    answer: str = ""
    refused: Exception | None = None
    """What it is refused for, although it changes something."""


def plan_command(name: str, command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    """What a command does to what stands below `/memories`.

    Raises:
        MemoryToolError: It is refused, and changes nothing.
        OSError: What a file system would have said, with `/memories` at its root.
    """
    return _PLANS[name](command, tree)


def path_not_found(given: str) -> MemoryToolError:
    """The refusal of a path at which nothing is."""
    return MemoryToolError(f"The path {given} does not exist. Please provide a valid path.")


def _create(command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    given = command["path"]
    path = memory_path(given)
    file = tree.file_in_the_way(path)
    if file is not None:
        raise _not_a_directory(_first_below(path, file))
    if tree.has(path):
        raise MemoryToolError(f"File {given} already exists")
    create = Create(path, _checked(given, command["file_text"]))
    return PlannedCommand((create,), f"File created successfully at: {given}")


def _replace(command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    given, old = command["path"], command["old_str"]
    file, content = _file_at(given, tree)
    count = content.count(old)
    if count == 0:
        raise MemoryToolError(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {given}."
        )
    if count > 1:
        raise MemoryToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{', '.join(_lines_with(content, old))}. Please ensure it is unique"
        )
    line = content[: content.find(old)].count("\n")
    text = _checked(given, content.replace(old, command["new_str"]))
    lines = text.split("\n")
    first = max(0, line - 2)
    snippet = numbered_lines(lines[first : min(len(lines), line + 3)], first + 1)
    answer = f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
    return PlannedCommand((Edit(file, text),), answer)


def _lines_with(content: str, old: str) -> list[str]:
    lines: list[str] = []
    place, line, counted = content.find(old), 1, 0
    while place >= 0:
        line += content.count("\n", counted, place)
        counted = place
        lines.append(str(line))
        place = content.find(old, place + 1)
    return lines


def _insert(command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    given, at = command["path"], command["insert_line"]
    file, content = _file_at(given, tree)
    lines = content.split("\n")
    if lines[-1] == "":
        lines.pop()
    if at < 0 or at > len(lines):
        raise MemoryToolError(
            f"Invalid `insert_line` parameter: {at}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(at, command["insert_text"].rstrip("\n"))
    text = "\n".join(lines)
    whole = text if text.endswith("\n") else f"{text}\n"
    return PlannedCommand((Edit(file, _checked(given, whole)),), f"The file {given} has been edited.")


def _delete(command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    given = command["path"]
    path = memory_path(given)
    if path == "":
        raise MemoryToolError("Cannot delete the /memories directory itself")
    if not tree.has(path):
        raise MemoryToolError(f"The path {given} does not exist")
    changes: list[MemoryChange] = [*_keep_emptied(path, tree)]
    changes += [Remove(each) for each in tree.files_at(path)]
    changes += [Remove(f"{each}/") for each in tree.kept_at(path)]
    return PlannedCommand(tuple(changes), f"Successfully deleted {given}")


def _rename(command: Mapping[str, Any], tree: MemoryTree) -> PlannedCommand:
    given, given_target = command["old_path"], command["new_path"]
    source, target = memory_path(given), memory_path(given_target)
    if source == "":
        raise MemoryToolError("Cannot rename the /memories directory itself")
    if tree.has(target):
        raise MemoryToolError(f"The destination {given_target} already exists")
    parent = parent_of(target)
    file = tree.file_in_the_way(target)
    if file is not None and parent != file:
        raise _not_a_directory(_first_below(target, file))
    is_nowhere = parent_of(source) not in tree.directories and tree.file_in_the_way(source) is None
    if file is not None and is_nowhere:
        raise MemoryToolError(f"The path {given} does not exist")
    if file is not None:
        raise _not_a_directory(source, target)
    # A file system makes the directory before it finds out that there is nothing to move into it.
    made: list[MemoryChange] = [] if parent in tree.directories else [Keep(parent)]
    if tree.file_in_the_way(source) is not None:
        return PlannedCommand(tuple(made), refused=_not_a_directory(source, target))
    if is_within(target, source):
        refused = OSError(errno.EINVAL, os.strerror(errno.EINVAL), shown_path(source), None, shown_path(target))
        return PlannedCommand(tuple(made), refused=refused)
    if not tree.has(source):
        return PlannedCommand(tuple(made), refused=MemoryToolError(f"The path {given} does not exist"))

    def moved(path: str) -> str:
        return target + path[len(source) :]

    kept = tree.kept_at(source)
    changes: list[MemoryChange] = [*_keep_emptied(source, tree, target), *[Keep(moved(each)) for each in kept]]
    changes += [Move(each, moved(each)) for each in tree.files_at(source)]
    changes += [Remove(f"{each}/") for each in kept]
    return PlannedCommand(tuple(changes), f"Successfully renamed {given} to {given_target}")


def _keep_emptied(path: str, tree: MemoryTree, target: str = "") -> list[Keep]:
    """A directory stays when the last that was in it goes."""
    directory = parent_of(path)
    if directory == "" or is_within(target, directory):
        return []
    others = [each for each in [*tree.files, *tree.kept] if each != path and not is_within(each, path)]
    is_still_there = directory in tree.kept or any(is_within(each, directory) for each in others)
    return [] if is_still_there else [Keep(directory)]


def _file_at(given: str, tree: MemoryTree) -> tuple[MemoryFile, str]:
    path = memory_path(given)
    file = tree.files.get(path)
    if file is not None and file.text is not None:
        return file, file.text
    if path in tree.directories:
        raise MemoryToolError(f"The path {given} is not a file.")
    raise path_not_found(given)


def _checked(given: str, text: str) -> str:
    count = len(text.encode())
    if count <= MOST_BYTES:
        return text
    raise MemoryToolError(
        f"The file {given} would have {count} bytes, more than the {MOST_BYTES} allowed. Divide it into several files."
    )


def _first_below(path: str, file: str) -> str:
    return "/".join(path.split("/")[: file.count("/") + 2])


def _not_a_directory(path: str, target: str | None = None) -> OSError:
    words = os.strerror(errno.ENOTDIR)
    if target is None:
        return NotADirectoryError(errno.ENOTDIR, words, shown_path(path))
    return NotADirectoryError(errno.ENOTDIR, words, shown_path(path), None, shown_path(target))


_PLANS: Mapping[str, Callable[[Mapping[str, Any], MemoryTree], PlannedCommand]] = {
    "create": _create,
    "str_replace": _replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}
