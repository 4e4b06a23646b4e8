"""Generated from loci/v1/capture.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.types.memory import Memory
from loci_client.types.scope import SessionReference
from loci_client.v1 import capture_pb2
from loci_client.values import read_time


CaptureExtractor = Literal["unspecified", "auto", "rules", "model"]
"""Who finds what is worth remembering."""
CAPTURE_EXTRACTOR_NAMES: Final[dict[int, CaptureExtractor]] = {
    0: "unspecified",
    1: "auto",
    2: "rules",
    3: "model",
}


CaptureState = Literal["unspecified", "queued", "running", "succeeded", "failed", "dead", "undone", "cancelled"]
"""Where a capture is."""
CAPTURE_STATE_NAMES: Final[dict[int, CaptureState]] = {
    0: "unspecified",
    1: "queued",
    2: "running",
    3: "succeeded",
    4: "failed",
    5: "dead",
    6: "undone",
    7: "cancelled",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureJob(Record[capture_pb2.CaptureJob]):
    """The making of memories from one stretch of a session."""

    id: str = ""
    """Made from session, turns and options: the same request is the same job."""
    etag: str = ""
    session: SessionReference
    first_turn: int = 0
    """Number of the first turn."""
    last_turn: int = 0
    """Number of the last turn."""
    project_scope: Scope | None = None
    """Where statements on the project belong."""
    extractor: str = "unspecified"
    state: str = "unspecified"
    attempts: int = 0
    """How often it was tried."""
    problem: str | None = None
    """Why it failed the last time."""
    create_time: datetime.datetime
    update_time: datetime.datetime
    outcome: CaptureOutcome | None = None
    """What came of it. Lists leave it out."""
    undone: CaptureUndone | None = None
    """Of one that was undone."""

    @staticmethod
    def _new() -> capture_pb2.CaptureJob:
        return capture_pb2.CaptureJob()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureJob) -> CaptureJob:
        return cls(
            id=message.id,
            etag=message.etag,
            session=SessionReference.from_proto(message.session),
            first_turn=message.first_turn,
            last_turn=message.last_turn,
            project_scope=Scope.from_proto(message.project_scope) if message.HasField("project_scope") else None,
            extractor=CAPTURE_EXTRACTOR_NAMES.get(message.extractor) or str(int(message.extractor)),
            state=CAPTURE_STATE_NAMES.get(message.state) or str(int(message.state)),
            attempts=message.attempts,
            problem=message.problem if message.HasField("problem") else None,
            create_time=read_time(message.create_time),
            update_time=read_time(message.update_time),
            outcome=CaptureOutcome.from_proto(message.outcome) if message.HasField("outcome") else None,
            undone=CaptureUndone.from_proto(message.undone) if message.HasField("undone") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureOutcome(Record[capture_pb2.CaptureOutcome]):
    """What a capture made of its turns."""

    by_model: bool = False
    """A model has done it, and not rules."""
    is_fallback: bool = False
    """A model was asked, and did not answer as it has to: rules have done it."""
    model: str | None = None
    """The model's name, where one was asked."""
    candidates: tuple[CaptureCandidate, ...] = ()
    """In the order of the statements."""
    model_problem: str | None = None
    """Why the model could not be relied upon."""
    usage: CaptureModelUsage | None = None
    """What the model was asked took, calls included that were in vain."""
    unread: tuple[UnreadWords, ...] = ()
    """What was not read of the user's turns, and why."""

    @staticmethod
    def _new() -> capture_pb2.CaptureOutcome:
        return capture_pb2.CaptureOutcome()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureOutcome) -> CaptureOutcome:
        return cls(
            by_model=message.by_model,
            is_fallback=message.is_fallback,
            model=message.model if message.HasField("model") else None,
            candidates=tuple([CaptureCandidate.from_proto(value) for value in message.candidates]),
            model_problem=message.model_problem if message.HasField("model_problem") else None,
            usage=CaptureModelUsage.from_proto(message.usage) if message.HasField("usage") else None,
            unread=tuple([UnreadWords.from_proto(value) for value in message.unread]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class UnreadWords(Record[capture_pb2.UnreadWords]):
    """Words in a user's turn of which the rules have made nothing, as they take them for somebody else's, or do not
    know their language.
    """

    turn: int = 0
    """The number of the turn."""
    reason: str = ""
    """"RECALLED", "TOO_LONG", "PASTED", "TEXT_TO_WORK_ON", "PROGRAM" or "OTHER_LANGUAGE"."""
    units: int = 0
    """How many there are, in UTF-16 units without white space."""

    @staticmethod
    def _new() -> capture_pb2.UnreadWords:
        return capture_pb2.UnreadWords()

    @classmethod
    def from_proto(cls, message: capture_pb2.UnreadWords) -> UnreadWords:
        return cls(
            turn=message.turn,
            reason=message.reason,
            units=message.units,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureModelUsage(Record[capture_pb2.CaptureModelUsage]):
    """What the model calls of a capture used."""

    calls: int = 0
    input_tokens: int = 0
    """All of the input, what came from the provider's cache included."""
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In dollars. Absent: the model's price is not known."""

    @staticmethod
    def _new() -> capture_pb2.CaptureModelUsage:
        return capture_pb2.CaptureModelUsage()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureModelUsage) -> CaptureModelUsage:
        return cls(
            calls=message.calls,
            input_tokens=message.input_tokens,
            cached_input_tokens=message.cached_input_tokens,
            output_tokens=message.output_tokens,
            cost=message.cost if message.HasField("cost") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureCandidate(Record[capture_pb2.CaptureCandidate]):
    """What capture made of a statement, whether it is remembered or not."""

    is_instinct: bool = False
    """How the assistant is to behave, and not what is so."""
    category: str = ""
    text: str = ""
    """In the third person. Empty when it was refused for what it holds, or erased; and, as are the value and the quotes
    of the evidence, to who may not approve, when it waits for approval or was rejected.
    """
    slot: str | None = None
    value: str | None = None
    scope: str = ""
    """As text, such as "user:alice"."""
    state: str = ""
    """"active", "quarantined" or "rejected"."""
    decision: str | None = None
    """"ADD", "UPDATE", "DELETE" or "NOOP". Absent for one that was rejected."""
    target: str | None = None
    """The memory that the decision is about."""
    reason: str | None = None
    """Why it was refused or held back, in UPPER_SNAKE."""
    evidence: tuple[CaptureEvidence, ...] = ()
    importance: float = 0.0
    """0 to 1."""
    is_static: bool = False
    """Never fades."""
    is_correction: bool = False
    """It corrects what the assistant did."""
    tags: tuple[str, ...] = ()
    valid_from: datetime.datetime | None = None
    """From when on it holds, where that was said."""
    memory: str | None = None
    """The memory that was written for it."""
    valid_to: datetime.datetime | None = None
    """Until when it holds, where that was said: what is planned for a day is over behind it."""

    @staticmethod
    def _new() -> capture_pb2.CaptureCandidate:
        return capture_pb2.CaptureCandidate()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureCandidate) -> CaptureCandidate:
        return cls(
            is_instinct=message.is_instinct,
            category=message.category,
            text=message.text,
            slot=message.slot if message.HasField("slot") else None,
            value=message.value if message.HasField("value") else None,
            scope=message.scope,
            state=message.state,
            decision=message.decision if message.HasField("decision") else None,
            target=message.target if message.HasField("target") else None,
            reason=message.reason if message.HasField("reason") else None,
            evidence=tuple([CaptureEvidence.from_proto(value) for value in message.evidence]),
            importance=message.importance,
            is_static=message.is_static,
            is_correction=message.is_correction,
            tags=tuple(message.tags),
            valid_from=read_time(message.valid_from) if message.HasField("valid_from") else None,
            memory=message.memory if message.HasField("memory") else None,
            valid_to=read_time(message.valid_to) if message.HasField("valid_to") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureEvidence(Record[capture_pb2.CaptureEvidence]):
    """Words of a turn, as offsets in UTF-16 units of its own text."""

    turn: int = 0
    """The number of the turn."""
    start: int = 0
    end: int = 0
    """Exclusive."""
    quote: str = ""
    """The words that stand there, without secrets and personal data."""

    @staticmethod
    def _new() -> capture_pb2.CaptureEvidence:
        return capture_pb2.CaptureEvidence()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureEvidence) -> CaptureEvidence:
        return cls(
            turn=message.turn,
            start=message.start,
            end=message.end,
            quote=message.quote,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CaptureUndone(Record[capture_pb2.CaptureUndone]):
    """What undoing a capture did."""

    forgotten: tuple[str, ...] = ()
    """Added memories that are forgotten now."""
    reopened: tuple[str, ...] = ()
    """Closed memories that hold again."""
    skipped: tuple[str, ...] = ()
    """What was changed since, and left alone."""

    @staticmethod
    def _new() -> capture_pb2.CaptureUndone:
        return capture_pb2.CaptureUndone()

    @classmethod
    def from_proto(cls, message: capture_pb2.CaptureUndone) -> CaptureUndone:
        return cls(
            forgotten=tuple(message.forgotten),
            reopened=tuple(message.reopened),
            skipped=tuple(message.skipped),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryEvidence(Record[capture_pb2.MemoryEvidence]):
    """Words of a session that a memory rests on."""

    memory: str = ""
    session: SessionReference
    turn: int = 0
    """The number of the turn."""
    start: int = 0
    """In UTF-16 units of the turn."""
    end: int = 0
    """Exclusive."""
    say_time: datetime.datetime
    """When it was said."""
    capture: str = ""
    """The capture that has found it."""

    @staticmethod
    def _new() -> capture_pb2.MemoryEvidence:
        return capture_pb2.MemoryEvidence()

    @classmethod
    def from_proto(cls, message: capture_pb2.MemoryEvidence) -> MemoryEvidence:
        return cls(
            memory=message.memory,
            session=SessionReference.from_proto(message.session),
            turn=message.turn,
            start=message.start,
            end=message.end,
            say_time=read_time(message.say_time),
            capture=message.capture,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryReview(Record[capture_pb2.MemoryReview]):
    """A memory that waits for somebody who may approve."""

    id: str = ""
    memory: Memory
    reason: str = ""
    """Why it waits, in UPPER_SNAKE."""
    replaces: str | None = None
    """The memory whose place it takes when it is approved."""
    capture: str | None = None
    """The capture that it came of."""
    create_time: datetime.datetime

    @staticmethod
    def _new() -> capture_pb2.MemoryReview:
        return capture_pb2.MemoryReview()

    @classmethod
    def from_proto(cls, message: capture_pb2.MemoryReview) -> MemoryReview:
        return cls(
            id=message.id,
            memory=Memory.from_proto(message.memory),
            reason=message.reason,
            replaces=message.replaces if message.HasField("replaces") else None,
            capture=message.capture if message.HasField("capture") else None,
            create_time=read_time(message.create_time),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LearnedMemory(Record[capture_pb2.LearnedMemory]):
    """What is remembered of a statement in turns that were captured."""

    decision: str = ""
    """ADD, UPDATE, DELETE or NOOP."""
    memory: Memory | None = None
    """The memory that says it, as it is now; for NOOP the one that said it before. One that is quarantined waits for a
    review. Absent for DELETE, and for one that was forgotten since or that the caller may not see.
    """
    closed: Memory | None = None
    """The memory that holds no more: which memory took the place of, or which was only ended."""

    @staticmethod
    def _new() -> capture_pb2.LearnedMemory:
        return capture_pb2.LearnedMemory()

    @classmethod
    def from_proto(cls, message: capture_pb2.LearnedMemory) -> LearnedMemory:
        return cls(
            decision=message.decision,
            memory=Memory.from_proto(message.memory) if message.HasField("memory") else None,
            closed=Memory.from_proto(message.closed) if message.HasField("closed") else None,
        )._from(message)
