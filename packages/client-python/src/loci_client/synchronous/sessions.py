# Generated from ../asynchronous/sessions.py by `npm run generate`.
"""Conversations, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from loci_client import v1
from loci_client.synchronous.calls import Calls, write_key
from loci_client.synchronous.pages import Pages
from loci_client.synchronous.turn_state import TurnStates
from loci_client.fill import fill, listed
from loci_client.method import Method
from loci_client.requests import context_fields
from loci_client.scope import Scope
from loci_client.session_name import SessionName, session_fields
from loci_client.types import (
    AppendedContext,
    AppendedTurns,
    CapturedTurns,
    CaptureExtractor,
    CaptureMoment,
    Session,
    SessionPage,
    SessionState,
    Turn,
    TurnOrder,
    TurnPage,
)

_SERVICE = "SessionService"
_CREATE: Method[v1.CreateSessionResponse] = Method(_SERVICE, "CreateSession")
_GET: Method[v1.GetSessionResponse] = Method(_SERVICE, "GetSession")
_LIST: Method[v1.ListSessionsResponse] = Method(_SERVICE, "ListSessions")
_CLOSE: Method[v1.CloseSessionResponse] = Method(_SERVICE, "CloseSession")
_REOPEN: Method[v1.ReopenSessionResponse] = Method(_SERVICE, "ReopenSession")
_DELETE: Method[v1.DeleteSessionResponse] = Method(_SERVICE, "DeleteSession")
_APPEND: Method[v1.AppendTurnsResponse] = Method(_SERVICE, "AppendTurns")
_ASSEMBLE: Method[v1.AppendTurnsAndAssembleContextResponse] = Method(_SERVICE, "AppendTurnsAndAssembleContext")
_CAPTURE: Method[v1.AppendTurnsAndCaptureResponse] = Method(_SERVICE, "AppendTurnsAndCapture")
_TURNS: Method[v1.ListTurnsResponse] = Method(_SERVICE, "ListTurns")
_LOG: Method[v1.GetDailyLogResponse] = Method(_SERVICE, "GetDailyLog")


class Sessions:
    """Keeps conversations. Scope and id together name one, `("user:ann", "ann-monday")`, as does what `get` gives."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    @cached_property
    def turn_state(self) -> TurnStates:
        """Where an agent stands in the work of a session."""
        return TurnStates(self._calls)

    def create(
        self,
        session: SessionName,
        *,
        agent: str | None = None,
        project: str | None = None,
        title: str | None = None,
        capture_moment: CaptureMoment | None = None,
        capture_every_turns: int | None = None,
        capture_instructions: str | None = None,
        capture_except: Iterable[str] | None = None,
        remember_turns: bool | None = None,
        keep_secrets: bool | None = None,
        create_time: datetime | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Session:
        """Begins a session.

        Args:
            session: Its scope and an id of 1 to 187 bytes: `("user:ann", "ann-monday")`.
            agent: Who answers in it, by the id of an agent scope.
            project: What it is about, by the id of a project scope.
            capture_moment: When memories are made of its turns: `on_close` (default) or `off`.
            capture_every_turns: Instead: whenever so many turns came since the last time.
            capture_instructions: What a capture model is told besides, in words of yours, never of a user's. Rules do not
                read it.
            capture_except: What captures leave out: `fact`, `preference`, `decision`, `entity`, `procedure`.
            remember_turns: What users and assistants say becomes memories as well, a turn each.
            keep_secrets: Turns and title are stored as they came, also with secrets in them.

        Raises:
            AlreadyExistsError: The scope has one of this id.
        """
        request = v1.CreateSessionRequest(request_id=write_key(request_id))
        fields = {
            **session_fields(session),
            "agent": agent,
            "project": project,
            "title": title,
            "capture_moment": capture_moment,
            "capture_every_turns": capture_every_turns,
            "capture_instructions": capture_instructions,
            "capture_except": None if capture_except is None else listed(capture_except, "capture_except"),
            "remember_turns": remember_turns,
            "keep_secrets": keep_secrets,
            "create_time": create_time,
        }
        fill(request.session, fields)
        response = self._calls.unary(_CREATE, request, timeout)
        return Session.from_proto(response.session)

    def get(self, session: SessionName, *, timeout: float | None = None) -> Session:
        """One session, without its turns."""
        request = fill(v1.GetSessionRequest(), session_fields(session))
        response = self._calls.unary(_GET, request, timeout)
        return Session.from_proto(response.session)

    def list(
        self,
        scopes: Iterable[str | Scope],
        *,
        state: SessionState | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> Pages[SessionPage, Session]:
        """Lists sessions, in an order that stays the same from page to page and means nothing.

        Args:
            state: `open` or `closed`. Default: both.
            page_size: 1 to 1,000. Default 50.
        """
        fields = {"scopes": listed(scopes, "scopes"), "state": state, "page_size": page_size, "page_token": page_token}
        request = fill(v1.ListSessionsRequest(), fields)
        return Pages(self._calls, _LIST, request, SessionPage.from_proto, lambda page: page.sessions, timeout)

    def close(
        self,
        session: SessionName,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Session:
        """It takes no more turns. A session that is closed already is returned as it is."""
        request = v1.CloseSessionRequest(request_id=write_key(request_id))
        response = self._calls.unary(_CLOSE, fill(request, {**session_fields(session), "etag": etag}), timeout)
        return Session.from_proto(response.session)

    def reopen(
        self,
        session: SessionName,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Session:
        """It takes turns again. A session that is open already is returned as it is."""
        request = v1.ReopenSessionRequest(request_id=write_key(request_id))
        response = self._calls.unary(_REOPEN, fill(request, {**session_fields(session), "etag": etag}), timeout)
        return Session.from_proto(response.session)

    def delete(
        self,
        session: SessionName,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> None:
        """Its turns and its turn state are no longer given; its id may be used again. Memories made from it stay."""
        request = v1.DeleteSessionRequest(request_id=write_key(request_id))
        self._calls.unary(_DELETE, fill(request, {**session_fields(session), "etag": etag}), timeout)

    def append(
        self,
        session: SessionName,
        turns: Iterable[Turn | Mapping[str, object]],
        *,
        expected_last_turn: int,
        timeout: float | None = None,
    ) -> AppendedTurns:
        """Appends up to 100 turns, all or none. The same turns behind the same one again are answered again.

        Args:
            turns: Oldest first: `{"role": "user", "content": "…"}`.
            expected_last_turn: The number of the last turn the caller knows, 0 before the first.

        Raises:
            ConflictError: Other turns stand there: `details["lastTurn"]` says how many there are.
        """
        request = fill(v1.AppendTurnsRequest(), _append(session, turns, expected_last_turn))
        return AppendedTurns.from_proto(self._calls.unary(_APPEND, request, timeout))

    def append_and_assemble(
        self,
        session: SessionName,
        turns: Iterable[Turn | Mapping[str, object]],
        *,
        expected_last_turn: int,
        context: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> AppendedContext:
        """Appends turns, then assembles the session's context: what an agent does when its user has said something.

        Args:
            context: The arguments of `Loci.assemble` by name, without messages and session.
        """
        fields: dict[str, object] = {"append": _append(session, turns, expected_last_turn)}
        if context is not None:
            fields["context"] = context_fields(**dict[str, Any](context))
        request = fill(v1.AppendTurnsAndAssembleContextRequest(), fields)
        return AppendedContext.from_proto(self._calls.unary(_ASSEMBLE, request, timeout))

    def append_and_capture(
        self,
        session: SessionName | str | Scope,
        turns: Iterable[Turn | Mapping[str, object]],
        *,
        expected_last_turn: int | None = None,
        extractor: CaptureExtractor | None = None,
        wait: float | None = None,
        agent: str | None = None,
        project: str | None = None,
        title: str | None = None,
        capture_moment: CaptureMoment | None = None,
        capture_every_turns: int | None = None,
        capture_instructions: str | None = None,
        capture_except: Iterable[str] | None = None,
        remember_turns: bool | None = None,
        keep_secrets: bool | None = None,
        create_time: datetime | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> CapturedTurns:
        """Keeps what was said and has memories made of it: begins the session if it is not there, and tells what was learned.

        The same `request_id` again, whoever has appended since, or the last turns of the session once more, keeps and
        captures nothing twice and is answered again; another request under it is refused. A capture that is not over yet
        says so in its `state`.

        Args:
            session: Its scope and its id, or a scope alone, `"user:ann"`, for a conversation of its own.
            turns: 1 to 100, oldest first: `{"role": "user", "content": "…"}`.
            expected_last_turn: The number of the last turn the caller knows, as in `append`. Default: they follow whatever
                stands there, and those that are the last to stand there already are not appended twice.
            extractor: `auto` (default), `rules` or `model`.
            wait: How long the memories are waited for, in seconds, at most 60. Default 20. Give a longer `timeout` with it.
            agent: Of a session that is begun, as are all fields that follow it: as in `create`.
        """
        name = {"scope": session} if isinstance(session, (str, Scope)) else session_fields(session)
        begun = {
            **name,
            "agent": agent,
            "project": project,
            "title": title,
            "capture_moment": capture_moment,
            "capture_every_turns": capture_every_turns,
            "capture_instructions": capture_instructions,
            "capture_except": None if capture_except is None else listed(capture_except, "capture_except"),
            "remember_turns": remember_turns,
            "keep_secrets": keep_secrets,
            "create_time": create_time,
        }
        request = v1.AppendTurnsAndCaptureRequest(request_id=write_key(request_id))
        fields = {
            "expected_last_turn": expected_last_turn,
            "turns": listed(turns, "turns"),
            "extractor": extractor,
            "wait": wait,
        }
        fill(request.session, begun)
        return CapturedTurns.from_proto(self._calls.unary(_CAPTURE, fill(request, fields), timeout))

    def turns(
        self,
        session: SessionName,
        *,
        first_turn: int | None = None,
        last_turn: int | None = None,
        order: TurnOrder | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> Pages[TurnPage, Turn]:
        """Lists turns from either end.

        Args:
            first_turn: Number of the first turn that is wanted. Default 1.
            last_turn: Number of the last one. Default: the last there is.
            order: `oldest_first` (default) or `newest_first`.
        """
        fields = {
            **session_fields(session),
            "first_turn": first_turn,
            "last_turn": last_turn,
            "order": order,
            "page_size": page_size,
            "page_token": page_token,
        }
        request = fill(v1.ListTurnsRequest(), fields)
        return Pages(self._calls, _TURNS, request, TurnPage.from_proto, lambda page: page.turns, timeout)

    def daily_log(
        self, scope: str | Scope, *, date: str, time_zone: str | None = None, timeout: float | None = None
    ) -> str:
        """What was talked about on a day in the sessions of a scope, as Markdown. Empty for a day without turns.

        Args:
            date: `yyyy-mm-dd`, in the time zone.
            time_zone: An IANA name such as `Europe/Berlin`. Default UTC.
        """
        request = fill(v1.GetDailyLogRequest(), {"scope": scope, "date": date, "time_zone": time_zone})
        return (self._calls.unary(_LOG, request, timeout)).text


def _append(
    session: SessionName, turns: Iterable[Turn | Mapping[str, object]], expected_last_turn: int
) -> dict[str, object]:
    return {**session_fields(session), "expected_last_turn": expected_last_turn, "turns": listed(turns, "turns")}
