"""Generated from loci/v1/session_service.proto."""

from __future__ import annotations

from dataclasses import dataclass

from loci_client.record import Record
from loci_client.types.capture import CaptureJob, LearnedMemory
from loci_client.types.context_service import AssembledContext
from loci_client.types.scope import SessionReference
from loci_client.types.session import Session, Turn
from loci_client.v1 import session_service_pb2


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SessionPage(Record[session_service_pb2.ListSessionsResponse]):
    """A page of sessions."""

    sessions: tuple[Session, ...] = ()
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> session_service_pb2.ListSessionsResponse:
        return session_service_pb2.ListSessionsResponse()

    @classmethod
    def from_proto(cls, message: session_service_pb2.ListSessionsResponse) -> SessionPage:
        return cls(
            sessions=tuple([Session.from_proto(value) for value in message.sessions]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AppendedTurns(Record[session_service_pb2.AppendTurnsResponse]):
    """Where the turns stand."""

    first_turn: int = 0
    last_turn: int = 0
    replayed: bool = False
    """They stood there already: an earlier call had appended them."""

    @staticmethod
    def _new() -> session_service_pb2.AppendTurnsResponse:
        return session_service_pb2.AppendTurnsResponse()

    @classmethod
    def from_proto(cls, message: session_service_pb2.AppendTurnsResponse) -> AppendedTurns:
        return cls(
            first_turn=message.first_turn,
            last_turn=message.last_turn,
            replayed=message.replayed,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AppendedContext(Record[session_service_pb2.AppendTurnsAndAssembleContextResponse]):
    """Where the turns stand, and the context with them."""

    appended: AppendedTurns
    context: AssembledContext

    @staticmethod
    def _new() -> session_service_pb2.AppendTurnsAndAssembleContextResponse:
        return session_service_pb2.AppendTurnsAndAssembleContextResponse()

    @classmethod
    def from_proto(cls, message: session_service_pb2.AppendTurnsAndAssembleContextResponse) -> AppendedContext:
        return cls(
            appended=AppendedTurns.from_proto(message.appended),
            context=AssembledContext.from_proto(message.context),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CapturedTurns(Record[session_service_pb2.AppendTurnsAndCaptureResponse]):
    """Where the turns stand, and what was learned from them."""

    session: SessionReference
    """With it the conversation is gone on with."""
    appended: AppendedTurns
    captures: tuple[CaptureJob, ...] = ()
    """Of the turns, with their outcomes. One that is not over yet says so in its state."""
    learned: tuple[LearnedMemory, ...] = ()
    """In the order in which it was said. Of captures that are not over yet, nothing."""

    @staticmethod
    def _new() -> session_service_pb2.AppendTurnsAndCaptureResponse:
        return session_service_pb2.AppendTurnsAndCaptureResponse()

    @classmethod
    def from_proto(cls, message: session_service_pb2.AppendTurnsAndCaptureResponse) -> CapturedTurns:
        return cls(
            session=SessionReference.from_proto(message.session),
            appended=AppendedTurns.from_proto(message.appended),
            captures=tuple([CaptureJob.from_proto(value) for value in message.captures]),
            learned=tuple([LearnedMemory.from_proto(value) for value in message.learned]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TurnPage(Record[session_service_pb2.ListTurnsResponse]):
    """A page of turns."""

    turns: tuple[Turn, ...] = ()
    last_turn: int = 0
    """The number of the session's last turn when this page was read."""
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> session_service_pb2.ListTurnsResponse:
        return session_service_pb2.ListTurnsResponse()

    @classmethod
    def from_proto(cls, message: session_service_pb2.ListTurnsResponse) -> TurnPage:
        return cls(
            turns=tuple([Turn.from_proto(value) for value in message.turns]),
            last_turn=message.last_turn,
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TurnDecision(Record[session_service_pb2.TurnDecision]):
    """A choice and why it was made."""

    decision: str = ""
    """Required."""
    rationale: str = ""
    """Required."""
    alternatives: tuple[str, ...] = ()
    """Optional. What else was weighed. At most 100."""

    @staticmethod
    def _new() -> session_service_pb2.TurnDecision:
        return session_service_pb2.TurnDecision()

    @classmethod
    def from_proto(cls, message: session_service_pb2.TurnDecision) -> TurnDecision:
        return cls(
            decision=message.decision,
            rationale=message.rationale,
            alternatives=tuple(message.alternatives),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TurnAction(Record[session_service_pb2.TurnAction]):
    """Something an agent did."""

    type: str = ""
    """Required."""
    result: str = ""
    """Required. What came of it. The first 500 UTF-16 units are kept."""
    details_json: str | None = None
    """Optional. Fields of your own, as a JSON object."""

    @staticmethod
    def _new() -> session_service_pb2.TurnAction:
        return session_service_pb2.TurnAction()

    @classmethod
    def from_proto(cls, message: session_service_pb2.TurnAction) -> TurnAction:
        return cls(
            type=message.type,
            result=message.result,
            details_json=message.details_json if message.HasField("details_json") else None,
        )._from(message)
