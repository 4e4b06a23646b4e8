"""Generated from loci/v1/context.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from loci_client.record import Record
from loci_client.types.context import WATERFALL_MODE_NAMES
from loci_client.v1 import context_pb2


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
