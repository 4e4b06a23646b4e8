"""Memories: stored, read, changed and followed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping
from datetime import datetime
from typing import Any

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls, write_key
from loci_client.asynchronous.pages import AsyncPages
from loci_client.errors import invalid
from loci_client.filters import Filter
from loci_client.fill import fill, listed
from loci_client.memory_name import id_of
from loci_client.method import Method
from loci_client.scope import Scope, ScopeKind
from loci_client.types import (
    ConversationTurn,
    ManyMemories,
    ExportedMemory,
    Memory,
    MemoryChange,
    MemoryIds,
    MemoryOrder,
    MemoryPage,
    MemoryState,
    Origin,
    Provenance,
    Repeat,
    ScopeMemories,
    ScopePage,
    Trust,
)
from loci_client.unset import UNSET, Unset
from loci_client.values import Value

_SERVICE = "MemoryService"
_CREATE: Method[v1.CreateMemoryResponse] = Method(_SERVICE, "CreateMemory")
_CREATE_MANY: Method[v1.BatchCreateMemoriesResponse] = Method(_SERVICE, "BatchCreateMemories")
_CREATE_CONVERSATION: Method[v1.CreateMemoriesFromConversationResponse] = Method(
    _SERVICE, "CreateMemoriesFromConversation"
)
_GET: Method[v1.GetMemoryResponse] = Method(_SERVICE, "GetMemory")
_GET_MANY: Method[v1.BatchGetMemoriesResponse] = Method(_SERVICE, "BatchGetMemories")
_LIST: Method[v1.ListMemoriesResponse] = Method(_SERVICE, "ListMemories")
_IDS: Method[v1.ListMemoryIdsResponse] = Method(_SERVICE, "ListMemoryIds")
_SCOPES: Method[v1.ListMemoryScopesResponse] = Method(_SERVICE, "ListMemoryScopes")
_UPDATE: Method[v1.UpdateMemoryResponse] = Method(_SERVICE, "UpdateMemory")
_DELETE: Method[v1.DeleteMemoryResponse] = Method(_SERVICE, "DeleteMemory")
_VERSIONS: Method[v1.ListMemoryVersionsResponse] = Method(_SERVICE, "ListMemoryVersions")
_RESTORE: Method[v1.RestoreMemoryResponse] = Method(_SERVICE, "RestoreMemory")
_MARK_USED: Method[v1.MarkMemoriesUsedResponse] = Method(_SERVICE, "MarkMemoriesUsed")
_WATCH: Method[v1.WatchMemoriesResponse] = Method(_SERVICE, "WatchMemories")
_EXPORT: Method[v1.MemoryServiceExportMemoriesResponse] = Method(
    _SERVICE, "ExportMemories", "MemoryServiceExportMemoriesResponse"
)


class AsyncMemories:
    """Stores, reads and changes memories.

    Every call takes `timeout`, in seconds over all attempts, and every write `request_id`, an idempotency key of 1 to
    200 bytes: the same key with the same arguments gives the first answer again for 7 days.
    """

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def remember(
        self,
        text: str,
        *,
        scope: str | Scope,
        key: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        is_static: bool | None = None,
        is_pinned: bool | None = None,
        tags: Iterable[str] | None = None,
        slot: str | None = None,
        origin: Origin | None = None,
        provenance: Provenance | Mapping[str, object] | None = None,
        trust: Trust | None = None,
        metadata: Mapping[str, Value] | None = None,
        create_time: datetime | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        expire_time: datetime | None = None,
        superseded_by: str | None = None,
        repeat: Repeat | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Memory:
        """Stores one memory. It is durable when this returns, and recallable at once.

        Args:
            text: 1 byte to 64 KiB of UTF-8.
            scope: Where it belongs, such as `"user:alice"`.
            key: What you call it, unlike any other memory of the scope: 1 to 512 bytes. It stays.
            category: `fact`, `decision`, `preference`, … or a lower-case word of your own. Default `fact`.
            importance: 0 to 1. Default by category and origin.
            confidence: 0 to 1. Default 1.
            is_static: It never fades with time, and as a fact stands in every context of its scope. Default `False`.
            is_pinned: It stands in every context of its scope, at most 50 of one. Default `False`.
            tags: Short labels.
            slot: What it is the value of: memories of one slot contradict each other.
            origin: `manual` (default), `capture`, `correction`, `post_mortem` or `import`.
            provenance: What it cites: `{"source_id": "ADR-012", "kind": "adr"}`.
            trust: `trusted` (default), or `untrusted`: it is shown as data and never followed.
            metadata: One level of texts, numbers and booleans by name.
            create_time: When it was said. Default now.
            valid_from: Since when it holds; `valid_to` is until when. Recall shows what holds.
            expire_time: From when on it is recalled no more.
            superseded_by: The id of the memory that took its place.
            repeat: What becomes of a text that is there already: `refresh` (default) or `add`.
            request_id: Of a write that is called again after it was lost: it happens once. Default a new one.

        Raises:
            LociError: Why it was not stored, such as `InvalidArgumentError`, or `AlreadyExistsError` for a key that is taken.
        """
        request = v1.CreateMemoryRequest(request_id=write_key(request_id))
        fields = {
            "text": text,
            "scope": scope,
            "key": key,
            "category": category,
            "importance": importance,
            "confidence": confidence,
            "is_static": is_static,
            "is_pinned": is_pinned,
            "tags": tags,
            "slot": slot,
            "origin": origin,
            "provenance": provenance,
            "trust": trust,
            "metadata": metadata,
            "create_time": create_time,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "expire_time": expire_time,
            "superseded_by": superseded_by,
            "repeat": repeat,
        }
        fill(request.memory, fields)
        response = await self._calls.unary(_CREATE, request, timeout)
        return Memory.from_proto(response.memory)

    async def remember_many(
        self,
        memories: Iterable[Mapping[str, object] | Memory],
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> tuple[Memory, ...]:
        """Stores up to 1,000 memories: all or none.

        Args:
            memories: Each with the arguments of `remember` by name: `{"text": "…", "scope": "user:alice"}`.

        Returns:
            In the order of the arguments. Those that say the same are one memory, given for each of them.
        """
        request = fill(v1.BatchCreateMemoriesRequest(request_id=write_key(request_id)), {"memories": listed(memories, "memories")})
        response = await self._calls.unary(_CREATE_MANY, request, timeout)
        return tuple([Memory.from_proto(memory) for memory in response.memories])

    async def remember_conversation(
        self,
        turns: Iterable[Mapping[str, object] | ConversationTurn],
        *,
        scope: str | Scope,
        session: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> tuple[Memory, ...]:
        """Stores each turn of a conversation as a memory. A turn that the session already holds is not stored twice.

        Args:
            turns: 1 to 1,000 in the order they were said, each with `id`, `speaker`, `content` and `time`.
            session: Names the conversation. Default: a name made from the turns.
        """
        request = v1.CreateMemoriesFromConversationRequest(request_id=write_key(request_id))
        fill(request, {"session": session, "scope": scope, "turns": listed(turns, "turns")})
        response = await self._calls.unary(_CREATE_CONVERSATION, request, timeout)
        return tuple([Memory.from_proto(memory) for memory in response.memories])

    async def get(
        self,
        id: str | None = None,
        *,
        scope: str | Scope | None = None,
        key: str | None = None,
        timeout: float | None = None,
    ) -> Memory:
        """Reads one memory, by its id or by its key in a scope.

        Args:
            id: Of the memory.
            scope: In place of the id, with `key`.
            key: What the memory is called in the scope.

        Raises:
            NotFoundError: There is none of this id or key, or not in the scopes of this credential.
        """
        request = fill(v1.GetMemoryRequest(), {"id": id, "scope": scope, "key": key})
        response = await self._calls.unary(_GET, request, timeout)
        return Memory.from_proto(response.memory)

    async def get_many(
        self,
        ids: Iterable[str],
        *,
        text_bytes: int | None = None,
        with_deleted: bool | None = None,
        timeout: float | None = None,
    ) -> ManyMemories:
        """Reads up to 500 memories by their ids, in that order, and says which are missing.

        Args:
            text_bytes: Most bytes of each text, for lists that show how texts begin. Default: whole texts.
            with_deleted: Also those that were forgotten.
        """
        fields = {"ids": listed(ids, "ids"), "text_bytes": text_bytes, "with_deleted": with_deleted}
        response = await self._calls.unary(_GET_MANY, fill(v1.BatchGetMemoriesRequest(), fields), timeout)
        return ManyMemories.from_proto(response)

    def list(
        self,
        scopes: Iterable[str | Scope],
        *,
        categories: Iterable[str] | None = None,
        states: Iterable[MemoryState] | None = None,
        valid_at: datetime | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        evaluation_time: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[MemoryPage, Memory]:
        """Lists memories, newest first: active ones, unless other states are asked for.

        Args:
            scopes: At least one.
            states: Of `"active"`, `"quarantined"` (which needs the role `approve`, too) and `"deleted"` (tombstones).
                Default active ones.
            valid_at: Only what was true then. Default all, closed ones too, whose `valid_to` has passed.
            page_size: 1 to 1,000. Default 50.
            page_token: `next_page_token` of a page, to go on behind it.
            evaluation_time: As of when expired memories are left out, whatever their state. Default now.
            timeout: Of each page.
        """
        fields = {
            "scopes": listed(scopes, "scopes"),
            "categories": categories,
            "states": states,
            "valid_at": valid_at,
            "page_size": page_size,
            "page_token": page_token,
            "evaluation_time": evaluation_time,
        }
        request = fill(v1.ListMemoriesRequest(), fields)
        return AsyncPages(self._calls, _LIST, request, MemoryPage.from_proto, lambda page: page.memories, timeout)

    def scopes(
        self,
        *,
        kind: ScopeKind | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[ScopePage, ScopeMemories]:
        """Lists the scopes that hold active memories and that this key covers, by their names, with how many each.

        Args:
            kind: Only scopes of this kind, such as `"user"`. Default: every kind.
            page_size: 1 to 1,000. Default 50.
            page_token: `next_page_token` of a page, to go on behind it.
            timeout: Of each page.
        """
        request = fill(v1.ListMemoryScopesRequest(), {"kind": kind, "page_size": page_size, "page_token": page_token})
        return AsyncPages(self._calls, _SCOPES, request, ScopePage.from_proto, lambda page: page.scopes, timeout)

    async def update(
        self,
        memory: Memory | str | None = None,
        *,
        scope: str | Scope | None = None,
        key: str | None = None,
        etag: str | None = None,
        allow_missing: bool = False,
        text: str | Unset = UNSET,
        category: str | Unset = UNSET,
        importance: float | Unset = UNSET,
        confidence: float | Unset = UNSET,
        is_static: bool | Unset | None = UNSET,
        is_pinned: bool | Unset | None = UNSET,
        tags: Iterable[str] | Unset | None = UNSET,
        slot: str | Unset | None = UNSET,
        provenance: Provenance | Mapping[str, object] | Unset | None = UNSET,
        metadata: Mapping[str, Value] | Unset | None = UNSET,
        valid_from: datetime | Unset | None = UNSET,
        valid_to: datetime | Unset | None = UNSET,
        expire_time: datetime | Unset | None = UNSET,
        superseded_by: str | Unset | None = UNSET,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Memory:
        """Makes a new version. What is left out stays as it is; `None` removes it.

        Args:
            memory: The memory as it was read, or its id together with `etag`.
            scope: In place of the memory, with `key`.
            key: What the memory is called in the scope.
            etag: Of the version that is changed. Default: the memory's.
            allow_missing: In place of `etag`, with `scope` and `key`: the memory is made when there is none, else the one there
                is is changed, whatever its version. Of several calls at once one makes it.

        Raises:
            ConflictError: It was changed since: read it again.
        """
        fields = {
            "text": text,
            "category": category,
            "importance": importance,
            "confidence": confidence,
            "is_static": is_static,
            "is_pinned": is_pinned,
            "tags": tags,
            "slot": slot,
            "provenance": provenance,
            "metadata": metadata,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "expire_time": expire_time,
            "superseded_by": superseded_by,
        }
        request = v1.UpdateMemoryRequest(request_id=write_key(request_id), allow_missing=allow_missing)
        if memory is not None and key is not None:
            raise invalid("INVALID_REQUEST", "memory and key exclude each other.", field="key")
        named = {"scope": scope, "key": key} if memory is None else {"id": id_of(memory)}
        fill(request.memory, {**named, "etag": _etag_of(memory, etag), **fields})
        request.update_mask.paths.extend([name for name, value in fields.items() if value is not UNSET])
        response = await self._calls.unary(_UPDATE, request, timeout)
        return Memory.from_proto(response.memory)

    async def forget(
        self,
        memory: Memory | str,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> None:
        """Forgets a memory. A tombstone stays, and `restore` brings it back.

        Args:
            memory: The memory, or its id.
            etag: When given, or when the memory is, it must still be at this version.
        """
        request = v1.DeleteMemoryRequest(request_id=write_key(request_id))
        fill(request, {"id": id_of(memory), "etag": _etag_of(memory, etag)})
        await self._calls.unary(_DELETE, request, timeout)

    async def versions(self, id: str, *, timeout: float | None = None) -> tuple[Memory, ...]:
        """Every version of a memory, oldest first, a tombstone included."""
        request = fill(v1.ListMemoryVersionsRequest(), {"id": id})
        response = await self._calls.unary(_VERSIONS, request, timeout)
        return tuple([Memory.from_proto(memory) for memory in response.memories])

    async def restore(
        self, id: str, version: int, *, timeout: float | None = None, request_id: str | None = None
    ) -> Memory:
        """Makes an old version's content the newest version. Also brings back what was forgotten."""
        request = fill(v1.RestoreMemoryRequest(request_id=write_key(request_id)), {"id": id, "version": version})
        response = await self._calls.unary(_RESTORE, request, timeout)
        return Memory.from_proto(response.memory)

    async def mark_used(self, ids: Iterable[str], *, timeout: float | None = None) -> None:
        """Says that memories were used. Unknown ids are passed over. Sent once: counting twice would be wrong."""
        request = fill(v1.MarkMemoriesUsedRequest(), {"ids": listed(ids, "ids")})
        await self._calls.unary(_MARK_USED, request, timeout, is_repeatable=False)

    async def watch(
        self,
        scopes: Iterable[str | Scope] = (),
        *,
        all_scopes: bool = False,
        cursor: str | None = None,
        beginning: bool | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MemoryChange, None]:
        """Tells of changes as they happen. When the connection is lost, it goes on behind the last one.

        A change has `written`, `removed_id`, or neither: then everything up to its cursor was told.

        Args:
            scopes: At least one, or `all_scopes`.
            cursor: Goes on behind the change that had it. Default: what is changed from now on.
            beginning: First everything there is.
            timeout: Ends it with `DeadlineExceededError`. Default: none.

        Raises:
            FailedPreconditionError: `CURSOR_EXPIRED`, the ledger was restored or replaced since.
        """
        fields = {"scopes": listed(scopes, "scopes"), "all_scopes": all_scopes, "cursor": cursor, "beginning": beginning}
        request = fill(v1.WatchMemoriesRequest(), fields)
        changes = self._calls.stream(_WATCH, request, _go_on_watching, timeout)
        try:
            async for change in changes:
                yield MemoryChange.from_proto(change)
        finally:
            await changes.aclose()

    async def ids(
        self,
        scopes: Iterable[str | Scope] = (),
        *,
        all_scopes: bool = False,
        states: Iterable[MemoryState] | None = None,
        categories: Iterable[str] | None = None,
        where: Filter | None = None,
        text: str | None = None,
        order_by: MemoryOrder | None = None,
        evaluation_time: datetime | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MemoryIds, None]:
        """The ids of memories in an order, all of them, 4,096 in a part, 16 bytes each; `unpacked_ids` gives them as texts.

        A part with the offset 0 begins the list: anew, when the connection was lost midway.

        Args:
            scopes: At least one, or `all_scopes`.
            states: Default: active ones.
            where: Metadata that no index has can be asked for, too. Each memory is read for it.
            text: What the text of a memory holds; capital and small letters are the same. Each memory is read for it.
            order_by: The largest first. Default: by creation.
            evaluation_time: As of when expired memories are left out. Default: now.

        Raises:
            FailedPreconditionError: `TOO_MANY_MEMORIES`, there are more than 5,000,000.
        """
        fields = {
            "scopes": listed(scopes, "scopes"),
            "all_scopes": all_scopes,
            "states": states,
            "categories": categories,
            "where": where,
            "text": text,
            "order_by": order_by,
            "evaluation_time": evaluation_time,
        }
        parts = self._calls.stream(_IDS, fill(v1.ListMemoryIdsRequest(), fields), _begin_anew, timeout)
        try:
            async for part in parts:
                yield MemoryIds.from_proto(part)
        finally:
            await parts.aclose()

    async def export(
        self, *, after_id: str | None = None, timeout: float | None = None
    ) -> AsyncGenerator[ExportedMemory, None]:
        """Everything in the scopes of this key but what was erased, in the order of ids. Needs the role admin.

        Args:
            after_id: Goes on behind this one.
        """
        request = fill(v1.MemoryServiceExportMemoriesRequest(), {"after_id": after_id})
        exported = self._calls.stream(_EXPORT, request, _go_on_exporting, timeout)
        try:
            async for each in exported:
                yield ExportedMemory.from_proto(each)
        finally:
            await exported.aclose()


def _begin_anew(_last: Any, _request: Any) -> None:
    """The list may be another one by now."""


def _go_on_watching(last: Any, request: Any) -> None:
    request.cursor = last.cursor


def _go_on_exporting(last: Any, request: Any) -> None:
    request.after_id = last.id


def _etag_of(memory: Memory | str | None, etag: str | None) -> str | None:
    return etag if etag is not None or memory is None or isinstance(memory, str) else memory.etag
