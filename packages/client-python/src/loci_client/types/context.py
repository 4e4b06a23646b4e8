"""Generated from loci/v1/context.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.types.recall import DroppedCandidate, ScoreParts
from loci_client.v1 import context_pb2
from loci_client.values import read_time


ChatRole = Literal["unspecified", "system", "developer", "user", "assistant", "tool"]
"""Who speaks."""
CHAT_ROLE_NAMES: Final[dict[int, ChatRole]] = {
    0: "unspecified",
    1: "system",
    2: "developer",
    3: "user",
    4: "assistant",
    5: "tool",
}


WaterfallMode = Literal["unspecified", "fill", "cascade", "last", "sequential"]
"""How unused tokens flow from one section to the next."""
WATERFALL_MODE_NAMES: Final[dict[int, WaterfallMode]] = {
    0: "unspecified",
    1: "fill",
    2: "cascade",
    3: "last",
    4: "sequential",
}


RankProfile = Literal["unspecified", "conversation", "rag"]
"""Whether knowledge or history is cut first."""
RANK_PROFILE_NAMES: Final[dict[int, RankProfile]] = {
    0: "unspecified",
    1: "conversation",
    2: "rag",
}


UsageRecording = Literal["unspecified", "kept", "none"]
"""Whether using memories in a context counts as access."""
USAGE_RECORDING_NAMES: Final[dict[int, UsageRecording]] = {
    0: "unspecified",
    1: "kept",
    2: "none",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ChatMessage(Record[context_pb2.ChatMessage]):
    """One message of a conversation, as the OpenAI chat API has it."""

    role: str = "unspecified"
    """Required."""
    content: str | None = None
    """Plain text."""
    parts: tuple[ContentPart, ...] | None = None
    """Text and images."""
    name: str | None = None
    """Optional."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Optional."""
    tool_call_id: str | None = None
    """Required for CHAT_ROLE_TOOL: the call this is the result of."""
    id: str | None = None
    """Optional. An id of your own: with it the message's tokens are counted once."""

    @staticmethod
    def _new() -> context_pb2.ChatMessage:
        return context_pb2.ChatMessage()

    @classmethod
    def from_proto(cls, message: context_pb2.ChatMessage) -> ChatMessage:
        return cls(
            role=CHAT_ROLE_NAMES.get(message.role) or str(int(message.role)),
            content=message.content if message.HasField("content") else None,
            parts=tuple([ContentPart.from_proto(value) for value in message.parts.parts]) if message.HasField("parts") else None,
            name=message.name if message.HasField("name") else None,
            tool_calls=tuple([ToolCall.from_proto(value) for value in message.tool_calls]),
            tool_call_id=message.tool_call_id if message.HasField("tool_call_id") else None,
            id=message.id if message.HasField("id") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ContentPart(Record[context_pb2.ContentPart]):
    """Text or an image."""

    text: str | None = None
    """Text."""
    image_url: ImageUrl | None = None
    """An image by its address."""

    @staticmethod
    def _new() -> context_pb2.ContentPart:
        return context_pb2.ContentPart()

    @classmethod
    def from_proto(cls, message: context_pb2.ContentPart) -> ContentPart:
        return cls(
            text=message.text if message.HasField("text") else None,
            image_url=ImageUrl.from_proto(message.image_url) if message.HasField("image_url") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ImageUrl(Record[context_pb2.ImageUrl]):
    """An image by its address."""

    url: str = ""
    """Required."""
    detail: str | None = None
    """Optional. "auto", "low" or "high"."""

    @staticmethod
    def _new() -> context_pb2.ImageUrl:
        return context_pb2.ImageUrl()

    @classmethod
    def from_proto(cls, message: context_pb2.ImageUrl) -> ImageUrl:
        return cls(
            url=message.url,
            detail=message.detail if message.HasField("detail") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ToolCall(Record[context_pb2.ToolCall]):
    """The model asks for a function to be called."""

    id: str = ""
    """Required."""
    name: str = ""
    """Required."""
    arguments: str = ""
    """Required. JSON, as the model wrote it."""

    @staticmethod
    def _new() -> context_pb2.ToolCall:
        return context_pb2.ToolCall()

    @classmethod
    def from_proto(cls, message: context_pb2.ToolCall) -> ToolCall:
        return cls(
            id=message.id,
            name=message.name,
            arguments=message.arguments,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class WindowOverrides(Record[context_pb2.WindowOverrides]):
    """Changes to the window's budgets, all in tokens."""

    sections: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Optional. Base budget by section name."""
    query: int | None = None
    """Optional. Reserved for the query."""
    response: int | None = None
    """Optional. Reserved for the answer."""
    safety_buffer: int | None = None
    """Optional. Kept free."""
    scale_to: int | None = None
    """Optional. Scales every part so that the whole window is this large."""
    fill_window: bool | None = None
    """Optional. Scales every part to the model's whole window."""
    preset: str | None = None
    """Optional. "4K", "8K" or "128K": budgets of this size and no more, whatever the model takes."""
    max_tokens: int | None = None
    """Optional. The most the whole window may take. Default: what the model takes."""

    @staticmethod
    def _new() -> context_pb2.WindowOverrides:
        return context_pb2.WindowOverrides()

    @classmethod
    def from_proto(cls, message: context_pb2.WindowOverrides) -> WindowOverrides:
        return cls(
            sections=dict(message.sections),
            query=message.query if message.HasField("query") else None,
            response=message.response if message.HasField("response") else None,
            safety_buffer=message.safety_buffer if message.HasField("safety_buffer") else None,
            scale_to=message.scale_to if message.HasField("scale_to") else None,
            fill_window=message.fill_window if message.HasField("fill_window") else None,
            preset=message.preset if message.HasField("preset") else None,
            max_tokens=message.max_tokens if message.HasField("max_tokens") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LayoutDefinition(Record[context_pb2.LayoutDefinition]):
    """Which sections a context has, in the order they stand in it."""

    name: str = ""
    """Required. 1 to 64 characters."""
    rendering: str | None = None
    """Optional. "xml" (default) or "markdown"."""
    mode: str = "unspecified"
    """Optional. Default WATERFALL_MODE_FILL."""
    total_tokens: int | None = None
    """Optional. What all sections take together. Default: the sum of their bases."""
    tokenizer: str | None = None
    """Optional. Counts with this instead of the model's tokenizer: "approx", "o200k_base" or "cl100k_base"."""
    memory_form: str | None = None
    """Optional. "element" or "list"."""
    sections: tuple[SectionDefinition, ...] = ()
    """Required. At least one for given text."""

    @staticmethod
    def _new() -> context_pb2.LayoutDefinition:
        return context_pb2.LayoutDefinition()

    @classmethod
    def from_proto(cls, message: context_pb2.LayoutDefinition) -> LayoutDefinition:
        return cls(
            name=message.name,
            rendering=message.rendering if message.HasField("rendering") else None,
            mode=WATERFALL_MODE_NAMES.get(message.mode) or str(int(message.mode)),
            total_tokens=message.total_tokens if message.HasField("total_tokens") else None,
            tokenizer=message.tokenizer if message.HasField("tokenizer") else None,
            memory_form=message.memory_form if message.HasField("memory_form") else None,
            sections=tuple([SectionDefinition.from_proto(value) for value in message.sections]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SectionDefinition(Record[context_pb2.SectionDefinition]):
    """One section of a layout. Amounts in tokens."""

    name: str = ""
    """Required. Unique. "a-z", "0-9", "_" and "-", beginning with a letter."""
    title: str | None = None
    """Optional. Its heading in Markdown. Default: the name in words."""
    source: str = ""
    """Required. What it is filled from, such as "system", "history", "knowledge" or "file:NOTES.md"."""
    shortening: str = ""
    """Required. "never", "characters", "sentences", "items" or "history"."""
    rank: int | None = None
    """The same in every profile."""
    ranks: ProfileRanks | None = None
    """One for each profile."""
    base: int | None = None
    """Optional. Base budget. Default: what the model's window has for this kind of section."""
    max: int | None = None
    """Optional. The most it may get. Only in WATERFALL_MODE_SEQUENTIAL."""
    floor: int | None = None
    """Optional. What earlier sections leave for it. Only in WATERFALL_MODE_SEQUENTIAL."""
    max_items: int | None = None
    """Optional. For memories: the most of them."""
    max_procedures: int | None = None
    """Optional. For memories: the most procedures to follow."""

    @staticmethod
    def _new() -> context_pb2.SectionDefinition:
        return context_pb2.SectionDefinition()

    @classmethod
    def from_proto(cls, message: context_pb2.SectionDefinition) -> SectionDefinition:
        return cls(
            name=message.name,
            title=message.title if message.HasField("title") else None,
            source=message.source,
            shortening=message.shortening,
            rank=message.rank if message.HasField("rank") else None,
            ranks=ProfileRanks.from_proto(message.ranks) if message.HasField("ranks") else None,
            base=message.base if message.HasField("base") else None,
            max=message.max if message.HasField("max") else None,
            floor=message.floor if message.HasField("floor") else None,
            max_items=message.max_items if message.HasField("max_items") else None,
            max_procedures=message.max_procedures if message.HasField("max_procedures") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ProfileRanks(Record[context_pb2.ProfileRanks]):
    """A rank for each profile."""

    conversation: int = 0
    """Required."""
    rag: int = 0
    """Required."""

    @staticmethod
    def _new() -> context_pb2.ProfileRanks:
        return context_pb2.ProfileRanks()

    @classmethod
    def from_proto(cls, message: context_pb2.ProfileRanks) -> ProfileRanks:
        return cls(
            conversation=message.conversation,
            rag=message.rag,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LayeredFiles(Record[context_pb2.LayeredFiles]):
    """Texts of files a layout shows."""

    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Optional. By name, for sections with the source "file:NAME"."""
    team_files: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Optional. By name, for sections with the source "teamFile:NAME"."""
    days: tuple[DayLog, ...] = ()
    """Optional. Daily logs, for a section with the source "days"."""

    @staticmethod
    def _new() -> context_pb2.LayeredFiles:
        return context_pb2.LayeredFiles()

    @classmethod
    def from_proto(cls, message: context_pb2.LayeredFiles) -> LayeredFiles:
        return cls(
            files=dict(message.files),
            team_files=dict(message.team_files),
            days=tuple([DayLog.from_proto(value) for value in message.days]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class DayLog(Record[context_pb2.DayLog]):
    """What was written down on one day."""

    date: str = ""
    """Required. As yyyy-mm-dd."""
    text: str = ""
    """Required."""

    @staticmethod
    def _new() -> context_pb2.DayLog:
        return context_pb2.DayLog()

    @classmethod
    def from_proto(cls, message: context_pb2.DayLog) -> DayLog:
        return cls(
            date=message.date,
            text=message.text,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AssembledSection(Record[context_pb2.AssembledSection]):
    """One section as it stands in the text."""

    name: str = ""
    content: str = ""
    """Without its delimiters."""
    tokens: int = 0
    """With its delimiters."""

    @staticmethod
    def _new() -> context_pb2.AssembledSection:
        return context_pb2.AssembledSection()

    @classmethod
    def from_proto(cls, message: context_pb2.AssembledSection) -> AssembledSection:
        return cls(
            name=message.name,
            content=message.content,
            tokens=message.tokens,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AssemblyWarning(Record[context_pb2.AssemblyWarning]):
    """A hint that something could be better."""

    reason: str = ""
    """In UPPER_SNAKE, such as UNKNOWN_MODEL."""
    section: str | None = None
    message: str = ""
    advice: str = ""

    @staticmethod
    def _new() -> context_pb2.AssemblyWarning:
        return context_pb2.AssemblyWarning()

    @classmethod
    def from_proto(cls, message: context_pb2.AssemblyWarning) -> AssemblyWarning:
        return cls(
            reason=message.reason,
            section=message.section if message.HasField("section") else None,
            message=message.message,
            advice=message.advice,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CachePlan(Record[context_pb2.CachePlan]):
    """What a prompt cache needs to know."""

    stable_prefix_hash: str = ""
    """SHA-256 of the stable prefix, lower-case hex."""
    stable_prefix_tokens: int = 0
    stable_prefix_length: int = 0
    """In UTF-16 units of the text."""
    breakpoint_after: str | None = None
    """The last section that is wholly stable."""

    @staticmethod
    def _new() -> context_pb2.CachePlan:
        return context_pb2.CachePlan()

    @classmethod
    def from_proto(cls, message: context_pb2.CachePlan) -> CachePlan:
        return cls(
            stable_prefix_hash=message.stable_prefix_hash,
            stable_prefix_tokens=message.stable_prefix_tokens,
            stable_prefix_length=message.stable_prefix_length,
            breakpoint_after=message.breakpoint_after if message.HasField("breakpoint_after") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TokenUsage(Record[context_pb2.TokenUsage]):
    """How many tokens the context takes."""

    total_tokens: int = 0
    """Tokens of the text."""
    budget_tokens: int = 0
    """What text and messages may take each."""
    query_tokens: int = 0
    response_tokens: int = 0
    """Reserved for the answer."""
    messages_tokens: int = 0
    """Tokens of the messages, with OpenAI's framing."""

    @staticmethod
    def _new() -> context_pb2.TokenUsage:
        return context_pb2.TokenUsage()

    @classmethod
    def from_proto(cls, message: context_pb2.TokenUsage) -> TokenUsage:
        return cls(
            total_tokens=message.total_tokens,
            budget_tokens=message.budget_tokens,
            query_tokens=message.query_tokens,
            response_tokens=message.response_tokens,
            messages_tokens=message.messages_tokens,
        )._from(message)


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
