"""A memory tool over blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from loci_client.agent.background.asynchronous import resolved
from loci_client.asynchronous.memory_changes import AsyncMemoryChanges, read_block, read_tree
from loci_client.errors import LociError, invalid
from loci_client.memory_tool.command import checked_command
from loci_client.memory_tool.file import file_label, file_of
from loci_client.memory_tool.path import is_within, memory_path, shown_path
from loci_client.memory_tool.plan import PlannedCommand, path_not_found, plan_command
from loci_client.memory_tool.problem import MemoryToolError, OutdatedPlan
from loci_client.memory_tool.shown import shown_directory, shown_file, waiting_notice
from loci_client.memory_tool.tree import MemoryTree
from loci_client.scope import Scope, names_nobody

if TYPE_CHECKING:
    from loci_client.asynchronous.client import AsyncLoci
    from loci_client.types import BlockEdit

# So often somebody else may be quicker.
_MOST_ATTEMPTS = 20


class AsyncMemoryTool:
    """What a model keeps for itself in files below `/memories`, as blocks of an owner."""

    def __init__(
        self, loci: AsyncLoci, *, owner: str | Scope | Callable[[], Any], policy: str = "approve"
    ) -> None:
        """The files of one owner.

        Args:
            owner: Whose files they are, such as `user:ann`, or a function that finds it out for each command. Never from
                what a model says.
            policy: What happens to files that the model makes: `approve`, a person decides about each change, or `auto`, it
                takes effect at once, which needs a key with the role admin. A file that is there has its own.
        """
        if policy not in ("approve", "auto"):
            raise ValueError(f"policy must be approve or auto, but is {policy!r}.")
        self._loci = loci
        self._given_owner = owner
        self._policy = policy

    async def run(self, name: str, given: Mapping[str, Any]) -> str:
        """Does what a model asked, and gives what it is shown.

        Raises:
            MemoryToolError: What the model is told when it is refused.
            InvalidArgumentError: `SCOPE_REQUIRED`, nobody says whose files they are.
        """
        owner = await self._owner()
        command = checked_command(name, given)
        try:
            return await self._view(command, owner) if name == "view" else await self._change(name, command, owner)
        except OutdatedPlan as error:
            raise MemoryToolError("Others change this file again and again. Look at it, and try again.") from error
        except LociError as error:
            advice = "" if error.advice is None else f" {error.advice}"
            raise MemoryToolError(f"{error.message}{advice}") from error

    async def _view(self, command: Mapping[str, Any], owner: Scope) -> str:
        given = command["path"]
        path = memory_path(given)
        block = None if path == "" else await read_block(self._loci.blocks, owner, path)
        file = None if block is None else file_of(block)
        waiting = 0
        if block is not None and block.policy != "auto":
            waiting = len([edit async for edit in self._loci.blocks.list_edits(owner, label=file_label(path))])
        notice = waiting_notice(waiting, "this file")
        if file is not None and file.text is not None:
            return shown_file(given, file.text, command.get("view_range")) + notice
        tree = await read_tree(self._loci.blocks, owner)
        if path not in tree.directories:
            raise MemoryToolError(f"{path_not_found(given)}{notice}")
        within = await self._waiting_within(owner, path, tree)
        return shown_directory(given, path, tree) + waiting_notice(within, "files in this directory")

    async def _waiting_within(self, owner: Scope, directory: str, tree: MemoryTree) -> int:
        """How many edits of files in a directory wait for a person, those that would make files among them."""
        if all(block.policy == "auto" for block in tree.blocks.values()):
            return 0
        edits = [edit async for edit in self._loci.blocks.list_edits(owner, page_size=1_000)]
        return len([edit for edit in edits if is_within(_path_of(edit, tree), directory)])

    async def _change(self, name: str, command: Mapping[str, Any], owner: Scope) -> str:
        attempt = 1
        while True:
            planned = await self._plan(name, command, owner)
            made = AsyncMemoryChanges(self._loci.blocks, owner, self._policy)
            try:
                for change in planned.changes:
                    await made.make(change)
            except OutdatedPlan:
                if attempt == _MOST_ATTEMPTS:
                    raise
                attempt += 1
                continue
            if planned.refused is not None:
                raise planned.refused
            return _proposed_notice(made.proposed) if made.proposed else planned.answer

    async def _plan(self, name: str, command: Mapping[str, Any], owner: Scope) -> PlannedCommand:
        # What is changed in one file needs that file alone, as long as it is there.
        if name in ("str_replace", "insert"):
            block = await read_block(self._loci.blocks, owner, memory_path(command["path"]))
            if block is not None and file_of(block) is not None:
                return plan_command(name, command, MemoryTree([block]))
        return plan_command(name, command, await read_tree(self._loci.blocks, owner))

    async def _owner(self) -> Scope:
        given = self._given_owner
        found = await resolved(given()) if callable(given) else given
        if found is None or names_nobody(found):
            raise invalid(
                "SCOPE_REQUIRED",
                "Nobody said whose files they are. Nothing was read or written.",
                field="owner",
                advice='Pass owner="user:ann", or a function that returns it for each command.',
            )
        if not isinstance(found, (str, Scope)):
            raise TypeError(f"owner must be text or Scope, but is {type(found).__name__}.")
        return Scope.parse(found, "owner") if isinstance(found, str) else found


def _path_of(edit: BlockEdit, tree: MemoryTree) -> str:
    """The path that an edit is about; nothing for edits of other blocks."""
    if not edit.label.startswith("memory_file_"):
        return ""
    named = [each.value for each in edit.operations if each.op == "set" and each.field == "path" and each.value]
    block = tree.blocks.get(edit.label)
    path = named[0] if named else "" if block is None else block.values.get("path", "")
    return str(path)[len(shown_path("")) + 1 :]


def _proposed_notice(ids: list[str]) -> str:
    if len(ids) == 1:
        return f"Proposed as edit {ids[0]}: it takes effect when a person approves it."
    return f"Proposed as edits {', '.join(ids[:-1])} and {ids[-1]}: they take effect when a person approves them."
