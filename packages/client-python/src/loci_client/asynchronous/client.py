"""The client: where every call begins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import grpc

from loci_client.asynchronous.calls import AsyncCalls, checked_timeout
from loci_client.endpoint import CONNECT_TIMEOUT, MAX_MESSAGE_BYTES, Endpoint, make_endpoint
from loci_client.fill import fill, listed
from loci_client.filters import Filter
from loci_client.local_server import find_endpoint
from loci_client.method import Method
from loci_client.requests import context_fields, recall_options
from loci_client.scope import Scope
from loci_client.session_name import SessionName
from loci_client.transport.asynchronous import AsyncTransport

if TYPE_CHECKING:
    from loci_client import v1
    from loci_client.asynchronous.blocks import AsyncBlocks
    from loci_client.asynchronous.budget import AsyncBudget
    from loci_client.asynchronous.captures import AsyncCaptures
    from loci_client.asynchronous.receipts import AsyncReceipts
    from loci_client.asynchronous.maintenance import AsyncMaintenance
    from loci_client.asynchronous.memories import AsyncMemories
    from loci_client.asynchronous.operations import AsyncOperations
    from loci_client.asynchronous.sessions import AsyncSessions
    from loci_client.asynchronous.tokens import AsyncTokens
    from loci_client.types import (
        AssembledContext,
        Caller,
        ChatMessage,
        LayoutDefinition,
        LociStatus,
        RankProfile,
        RecallFallback,
        RecallResult,
        RecallStrategy,
        UsageRecording,
        WaterfallMode,
    )

Own = TypeVar("Own", bound="AsyncLoci")

# What only some programs need is loaded with the first call of it, so that importing the client takes little time.
_RECALL: Method[v1.RecallMemoriesResponse] = Method("MemoryService", "RecallMemories")
_CALLER: Method[v1.GetCallerResponse] = Method("StatusService", "GetCaller")
_STATUS: Method[v1.GetStatusResponse] = Method("StatusService", "GetStatus")
_ASSEMBLE: Method[v1.AssembleContextResponse] = Method("ContextService", "AssembleContext")

_CLOSE_SECONDS = 2.0


class AsyncLoci:
    """Loci on a server.

    Connects with the first call, and again by itself when the connection was lost. Calls that end before the server
    answers are repeated; a write carries an idempotency key, so that it happens once. Close it when done, or use it in
    a `with` statement.
    """

    def __init__(self, calls: AsyncCalls) -> None:
        """Made by `connect` and `local`."""
        self._calls = calls

    @classmethod
    def connect(
        cls: type[Own],
        address: str,
        *,
        api_key: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = 30.0,
        connect_timeout: float = CONNECT_TIMEOUT,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
    ) -> Own:
        """Loci on the server of an address.

        Args:
            address: `host:port`, such as `localhost:5624`, `memory.example.com:443` or `[::1]:5624`.
            api_key: Sent with every call. It stands in no error, log or `repr`.
            credentials: Such as `grpc.ssl_channel_credentials(root_certificates=pem)`, also with a certificate of the
                client's own. Default: plaintext on loopback, TLS with gRPC's own authorities everywhere else.
            timeout: How long a call without a time of its own may take over all attempts, in seconds.
            connect_timeout: How long a connection may take until the server answers, in seconds. A call whose
                connection takes longer ends with `SERVER_UNAVAILABLE`; one that is refused is tried again. Default 5.
            max_message_bytes: The largest message to send or receive. Default 64 MiB.

        Raises:
            InvalidArgumentError: `INVALID_CONFIGURATION`.
        """
        endpoint = make_endpoint(address, api_key, credentials, max_message_bytes, connect_timeout)
        return cls(AsyncCalls(AsyncTransport(endpoint), timeout, None))

    @classmethod
    def local(
        cls: type[Own],
        data_directory: str | os.PathLike[str] | None = None,
        *,
        api_key: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = 30.0,
        connect_timeout: float = CONNECT_TIMEOUT,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
    ) -> Own:
        """Loci on the server that has a data directory open on this machine, with the key that it keeps there.

        A server that is started anew has another key: it is found again.

        Args:
            data_directory: Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home.
            api_key: Needed when the server has configured API keys, which it does not keep there.
            credentials: Default: what the server has, plaintext or TLS with gRPC's own authorities.
            timeout: As for `connect`.
            connect_timeout: As for `connect`.
            max_message_bytes: As for `connect`.

        Raises:
            UnavailableError: No server of this user has the directory open.
        """
        options = (data_directory, api_key, credentials, max_message_bytes, connect_timeout)
        endpoint = find_endpoint(*options)

        def locate() -> Endpoint | None:
            return find_endpoint(*options, or_none=True)

        return cls(AsyncCalls(AsyncTransport(endpoint), timeout, locate))

    @cached_property
    def memories(self) -> AsyncMemories:
        """Stores, reads and changes memories."""
        from loci_client.asynchronous.memories import AsyncMemories

        return AsyncMemories(self._calls)

    @cached_property
    def sessions(self) -> AsyncSessions:
        """Keeps conversations, turn by turn."""
        from loci_client.asynchronous.sessions import AsyncSessions

        return AsyncSessions(self._calls)

    @cached_property
    def blocks(self) -> AsyncBlocks:
        """Keeps what stands in each context of its owner."""
        from loci_client.asynchronous.blocks import AsyncBlocks

        return AsyncBlocks(self._calls)

    @cached_property
    def captures(self) -> AsyncCaptures:
        """Makes memories of sessions."""
        from loci_client.asynchronous.captures import AsyncCaptures

        return AsyncCaptures(self._calls)

    @cached_property
    def receipts(self) -> AsyncReceipts:
        """Tells what contexts were made of that were assembled lately."""
        from loci_client.asynchronous.receipts import AsyncReceipts

        return AsyncReceipts(self._calls)

    @cached_property
    def budget(self) -> AsyncBudget:
        """Guards the budgets of model calls."""
        from loci_client.asynchronous.budget import AsyncBudget

        return AsyncBudget(self._calls)

    @cached_property
    def tokens(self) -> AsyncTokens:
        """Counts tokens."""
        from loci_client.asynchronous.tokens import AsyncTokens

        return AsyncTokens(self._calls)

    @cached_property
    def operations(self) -> AsyncOperations:
        """Work that outlives the call that started it."""
        from loci_client.asynchronous.operations import AsyncOperations

        return AsyncOperations(self._calls)

    @cached_property
    def maintenance(self) -> AsyncMaintenance:
        """Jobs that keep a deployment in order."""
        from loci_client.asynchronous.maintenance import AsyncMaintenance

        return AsyncMaintenance(self._calls, self.operations)

    async def recall(
        self,
        query: str,
        *,
        scopes: Iterable[str | Scope],
        categories: Iterable[str] | None = None,
        where: Filter | None = None,
        limit: int | None = None,
        procedure_limit: int | None = None,
        max_tokens: int | None = None,
        max_tokens_per_memory: int | None = None,
        profile: str | Mapping[str, object] | None = None,
        strategy: RecallStrategy | None = None,
        valid_at: datetime | None = None,
        fallback: RecallFallback | None = None,
        known_at: datetime | None = None,
        rotation: Mapping[str, object] | None = None,
        used_tokens: int | None = None,
        tools: Iterable[str] | None = None,
        relevance_floor: float | None = None,
        time_zone: str | None = None,
        evaluation_time: datetime | None = None,
        explain: bool | None = None,
        also: Iterable[str] | None = None,
        record_usage: bool | None = None,
        timeout: float | None = None,
    ) -> RecallResult:
        """Finds the memories that answer a question.

        Args:
            query: The question, at most 1 MiB. Nothing in it acts as an operator.
            scopes: At least one, at most 1,000.
            categories: Only these. Default all; procedures are then found separately from the rest.
            where: Which memories may be candidates: `F.category == "decision"`.
            limit: Most archival memories, 1 to 1,000. Default 15.
            procedure_limit: Most procedures, 0 to 1,000. Default 10.
            max_tokens: Of all texts together. Default 1,500; with `limit`, as many as so many memories take.
            max_tokens_per_memory: A longer memory is cut to the passage that the question is about. Default 500.
            profile: `balanced`, `archive`, `assistant`, or changes to the tenant's by name.
            strategy: `union` (default) searches all scopes at once; `cascade` fills up scope by scope, nearest first.
            valid_at: Only what was true then. Default the evaluation time.
            fallback: What is given when nothing comes close enough: `none` (default) or `recent`, the newest.
            known_at: Only what had been recorded by then, and as it was then, of at most 20,000 memories.
            rotation: Who asks, `{"owner": "ada", "session": "one"}`: not again what another session was just shown.
            used_tokens: Of `max_tokens`, what others have used already. Default 0.
            tools: Names of the tools in use, at most 128: procedures with a tag that they name are found.
            relevance_floor: How close a memory must come, 0 to 1. 0: the best whatever they are. Default the tenant's.
            time_zone: Whose days `yesterday` and `3 May` in the question are, such as `Europe/Berlin`. Default UTC.
            evaluation_time: The "now" of every score. The same request at the same time gives the same answer.
            explain: Also gives every dropped candidate with its reason, and the profile in force.
            also: With `explain`: ids of at most 20 memories, to say of each why it was not recalled.
            record_usage: Whether what is given is noted for `rotation`. Default `True`, but not with `evaluation_time`,
                `known_at` or `explain`.

        Raises:
            InvalidArgumentError: What is wrong with an argument, such as `SCOPE_REQUIRED` without a scope.
            PermissionDeniedError: `SCOPE_NOT_PERMITTED`.
        """
        from loci_client import v1
        from loci_client.types import RecallResult

        options = {
            "categories": categories,
            "where": where,
            "limit": limit,
            "procedure_limit": procedure_limit,
            "max_tokens": max_tokens,
            "max_tokens_per_memory": max_tokens_per_memory,
            "profile": profile,
            "strategy": strategy,
            "valid_at": valid_at,
            "fallback": fallback,
            "known_at": known_at,
            "rotation": rotation,
            "used_tokens": used_tokens,
            "tools": tools,
            "relevance_floor": relevance_floor,
            "time_zone": time_zone,
        }
        fields = {
            "query": query,
            "scopes": listed(scopes, "scopes"),
            "options": recall_options(options),
            "evaluation_time": evaluation_time,
            "explain": explain,
            "also": None if also is None else listed(also, "also"),
            "record_usage": record_usage,
        }
        request = fill(v1.RecallMemoriesRequest(), fields)
        return RecallResult.from_proto(await self._calls.unary(_RECALL, request, timeout))

    async def assemble(
        self,
        query: str | None = None,
        *,
        scopes: Iterable[str | Scope] | None = None,
        recall: Mapping[str, object] | None = None,
        recall_query: str | None = None,
        layout: str | LayoutDefinition | Mapping[str, object] | None = None,
        profile: RankProfile | None = None,
        mode: WaterfallMode | None = None,
        model: str | None = None,
        window: Mapping[str, object] | None = None,
        system: str | None = None,
        project: str | None = None,
        task: str | None = None,
        messages: Iterable[ChatMessage | Mapping[str, object]] | None = None,
        session: SessionName | None = None,
        evaluation_time: datetime | None = None,
        record_usage: UsageRecording | None = None,
        explain: bool | None = None,
        core_memory: str | None = None,
        files: Mapping[str, object] | None = None,
        history: Mapping[str, object] | None = None,
        block_owners: Iterable[str | Scope] | None = None,
        time_zone: str | None = None,
        memory_dates: bool | None = None,
        timeout: float | None = None,
    ) -> AssembledContext:
        """Assembles the best context for a model call that fits, and says why.

        Args:
            query: What the user asks now. Left out, it is the user's latest message.
            scopes: Which memories to bring in. Without them none are.
            recall: How to search and score: the arguments of `recall` by name, from `categories` to `time_zone`.
            recall_query: What to search for instead of the query.
            layout: `memoryBlocks` (default), `layeredFiles`, `threeTier`, or a layout of your own.
            profile: What is cut first: `conversation` (default) memories, `rag` the conversation.
            mode: How unused tokens flow on: `fill`, `cascade`, `last` or `sequential`. Default the layout's.
            model: Chooses window and tokenizer. Default: the 8K window.
            window: Changes to the window's budgets, in tokens: `{"max_tokens": 8000}` is the most that context, answer and
                safety buffer take together; `preset`, `sections`, `query`, `response`, `safety_buffer`, `scale_to`,
                `fill_window` besides.
            system: The application's own words, rendered verbatim and never cut.
            project: Conventions and other text of the project, verbatim.
            task: What is being done, verbatim.
            messages: The conversation so far, oldest first: `{"role": "user", "content": "…"}`.
            session: A session that Loci keeps, instead of messages: `("user:ann", "ann-monday")`.
            evaluation_time: The "now" of every score. Default now.
            record_usage: `kept` (default): memories in the context count as used. `none`, as with `evaluation_time` and
                `explain`.
            explain: Also lists what recall dropped.
            core_memory: The text of a section for it, verbatim, as in the layout `threeTier`.
            files: Texts of files, for layouts with sections for them: `{"files": {"IDENTITY.md": "…"}}`; `team_files` and
                `days` besides.
            history: What is done when the conversation does not fit.
            block_owners: Whose blocks are shown: `["agent:coach", "user:ann"]`. Default those of the session.
            time_zone: Where midnight is, such as `Europe/Berlin`. Default UTC.
            memory_dates: Says of each memory when it was said, and what day it is, in days of `time_zone`. Default `False`.

        Raises:
            FailedPreconditionError: What may not be cut does not fit, such as `SECTION_OVER_BUDGET`.
            InvalidArgumentError: An argument is wrong; `field` says which.
            NotFoundError: `SESSION_NOT_FOUND`.
            PermissionDeniedError: `SCOPE_NOT_PERMITTED`.
        """
        from loci_client import v1
        from loci_client.types import AssembledContext

        fields = context_fields(
            scopes=scopes,
            recall=recall,
            recall_query=recall_query,
            layout=layout,
            profile=profile,
            mode=mode,
            model=model,
            window=window,
            system=system,
            project=project,
            task=task,
            messages=messages,
            query=query,
            session=session,
            evaluation_time=evaluation_time,
            record_usage=record_usage,
            explain=explain,
            core_memory=core_memory,
            files=files,
            history=history,
            block_owners=block_owners,
            time_zone=time_zone,
            memory_dates=memory_dates,
        )
        request = fill(v1.AssembleContextRequest(), fields)
        return AssembledContext.from_proto(await self._calls.unary(_ASSEMBLE, request, timeout))

    async def caller(self, *, timeout: float | None = None) -> Caller:
        """Whom the server takes this client for: tenant, roles, scopes; and the server's version and services."""
        from loci_client import v1
        from loci_client.types import Caller

        response = await self._calls.unary(_CALLER, v1.GetCallerRequest(), timeout)
        return Caller.from_proto(response.caller)

    async def status(self, *, timeout: float | None = None) -> LociStatus:
        """How the server is: what it holds of the tenant, and whether all that follows the ledger has kept up."""
        from loci_client import v1
        from loci_client.types import LociStatus

        response = await self._calls.unary(_STATUS, v1.GetStatusRequest(), timeout)
        return LociStatus.from_proto(response.status)

    async def settled(self, *, timeout: float | None = None) -> None:
        """Waits until every index holds what was committed before: what was remembered is found by meaning, too.

        Args:
            timeout: In seconds, for all of it. Default: however long it takes, while the server answers.

        Raises:
            DeadlineExceededError: It is not over, or the server does not answer.
        """
        deadline = None if timeout is None else monotonic() + checked_timeout(timeout)
        running = await self.operations.settle_indexes(timeout=timeout)
        await running.wait(timeout=None if deadline is None else max(0.0, deadline - monotonic()))

    async def close(self) -> None:
        """Takes no more calls, ends streams, and waits 2 s for calls under way. Those end with `CLOSED` then."""
        await self._calls.transport.close(_CLOSE_SECONDS)

    async def __aenter__(self: Own) -> Own:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._calls.transport.endpoint.address!r})"
