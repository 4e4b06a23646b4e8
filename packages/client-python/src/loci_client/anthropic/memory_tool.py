"""Anthropic's memory tool, as its SDK takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from loci_client.asynchronous.client import AsyncLoci
from loci_client.asynchronous.memory_tool import AsyncMemoryTool
from loci_client.memory_tool.problem import MemoryToolError
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.synchronous.memory_tool import MemoryTool


class LociMemoryTool(BetaAbstractMemoryTool):
    """The files of one owner below `/memories`, for `client.beta.messages.tool_runner(tools=[…])`.

    Each file is a block. With the policy `auto` every answer is that of `BetaLocalFilesystemMemoryTool`.
    """

    def __init__(
        self,
        loci: Loci,
        *,
        owner: str | Scope | Callable[[], Any],
        policy: str = "approve",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Made for each request, or once with a function that knows the request.

        Args:
            owner: Whose files they are, such as `user:ann`, or a function that finds it out for each command. Never from
                what a model says.
            policy: What happens to files that the model makes: `approve`, a person decides about each change, or `auto`, it
                takes effect at once, which needs a key with the role admin. A file that is there has its own.
        """
        super().__init__(cache_control=cache_control)
        self._tool = MemoryTool(loci, owner=owner, policy=policy)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Shows a file or a directory, and how many edits wait."""
        return self._run("view", command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Makes a file."""
        return self._run("create", command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replaces a text that stands once in a file."""
        return self._run("str_replace", command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Inserts lines into a file."""
        return self._run("insert", command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Deletes a file, or a directory with all that is in it."""
        return self._run("delete", command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Moves a file, or a directory with all that is in it."""
        return self._run("rename", command)

    def _run(self, name: str, command: Any) -> str:
        try:
            return self._tool.run(name, dict(command))
        except MemoryToolError as error:
            raise ToolError(str(error)) from error


class AsyncLociMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same as `LociMemoryTool`, for `AsyncAnthropic` and a program with an event loop."""

    def __init__(
        self,
        loci: AsyncLoci,
        *,
        owner: str | Scope | Callable[[], Any],
        policy: str = "approve",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Takes what `LociMemoryTool` does; a function for `owner` may be asynchronous."""
        super().__init__(cache_control=cache_control)
        self._tool = AsyncMemoryTool(loci, owner=owner, policy=policy)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Shows a file or a directory, and how many edits wait."""
        return await self._run("view", command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Makes a file."""
        return await self._run("create", command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replaces a text that stands once in a file."""
        return await self._run("str_replace", command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Inserts lines into a file."""
        return await self._run("insert", command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Deletes a file, or a directory with all that is in it."""
        return await self._run("delete", command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Moves a file, or a directory with all that is in it."""
        return await self._run("rename", command)

    async def _run(self, name: str, command: Any) -> str:
        try:
            return await self._tool.run(name, dict(command))
        except MemoryToolError as error:
            raise ToolError(str(error)) from error
