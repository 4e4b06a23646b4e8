"""What stands below `/memories` of an owner."""

from __future__ import annotations

from collections.abc import Iterable

from loci_client.memory_tool.file import KnownBlock, MemoryFile, file_of
from loci_client.memory_tool.path import directories_of, is_within


class MemoryTree:
    """The files and directories that blocks are."""

    def __init__(self, blocks: Iterable[KnownBlock]) -> None:
        self.blocks = {block.label: block for block in blocks}
        found = [file for file in map(file_of, self.blocks.values()) if file is not None]
        self.files: dict[str, MemoryFile] = {file.path: file for file in found if file.text is not None}
        """By path."""
        self.kept: dict[str, MemoryFile] = {file.path: file for file in found if file.text is None}
        """The directories that are kept although nothing need be in them, by path."""
        self.directories: set[str] = {"", *self.kept, *[each for file in found for each in directories_of(file.path)]}

    def has(self, path: str) -> bool:
        """Whether anything is at a path."""
        return path in self.files or path in self.directories

    def files_at(self, path: str) -> list[str]:
        """The paths of a file, or of the files in a directory at any depth."""
        return [path] if path in self.files else sorted(each for each in self.files if is_within(each, path))

    def kept_at(self, path: str) -> list[str]:
        """The directories that are kept at a path and in it."""
        return [each for each in self.kept if each == path or is_within(each, path)]

    def file_in_the_way(self, path: str) -> str | None:
        """The file that would have to be a directory for a path to lead anywhere."""
        return next((each for each in directories_of(path) if each in self.files), None)
