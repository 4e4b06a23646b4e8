"""Generated from loci/v1/maintenance.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from loci_client.record import Record
from loci_client.v1 import maintenance_pb2


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MaintenanceProgress(Record[maintenance_pb2.MaintenanceProgress]):
    """How far a job has come."""

    activity: str = ""
    """What is being done, such as "building indexes"."""
    done: float = 0.0
    total: float | None = None
    """Absent when it is not known."""
    rate_per_second: float = 0.0

    @staticmethod
    def _new() -> maintenance_pb2.MaintenanceProgress:
        return maintenance_pb2.MaintenanceProgress()

    @classmethod
    def from_proto(cls, message: maintenance_pb2.MaintenanceProgress) -> MaintenanceProgress:
        return cls(
            activity=message.activity,
            done=message.done,
            total=message.total if message.HasField("total") else None,
            rate_per_second=message.rate_per_second,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MaintenanceFinding(Record[maintenance_pb2.MaintenanceFinding]):
    """One thing a job found or decided, with what it decided by."""

    memory: str = ""
    """The memory's id. Empty when it is not about one memory."""
    reason: str = ""
    """In UPPER_SNAKE, such as "MISSING_ROW"."""
    details: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Numbers and names. Never memory text."""

    @staticmethod
    def _new() -> maintenance_pb2.MaintenanceFinding:
        return maintenance_pb2.MaintenanceFinding()

    @classmethod
    def from_proto(cls, message: maintenance_pb2.MaintenanceFinding) -> MaintenanceFinding:
        return cls(
            memory=message.memory,
            reason=message.reason,
            details=dict(message.details),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MaintenanceReport(Record[maintenance_pb2.MaintenanceReport]):
    """What came of a job: also the receipt of an erasure."""

    job: str = ""
    """The job's type, such as "verify"."""
    dry_run: bool = False
    """Nothing was changed."""
    counts: Mapping[str, float] = field(default_factory=dict, hash=False)
    """By name, such as "archived"."""
    findings: tuple[MaintenanceFinding, ...] = ()
    """The first 1,000."""
    notes: tuple[str, ...] = ()
    """Sentences for people: what could not be proved, what to do next."""

    @staticmethod
    def _new() -> maintenance_pb2.MaintenanceReport:
        return maintenance_pb2.MaintenanceReport()

    @classmethod
    def from_proto(cls, message: maintenance_pb2.MaintenanceReport) -> MaintenanceReport:
        return cls(
            job=message.job,
            dry_run=message.dry_run,
            counts=dict(message.counts),
            findings=tuple([MaintenanceFinding.from_proto(value) for value in message.findings]),
            notes=tuple(message.notes),
        )._from(message)
