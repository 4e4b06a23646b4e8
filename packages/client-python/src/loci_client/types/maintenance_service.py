"""Generated from loci/v1/maintenance_service.proto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from loci_client.record import Record
from loci_client.v1 import maintenance_service_pb2


ExportPart = Literal["unspecified", "memories", "blocks", "sessions", "captures"]
"""A part of what is kept for a tenant."""
EXPORT_PART_NAMES: Final[dict[int, ExportPart]] = {
    0: "unspecified",
    1: "memories",
    2: "blocks",
    3: "sessions",
    4: "captures",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ExportPage(Record[maintenance_service_pb2.ExportMemoriesResponse]):
    """A stretch of an export."""

    lines: tuple[str, ...] = ()
    """One JSON object each, without a line break."""
    next_page_token: str = ""
    """Empty at the end."""

    @staticmethod
    def _new() -> maintenance_service_pb2.ExportMemoriesResponse:
        return maintenance_service_pb2.ExportMemoriesResponse()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.ExportMemoriesResponse) -> ExportPage:
        return cls(
            lines=tuple(message.lines),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ImportResult(Record[maintenance_service_pb2.ImportMemoriesResponse]):
    """What came of them."""

    imported_count: int = 0
    """Stored now."""
    unchanged_count: int = 0
    """There already."""
    erased_count: int = 0
    """Erased here before, and so not stored."""
    left_out: tuple[LeftOutLine, ...] = ()
    """Those that hold what former versions stored and nobody may store any more: a text of nothing but white space, a
    name with characters that cannot be seen.
    """

    @staticmethod
    def _new() -> maintenance_service_pb2.ImportMemoriesResponse:
        return maintenance_service_pb2.ImportMemoriesResponse()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.ImportMemoriesResponse) -> ImportResult:
        return cls(
            imported_count=message.imported_count,
            unchanged_count=message.unchanged_count,
            erased_count=message.erased_count,
            left_out=tuple([LeftOutLine.from_proto(value) for value in message.left_out]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LeftOutLine(Record[maintenance_service_pb2.LeftOutLine]):
    """A line of an export that was not taken back."""

    index: int = 0
    """Among the lines given, from 0."""
    reason: str = ""
    """In UPPER_SNAKE, such as INVALID_TEXT."""
    problem: str = ""
    """Which field it is, and what is wrong with it."""

    @staticmethod
    def _new() -> maintenance_service_pb2.LeftOutLine:
        return maintenance_service_pb2.LeftOutLine()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.LeftOutLine) -> LeftOutLine:
        return cls(
            index=message.index,
            reason=message.reason,
            problem=message.problem,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ExportedRecord(Record[maintenance_service_pb2.ExportRecordsResponse]):
    """A line of an export."""

    type: str = ""
    """What the line is of: memory, blockSchema, block, edit, session, turn, turnState, capture or evidence."""
    line: str = ""
    """A JSON object without a line break. ImportRecords takes it."""
    place: str = ""
    """Where the export goes on behind this line. Means something to the same ledger only."""

    @staticmethod
    def _new() -> maintenance_service_pb2.ExportRecordsResponse:
        return maintenance_service_pb2.ExportRecordsResponse()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.ExportRecordsResponse) -> ExportedRecord:
        return cls(
            type=message.type,
            line=message.line,
            place=message.place,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ImportedRecords(Record[maintenance_service_pb2.ImportRecordsResponse]):
    """What came of them."""

    counts: tuple[ImportedCount, ...] = ()
    """Of each type that had a line."""
    left_out: tuple[LeftOutLine, ...] = ()
    """Lines that could not be taken back, in their order."""

    @staticmethod
    def _new() -> maintenance_service_pb2.ImportRecordsResponse:
        return maintenance_service_pb2.ImportRecordsResponse()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.ImportRecordsResponse) -> ImportedRecords:
        return cls(
            counts=tuple([ImportedCount.from_proto(value) for value in message.counts]),
            left_out=tuple([LeftOutLine.from_proto(value) for value in message.left_out]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ImportedCount(Record[maintenance_service_pb2.ImportedCount]):
    """What came of the lines of one type."""

    type: str = ""
    """As in ExportRecordsResponse."""
    imported_count: int = 0
    """Stored now."""
    unchanged_count: int = 0
    """There already."""
    erased_count: int = 0
    """Erased here before, and so not stored."""

    @staticmethod
    def _new() -> maintenance_service_pb2.ImportedCount:
        return maintenance_service_pb2.ImportedCount()

    @classmethod
    def from_proto(cls, message: maintenance_service_pb2.ImportedCount) -> ImportedCount:
        return cls(
            type=message.type,
            imported_count=message.imported_count,
            unchanged_count=message.unchanged_count,
            erased_count=message.erased_count,
        )._from(message)
