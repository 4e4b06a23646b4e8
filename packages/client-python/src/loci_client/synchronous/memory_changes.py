# Generated from ../asynchronous/memory_changes.py by `npm run generate`.
"""What commands of a memory tool change in blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from loci_client.errors import AlreadyExistsError, ConflictError, LociError, NotFoundError, PermissionDeniedError
from loci_client.memory_tool.file import SCHEMA, KnownBlock, file_label, file_of, file_operations, file_values
from loci_client.memory_tool.path import shown_path
from loci_client.memory_tool.plan import Create, Edit, Keep, MemoryChange, Move, Remove
from loci_client.memory_tool.problem import MemoryToolError, OutdatedPlan
from loci_client.memory_tool.tree import MemoryTree

if TYPE_CHECKING:
    from loci_client.synchronous.blocks import Blocks
    from loci_client.scope import Scope

# So often somebody else may write a file while it is moved or removed.
_MOST_ATTEMPTS = 20


def read_tree(blocks: Blocks, owner: Scope) -> MemoryTree:
    """Reads what stands below `/memories` of an owner."""
    found: list[KnownBlock] = []
    after: str | None = None
    while True:
        page = blocks.list(owner, schema=SCHEMA, after=after)
        if not page:
            return MemoryTree(found)
        found += [KnownBlock.of(block) for block in page]
        after = page[-1].label


def read_block(blocks: Blocks, owner: Scope, path: str) -> KnownBlock | None:
    """Reads the block of one path, whether it says something or not."""
    try:
        document = blocks.get(owner, file_label(path))
    except NotFoundError:
        return None
    return KnownBlock.of(document.block)


class MemoryChanges:
    """Makes the changes of a command, each as a whole."""

    def __init__(self, blocks: Blocks, owner: Scope, policy: str) -> None:
        self._blocks = blocks
        self._owner = owner
        self._policy = policy
        self.proposed: list[str] = []
        """The ids of the edits that wait for a person."""

    def make(self, change: MemoryChange) -> None:
        """Makes one change.

        Raises:
            OutdatedPlan: A file is not as it was read.
        """
        if isinstance(change, Create):
            block = read_block(self._blocks, self._owner, change.path)
            if block is not None and file_of(block) is not None:
                raise OutdatedPlan()
            self._put(change.path, block, file_values(change.path, change.text), "Create")
        elif isinstance(change, Edit):
            file = change.file
            self._write(file.block, file_values(file.path, change.text), "Edit", file.path)
        elif isinstance(change, Move):
            self._move(change.path, change.to)
        elif isinstance(change, Remove):
            self._remove(change.path)
        else:
            self._keep(change)

    def _keep(self, change: Keep) -> None:
        # Until a person has decided about what is in them, directories are what paths say.
        path = f"{change.directory}/"
        for attempt in range(_MOST_ATTEMPTS if self._policy == "auto" else 0):
            block = read_block(self._blocks, self._owner, path)
            if block is not None and file_of(block) is not None:
                return
            try:
                return self._put(path, block, file_values(change.directory, None), "Keep")
            except OutdatedPlan:
                if attempt == _MOST_ATTEMPTS - 1:
                    raise
            except LociError as error:
                # Where there is no place for it, an empty directory goes: nobody could delete anything otherwise.
                if not _is_full(error):
                    raise
                return

    def _remove(self, path: str) -> None:
        for attempt in range(_MOST_ATTEMPTS):
            block = read_block(self._blocks, self._owner, path)
            if block is None or file_of(block) is None:
                return
            try:
                return self._write(block, {}, "Delete", path)
            except OutdatedPlan:
                if attempt == _MOST_ATTEMPTS - 1:
                    raise

    def _move(self, path: str, to: str) -> None:
        # First it stands at both places, then at the new one alone: nothing is lost in between.
        is_begun = False
        for attempt in range(_MOST_ATTEMPTS):
            source = read_block(self._blocks, self._owner, path)
            file = None if source is None else file_of(source)
            if source is None or file is None:
                return
            if source.policy == "read_only":
                raise MemoryToolError(f"The file {shown_path(path)} may not be changed.")
            block = read_block(self._blocks, self._owner, to)
            if not is_begun and block is not None and file_of(block) is not None:
                raise MemoryToolError(f"The destination {shown_path(to)} already exists")
            try:
                self._put(to, block, file_values(to, file.text), "Move here:")
                is_begun = True
                return self._write(source, {}, "Move away:", path)
            except OutdatedPlan:
                if attempt == _MOST_ATTEMPTS - 1:
                    raise

    def _put(self, path: str, block: KnownBlock | None, values: Mapping[str, Any], verb: str) -> None:
        """Writes what a path is to hold, where nothing is or what was read."""
        known = self._begin(path, values, verb) if block is None else block
        if known is not None:
            self._write(known, values, verb, path)

    def _begin(self, path: str, values: Mapping[str, Any], verb: str) -> KnownBlock | None:
        """Makes a block of a path: with its values where nobody has to decide, else as a place for edits."""
        is_auto = self._policy == "auto"
        content: dict[str, Any] = {"values": values, "policy": "auto", "reason": _reason(verb, path)} if is_auto else {}
        may_make_room = True
        while True:
            try:
                made = self._blocks.create(self._owner, file_label(path), schema=SCHEMA, **content)
                return None if is_auto else KnownBlock.of(made)
            except AlreadyExistsError:
                raise OutdatedPlan() from None
            except LociError as error:
                if not may_make_room or not _is_full(error) or not self._make_room():
                    raise
                may_make_room = False

    def _make_room(self) -> bool:
        """Takes away the block of a file that was deleted long ago. Its history stays."""
        tree = read_tree(self._blocks, self._owner)
        empty = [block for block in tree.blocks.values() if file_of(block) is None and block.version > 1]
        for block in sorted(empty, key=lambda each: each.updated):
            if [edit for edit in self._blocks.list_edits(self._owner, label=block.label)]:
                continue
            try:
                self._blocks.delete(self._owner, block.label, etag=block.etag)
                return True
            except PermissionDeniedError:
                return False
            except (ConflictError, NotFoundError):
                continue
        return False

    def _write(self, block: KnownBlock, values: Mapping[str, Any], verb: str, path: str) -> None:
        reason = _reason(verb, path)
        try:
            if block.policy == "auto":
                self._blocks.update(self._owner, block.label, etag=block.etag, values=values, reason=reason)
                return
            operations = file_operations(block.values, values)
            # What it says already needs no decision.
            if operations:
                edit = self._blocks.propose(
                    self._owner, block.label, operations, base_version=block.version, reason=reason
                )
                if edit.state == "pending":
                    self.proposed.append(edit.id)
        except (ConflictError, NotFoundError) as error:
            raise OutdatedPlan("The file has changed.") from error


def _is_full(error: LociError) -> bool:
    """Whether the owner has as many files as there may be."""
    return error.reason == "BLOCK_LIMIT_EXCEEDED" and error.field == "owner"


def _reason(verb: str, path: str) -> str:
    return f"{verb} {shown_path(path)}"
