"""Generated from loci/v1/operation.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime
from typing import Final, Literal

from loci_client.errors import LociError
from loci_client.record import Record
from loci_client.status import error_from_status
from loci_client.types.maintenance import MaintenanceProgress, MaintenanceReport
from loci_client.v1 import operation_pb2
from loci_client.values import read_time


OperationState = Literal["unspecified", "running", "succeeded", "failed", "cancelled"]
"""How far an operation is."""
OPERATION_STATE_NAMES: Final[dict[int, OperationState]] = {
    0: "unspecified",
    1: "running",
    2: "succeeded",
    3: "failed",
    4: "cancelled",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Operation(Record[operation_pb2.Operation]):
    """Work that outlives the call that started it, and the server that carries it out: every server of the ledger knows
    it. Kept for an hour after its end.
    """

    id: str = ""
    kind: str = ""
    """What kind of work it is, such as "settle"."""
    state: str = "unspecified"
    create_time: datetime.datetime
    end_time: datetime.datetime | None = None
    """Absent while it runs."""
    error: LociError | None = None
    """Why it failed, when it did, with the details of a call that fails."""
    progress: MaintenanceProgress | None = None
    """How far it has come. Absent for work that has no steps."""
    report: MaintenanceReport | None = None
    """The same as `maintenance`, for clients that do not know it."""
    settle: SettleResult | None = None
    """Of settling."""
    maintenance: MaintenanceReport | None = None
    """Of a job that keeps the deployment in order."""

    @staticmethod
    def _new() -> operation_pb2.Operation:
        return operation_pb2.Operation()

    @classmethod
    def from_proto(cls, message: operation_pb2.Operation) -> Operation:
        return cls(
            id=message.id,
            kind=message.kind,
            state=OPERATION_STATE_NAMES.get(message.state) or str(int(message.state)),
            create_time=read_time(message.create_time),
            end_time=read_time(message.end_time) if message.HasField("end_time") else None,
            error=error_from_status(message.error) if message.HasField("error") else None,
            progress=MaintenanceProgress.from_proto(message.progress) if message.HasField("progress") else None,
            report=MaintenanceReport.from_proto(message.report) if message.HasField("report") else None,
            settle=SettleResult.from_proto(message.settle) if message.HasField("settle") else None,
            maintenance=MaintenanceReport.from_proto(message.maintenance) if message.HasField("maintenance") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SettleResult(Record[operation_pb2.SettleResult]):
    """The indexes hold everything that was committed before the call."""


    @staticmethod
    def _new() -> operation_pb2.SettleResult:
        return operation_pb2.SettleResult()

    @classmethod
    def from_proto(cls, message: operation_pb2.SettleResult) -> SettleResult:
        return cls(
        )._from(message)
