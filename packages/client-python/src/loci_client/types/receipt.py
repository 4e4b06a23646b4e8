"""Generated from loci/v1/context.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime

from loci_client.record import Record
from loci_client.types.context import RANK_PROFILE_NAMES, WATERFALL_MODE_NAMES
from loci_client.types.recall import DroppedCandidate, ScoreParts
from loci_client.v1 import context_pb2
from loci_client.values import read_time


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Receipt(Record[context_pb2.Receipt]):
    """Explains an assembly: what was kept, shortened or dropped, and why."""

    layout: str = ""
    profile: str = "unspecified"
    mode: str = "unspecified"
    model: str | None = None
    tokenizer: str = ""
    """The counter's id."""
    estimated: bool = False
    """True when the model's own tokenizer is not public."""
    window: WindowReceipt
    evaluation_time: datetime.datetime
    sections: tuple[SectionReceipt, ...] = ()
    """In layout order."""
    items: tuple[ItemReceipt, ...] = ()
    dropped_candidates: tuple[DroppedCandidate, ...] = ()
    """Only with explain."""
    stable_prefix_hash: str = ""
    check: ReceiptCheck | None = None
    """By the model's own tokenizer, when the layout counts with another."""

    @staticmethod
    def _new() -> context_pb2.Receipt:
        return context_pb2.Receipt()

    @classmethod
    def from_proto(cls, message: context_pb2.Receipt) -> Receipt:
        return cls(
            layout=message.layout,
            profile=RANK_PROFILE_NAMES.get(message.profile) or str(int(message.profile)),
            mode=WATERFALL_MODE_NAMES.get(message.mode) or str(int(message.mode)),
            model=message.model if message.HasField("model") else None,
            tokenizer=message.tokenizer,
            estimated=message.estimated,
            window=WindowReceipt.from_proto(message.window),
            evaluation_time=read_time(message.evaluation_time),
            sections=tuple([SectionReceipt.from_proto(value) for value in message.sections]),
            items=tuple([ItemReceipt.from_proto(value) for value in message.items]),
            dropped_candidates=tuple([DroppedCandidate.from_proto(value) for value in message.dropped_candidates]),
            stable_prefix_hash=message.stable_prefix_hash,
            check=ReceiptCheck.from_proto(message.check) if message.HasField("check") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ReceiptCheck(Record[context_pb2.ReceiptCheck]):
    """A context counted a second time."""

    tokenizer: str = ""
    """The counter's id."""
    estimated: bool = False
    total_tokens: int = 0
    messages_tokens: int = 0
    budget_tokens: int = 0
    """What each form may take."""

    @staticmethod
    def _new() -> context_pb2.ReceiptCheck:
        return context_pb2.ReceiptCheck()

    @classmethod
    def from_proto(cls, message: context_pb2.ReceiptCheck) -> ReceiptCheck:
        return cls(
            tokenizer=message.tokenizer,
            estimated=message.estimated,
            total_tokens=message.total_tokens,
            messages_tokens=message.messages_tokens,
            budget_tokens=message.budget_tokens,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class WindowReceipt(Record[context_pb2.WindowReceipt]):
    """The window's parts, in tokens."""

    preset: str = ""
    total_tokens: int = 0
    sections_tokens: int = 0
    query_tokens: int = 0
    response_tokens: int = 0
    safety_buffer_tokens: int = 0
    unused_tokens: int = 0
    """What the dearest form leaves of sections and query."""

    @staticmethod
    def _new() -> context_pb2.WindowReceipt:
        return context_pb2.WindowReceipt()

    @classmethod
    def from_proto(cls, message: context_pb2.WindowReceipt) -> WindowReceipt:
        return cls(
            preset=message.preset,
            total_tokens=message.total_tokens,
            sections_tokens=message.sections_tokens,
            query_tokens=message.query_tokens,
            response_tokens=message.response_tokens,
            safety_buffer_tokens=message.safety_buffer_tokens,
            unused_tokens=message.unused_tokens,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SectionReceipt(Record[context_pb2.SectionReceipt]):
    """A section's share of the window."""

    name: str = ""
    rank: int = 0
    base_tokens: int = 0
    granted_tokens: int = 0
    needed_tokens: int = 0
    used_tokens: int = 0
    utilization: float = 0.0
    """The used share of budget_tokens."""
    budget_tokens: int = 0
    """What it could take."""

    @staticmethod
    def _new() -> context_pb2.SectionReceipt:
        return context_pb2.SectionReceipt()

    @classmethod
    def from_proto(cls, message: context_pb2.SectionReceipt) -> SectionReceipt:
        return cls(
            name=message.name,
            rank=message.rank,
            base_tokens=message.base_tokens,
            granted_tokens=message.granted_tokens,
            needed_tokens=message.needed_tokens,
            used_tokens=message.used_tokens,
            utilization=message.utilization,
            budget_tokens=message.budget_tokens,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ItemReceipt(Record[context_pb2.ItemReceipt]):
    """What was considered for the window. Messages that follow one another and were left out for the same reason are
    one item.
    """

    id: str = ""
    """Memory id, "summary:SECTION", "text:SECTION", or "message:N" by position in the request, of several messages
    "messages:FIRST-LAST", such as "messages:0-1499".
    """
    kind: str = ""
    """"memory", "message", "summary" or "text"."""
    section: str = ""
    outcome: str = ""
    """"kept", "shortened" or "dropped"."""
    tokens: int = 0
    """As rendered; 0 when dropped."""
    whole_tokens: int = 0
    """What it would have taken whole; of several messages, all together."""
    reason: str | None = None
    """In UPPER_SNAKE, such as SECTION_FULL."""
    source: str | None = None
    """For memories."""
    score: float | None = None
    """For memories."""
    parts: ScoreParts | None = None
    """For memories."""
    count: int | None = None
    """How many messages it stands for, when more than one."""

    @staticmethod
    def _new() -> context_pb2.ItemReceipt:
        return context_pb2.ItemReceipt()

    @classmethod
    def from_proto(cls, message: context_pb2.ItemReceipt) -> ItemReceipt:
        return cls(
            id=message.id,
            kind=message.kind,
            section=message.section,
            outcome=message.outcome,
            tokens=message.tokens,
            whole_tokens=message.whole_tokens,
            reason=message.reason if message.HasField("reason") else None,
            source=message.source if message.HasField("source") else None,
            score=message.score if message.HasField("score") else None,
            parts=ScoreParts.from_proto(message.parts) if message.HasField("parts") else None,
            count=message.count if message.HasField("count") else None,
        )._from(message)
