"""Generated from loci/v1/context.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from loci_client.record import Record
from loci_client.v1 import context_pb2


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
