"""What a program says about its user, kept in a human block."""

from __future__ import annotations

from typing import Literal

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls, write_key
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.scope import Scope
from loci_client.types import BlockWrite, Memory

_SERVICE = "BlockService"
_UPDATE: Method[v1.UpdateProfileResponse] = Method(_SERVICE, "UpdateProfile")
_SUMMARY: Method[v1.GetProfileSummaryResponse] = Method(_SERVICE, "GetProfileSummary")
_SEARCH: Method[v1.SearchArchivalResponse] = Method(_SERVICE, "SearchArchival")

UserState = Literal["idle", "active_task", "waiting_input", "thinking", "error_recovery"]


class AsyncProfile:
    """Changes and reads human blocks. `label` names the block. Default `human`."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def update(
        self,
        owner: str | Scope,
        *,
        label: str | None = None,
        set_task: str | None = None,
        task_context: str | None = None,
        clear_task: bool = False,
        archive: bool = False,
        learn_preference: str | None = None,
        learn_fact: str | None = None,
        add_context: str | None = None,
        set_state: UserState | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockWrite:
        """Says one thing of a user: exactly one of the following.

        Args:
            set_task: What is being done now. Another task than the current one archives that first.
            task_context: A note on the task that is set.
            clear_task: No task any more; with `archive` it goes into archival memory with its notes.
            learn_preference: A further preference.
            learn_fact: A further fact.
            add_context: A further note.
            set_state: What the user is waiting for or doing.
        """
        fields = {
            "owner": owner,
            "label": label,
            "set_task": None if set_task is None else {"text": set_task, "context": task_context},
            "clear_task": {"archive": archive} if clear_task else None,
            "learn_preference": learn_preference,
            "learn_fact": learn_fact,
            "add_context": add_context,
            "set_state": set_state,
        }
        request = fill(v1.UpdateProfileRequest(request_id=write_key(request_id)), fields)
        return BlockWrite.from_proto(await self._calls.unary(_UPDATE, request, timeout))

    async def summary(self, owner: str | Scope, *, label: str | None = None, timeout: float | None = None) -> str:
        """A human block as it stands in a context."""
        request = fill(v1.GetProfileSummaryRequest(), {"owner": owner, "label": label})
        return (await self._calls.unary(_SUMMARY, request, timeout)).summary

    async def search_archival(
        self,
        owner: str | Scope,
        query: str,
        *,
        label: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> tuple[Memory, ...]:
        """What left a human block and fits a question, best first.

        Args:
            limit: 1 to 100. Default 5.
        """
        fields = {"owner": owner, "label": label, "query": query, "limit": limit}
        response = await self._calls.unary(_SEARCH, fill(v1.SearchArchivalRequest(), fields), timeout)
        return tuple([Memory.from_proto(memory) for memory in response.memories])
