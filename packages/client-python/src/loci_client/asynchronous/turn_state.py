"""Where an agent stands in the work of a session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls, write_key
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.session_name import SessionName, session_fields
from loci_client.types import TurnState

_SERVICE = "SessionService"
_GET: Method[v1.GetTurnStateResponse] = Method(_SERVICE, "GetTurnState")
_SAVE: Method[v1.SaveTurnStateResponse] = Method(_SERVICE, "SaveTurnState")
_MERGE: Method[v1.MergeTurnStateResponse] = Method(_SERVICE, "MergeTurnState")


class AsyncTurnStates:
    """Keeps the turn state of each session: `json.loads(state.json)` is what it says."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def load(self, session: SessionName, *, timeout: float | None = None) -> TurnState:
        """The turn state of a session. Before it was saved first, that of an agent that begins, without an etag."""
        response = await self._get(session, False, timeout)
        return TurnState.from_proto(response.turn_state)

    async def summary_for_context(self, session: SessionName, *, timeout: float | None = None) -> str:
        """What a model is told of the state: at most 500 tokens."""
        return (await self._get(session, True, timeout)).summary

    async def load_with_summary(
        self, session: SessionName, *, timeout: float | None = None
    ) -> tuple[TurnState, str]:
        """The turn state, and what a model is told of it, in one call."""
        response = await self._get(session, True, timeout)
        return TurnState.from_proto(response.turn_state), response.summary

    async def is_terminal(self, session: SessionName, *, timeout: float | None = None) -> bool:
        """True once nothing is left to do."""
        return (await self.load(session, timeout=timeout)).terminal

    async def save(
        self,
        session: SessionName,
        state: TurnState | Mapping[str, object] | str,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> TurnState:
        """Replaces the turn state as a whole.

        Args:
            state: With `sessionId` and so on in camelCase, as JSON or as what is written as JSON. At most 256 KiB.
            etag: Of the turn state that was read. Default: whatever is there is replaced.

        Raises:
            ConflictError: It is another one by now.
        """
        request = v1.SaveTurnStateRequest(request_id=write_key(request_id))
        fill(request, {**session_fields(session), "turn_state": {"json": _json_of(state)}, "etag": etag})
        response = await self._calls.unary(_SAVE, request, timeout)
        return TurnState.from_proto(response.turn_state)

    async def merge(
        self,
        session: SessionName,
        fresh: Mapping[str, object] | str,
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> TurnState:
        """Joins what is kept with what an agent brings. What the two disagree on stands in `conflicts`.

        Args:
            fresh: A turn state with `baseTurn` and `turns` instead of `turnNumber`.
        """
        return await self._merge(session, {"fresh_json": _json_of(fresh)}, timeout, request_id)

    async def record_decision(
        self,
        session: SessionName,
        decision: str,
        *,
        rationale: str,
        alternatives: Iterable[str] | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> TurnState:
        """One more decision, and why. The last 50 are kept."""
        made = {"decision": decision, "rationale": rationale, "alternatives": alternatives}
        return await self._merge(session, {"decision": made}, timeout, request_id)

    async def record_action(
        self,
        session: SessionName,
        type: str,
        *,
        result: str,
        details: Mapping[str, object] | str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> TurnState:
        """One more action, and what came of it. The last 50 are kept.

        Args:
            details: Fields of your own.
        """
        text = None if details is None else _json_of(details)
        done = {"type": type, "result": result, "details_json": text}
        return await self._merge(session, {"action": done}, timeout, request_id)

    async def mark_blocked(
        self,
        session: SessionName,
        reason: str,
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> TurnState:
        """The task cannot go on: for the reason that is given, which becomes an action."""
        return await self._merge(session, {"blocked_reason": reason}, timeout, request_id)

    async def _get(
        self, session: SessionName, with_summary: bool, timeout: float | None
    ) -> v1.GetTurnStateResponse:
        request = fill(v1.GetTurnStateRequest(with_summary=with_summary), session_fields(session))
        return await self._calls.unary(_GET, request, timeout)

    async def _merge(
        self,
        session: SessionName,
        news: Mapping[str, object],
        timeout: float | None,
        request_id: str | None,
    ) -> TurnState:
        request = v1.MergeTurnStateRequest(request_id=write_key(request_id))
        fill(request, {**session_fields(session), **news})
        response = await self._calls.unary(_MERGE, request, timeout)
        return TurnState.from_proto(response.turn_state)


def _json_of(state: TurnState | Mapping[str, object] | str) -> str:
    if isinstance(state, str):
        return state
    return state.json if isinstance(state, TurnState) else json.dumps(state, ensure_ascii=False)
