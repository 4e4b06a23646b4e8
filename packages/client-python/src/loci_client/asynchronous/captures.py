"""Memories that are made of sessions, and the decision about those that wait."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from time import monotonic

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls, checked_timeout, write_key
from loci_client.asynchronous.pages import AsyncPages
from loci_client.fill import fill, listed
from loci_client.memory_name import id_of
from loci_client.method import Method
from loci_client.scope import Scope
from loci_client.session_name import SessionName
from loci_client.types import (
    CaptureExtractor,
    CaptureJob,
    CapturePage,
    CaptureState,
    Memory,
    MemoryEvidence,
    MemoryReview,
    ReviewDecision,
    ReviewPage,
)

_SERVICE = "CaptureService"
_START: Method[v1.StartCaptureResponse] = Method(_SERVICE, "StartCapture")
_GET: Method[v1.GetCaptureResponse] = Method(_SERVICE, "GetCapture")
_WAIT: Method[v1.WaitCaptureResponse] = Method(_SERVICE, "WaitCapture")
_LIST: Method[v1.ListCapturesResponse] = Method(_SERVICE, "ListCaptures")
_CANCEL: Method[v1.CancelCaptureResponse] = Method(_SERVICE, "CancelCapture")
_UNDO: Method[v1.UndoCaptureResponse] = Method(_SERVICE, "UndoCapture")
_REPLAY: Method[v1.ReplayCaptureResponse] = Method(_SERVICE, "ReplayCapture")
_POST_MORTEM: Method[v1.RecordPostMortemResponse] = Method(_SERVICE, "RecordPostMortem")
_REVIEWS: Method[v1.ListReviewsResponse] = Method(_SERVICE, "ListReviews")
_DECIDE: Method[v1.DecideReviewResponse] = Method(_SERVICE, "DecideReview")
_EVIDENCE: Method[v1.ListEvidenceResponse] = Method(_SERVICE, "ListEvidence")

_OVER = frozenset({"succeeded", "dead", "undone", "cancelled"})
_LONGEST_WAIT = 20.0


class AsyncCaptures:
    """Makes memories of sessions, and takes them back."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    @cached_property
    def reviews(self) -> AsyncReviews:
        """Memories that wait for somebody who may approve."""
        return AsyncReviews(self._calls)

    async def start(
        self,
        session: SessionName,
        *,
        first_turn: int | None = None,
        last_turn: int | None = None,
        project_scope: str | Scope | None = None,
        extractor: CaptureExtractor | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> CaptureJob:
        """Has memories made of turns of a session, in the background. The same arguments again are the same job.

        Args:
            first_turn: Default: the first that was not captured yet.
            last_turn: Default: the last there is.
            project_scope: Where statements on the project belong. Default: the session's project, else its own scope.
            extractor: `rules`, `model`, or `auto` (default): the model when there is one.
            dry_run: Writes nothing, and gives the report.
        """
        fields = {
            "session": session,
            "first_turn": first_turn,
            "last_turn": last_turn,
            "project_scope": project_scope,
            "extractor": extractor,
        }
        request = fill(v1.StartCaptureRequest(validate_only=dry_run), fields)
        response = await self._calls.unary(_START, request, timeout)
        return CaptureJob.from_proto(response.capture)

    async def get(self, id: str, *, timeout: float | None = None) -> CaptureJob:
        """A capture with what came of it."""
        response = await self._calls.unary(_GET, fill(v1.GetCaptureRequest(), {"id": id}), timeout)
        return CaptureJob.from_proto(response.capture)

    async def wait(self, id: str, *, timeout: float | None = None) -> CaptureJob:
        """Waits until a capture is over, however long it takes.

        Args:
            timeout: In seconds. Default: none.

        Raises:
            DeadlineExceededError: It is not over; it goes on.
        """
        deadline = math.inf if timeout is None else monotonic() + checked_timeout(timeout)
        while True:
            left = deadline - monotonic()
            wait = max(0.0, min(_LONGEST_WAIT, self._calls.timeout / 2, left))
            request = fill(v1.WaitCaptureRequest(), {"id": id, "timeout": wait})
            response = await self._calls.unary(_WAIT, request, None if left == math.inf else left)
            job = CaptureJob.from_proto(response.capture)
            if job.state in _OVER:
                return job

    def list(
        self,
        session: SessionName | None = None,
        *,
        scopes: Iterable[str | Scope] | None = None,
        all_scopes: bool = False,
        states: Iterable[CaptureState] | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[CapturePage, CaptureJob]:
        """Lists the captures of a session, or of all sessions of scopes, without their outcomes.

        Args:
            session: Either this, `scopes` or `all_scopes`.
            scopes: Those of every session of these scopes.
            all_scopes: Those of every scope that the credential covers.
            states: Such as `["dead"]`. Default: in every state.
            page_size: 1 to 1,000. Default 50.
            page_token: `next_page_token` of a page, to go on behind it.
            timeout: Of each page.
        """
        fields = {
            "session": session,
            "scopes": None if scopes is None else listed(scopes, "scopes"),
            "all_scopes": all_scopes,
            "states": states,
            "page_size": page_size,
            "page_token": page_token,
        }
        request = fill(v1.ListCapturesRequest(), fields)
        return AsyncPages(self._calls, _LIST, request, CapturePage.from_proto, lambda page: page.captures, timeout)

    async def cancel(self, id: str, *, timeout: float | None = None) -> CaptureJob:
        """Stops a capture. One that is over stays as it is."""
        response = await self._calls.unary(_CANCEL, fill(v1.CancelCaptureRequest(), {"id": id}), timeout)
        return CaptureJob.from_proto(response.capture)

    async def undo(self, id: str, *, timeout: float | None = None) -> CaptureJob:
        """Forgets what a capture added and opens again what it closed, in one commit."""
        response = await self._calls.unary(_UNDO, fill(v1.UndoCaptureRequest(), {"id": id}), timeout)
        return CaptureJob.from_proto(response.capture)

    async def replay(
        self, id: str, *, extractor: CaptureExtractor | None = None, timeout: float | None = None
    ) -> CaptureJob:
        """Says what a capture would make of its turns now. Writes nothing.

        Args:
            extractor: Default: as it was.
        """
        request = fill(v1.ReplayCaptureRequest(), {"id": id, "extractor": extractor})
        response = await self._calls.unary(_REPLAY, request, timeout)
        return CaptureJob.from_proto(response.capture)

    async def record_post_mortem(
        self,
        failure: str,
        *,
        lesson: str,
        scope: str | Scope,
        tags: Iterable[str] | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Memory:
        """Remembers a lesson from a failure.

        Args:
            failure: What went wrong. At most 500 UTF-16 units.
            lesson: What to do from now on. At most 600 UTF-16 units.
        """
        request = v1.RecordPostMortemRequest(request_id=write_key(request_id))
        fill(request, {"scope": scope, "failure": failure, "lesson": lesson, "tags": tags})
        response = await self._calls.unary(_POST_MORTEM, request, timeout)
        return Memory.from_proto(response.memory)

    async def evidence(self, memory: Memory | str, *, timeout: float | None = None) -> tuple[MemoryEvidence, ...]:
        """What a memory rests on, in the order in which it was said.

        Args:
            memory: It, or its id.
        """
        request = fill(v1.ListEvidenceRequest(), {"memory": id_of(memory)})
        response = await self._calls.unary(_EVIDENCE, request, timeout)
        return tuple([MemoryEvidence.from_proto(each) for each in response.evidence])


class AsyncReviews:
    """Memories that wait for somebody who may approve."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        scopes: Iterable[str | Scope],
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[ReviewPage, MemoryReview]:
        """Lists memories that wait."""
        fields = {"scopes": listed(scopes, "scopes"), "page_size": page_size, "page_token": page_token}
        request = fill(v1.ListReviewsRequest(), fields)
        return AsyncPages(self._calls, _REVIEWS, request, ReviewPage.from_proto, lambda page: page.reviews, timeout)

    async def decide(
        self, id: str, decision: ReviewDecision, *, etag: str | None = None, timeout: float | None = None
    ) -> Memory | None:
        """Approves a memory that waits, or forgets it.

        It takes the role approve. A memory that does not wait can be approved, too: a procedure is followed then.

        Args:
            id: Of the review, or of the memory.
            decision: `approve` or `reject`.
            etag: Of the memory as it was looked at. When given, it must still be at this version.

        Returns:
            The memory that was approved; `None` for one that was rejected.

        Raises:
            NotFoundError: `REVIEW_NOT_FOUND`.
            ConflictError: The memory was changed since it had this etag.
        """
        request = fill(v1.DecideReviewRequest(), {"id": id, "decision": decision, "etag": etag})
        response = await self._calls.unary(_DECIDE, request, timeout)
        return Memory.from_proto(response.memory) if response.HasField("memory") else None
