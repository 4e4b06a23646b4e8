# Generated from ../asynchronous/maintenance.py by `npm run generate`.
"""Keeping a deployment in order."""

from __future__ import annotations

from collections.abc import Generator, Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from loci_client import v1
from loci_client.synchronous.calls import Calls
from loci_client.synchronous.operations import Operations, RunningOperation
from loci_client.synchronous.pages import Pages
from loci_client.errors import LociError, make_error
from loci_client.fill import fill, listed
from loci_client.method import Method
from loci_client.scope import Scope
from loci_client.types import (
    ExportedRecord,
    ExportPage,
    ExportPart,
    ImportedRecords,
    ImportResult,
    MaintenanceProgress,
    MaintenanceReport,
    Operation,
)

_SERVICE = "MaintenanceService"
_START: Method[v1.StartMaintenanceResponse] = Method(_SERVICE, "StartMaintenance")
_EXPORT: Method[v1.ExportMemoriesResponse] = Method(_SERVICE, "ExportMemories")
_IMPORT: Method[v1.ImportMemoriesResponse] = Method(_SERVICE, "ImportMemories")
_EXPORT_RECORDS: Method[v1.ExportRecordsResponse] = Method(_SERVICE, "ExportRecords")
_IMPORT_RECORDS: Method[v1.ImportRecordsResponse] = Method(_SERVICE, "ImportRecords")

_CANCEL_SECONDS = 2.0

OnProgress = Callable[[MaintenanceProgress], None]


class Maintenance:
    """Jobs that keep a deployment in order.

    Each needs the role admin; `reindex`, `compact`, `encrypt` and `backup` concern every tenant and need operate. A job gives its
    report when it is over, however long that takes: `timeout` limits the wait. When the wait ends before the job, the
    job is cancelled; `start` gives an operation that goes on. With `dry_run` nothing is changed.
    """

    def __init__(self, calls: Calls, operations: Operations) -> None:
        self._calls = calls
        self._operations = operations

    def start(
        self, job: Mapping[str, Mapping[str, object]], *, dry_run: bool = False, timeout: float | None = None
    ) -> RunningOperation:
        """Starts a job without waiting for its end. Sent once, because starting twice would do the work twice.

        Args:
            job: Its name and its arguments: `{"verify": {"repair": True}}`.
        """
        request = fill(v1.StartMaintenanceRequest(validate_only=dry_run), {"job": job or None})
        response = self._calls.unary(_START, request, timeout, is_repeatable=False)
        return self._operations.running(Operation.from_proto(response.operation))

    def run(
        self,
        job: Mapping[str, Mapping[str, object]],
        *,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Runs a job of any kind; the methods below are the same by name.

        Args:
            job: Its name and its arguments: `{"verify": {"repair": True}}`.
            on_progress: Called about once a second with how far it has come.
            timeout: In seconds. Default: however long it takes.

        Raises:
            DeadlineExceededError: It was not over, and was cancelled.
        """
        return self._run(job, dry_run, on_progress, timeout)

    def reindex(
        self,
        *,
        to: str | None = None,
        embedder: str | None = None,
        drop_old: bool | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Moves the indexes while they are in use.

        Args:
            to: The name of a place, as the server is configured. Default: where they are.
            embedder: The one to use from then on. Default: the one in use.
            drop_old: Removes the indexes that are not used any more.
        """
        job = {"to": to, "embedder": embedder, "drop_old": drop_old}
        return self._run({"reindex": job}, dry_run, on_progress, timeout)

    def verify(
        self,
        *,
        repair: bool | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Reads what the ledger holds and compares it with the indexes.

        Args:
            repair: Applies what is missing and removes what should not be there.
        """
        return self._run({"verify": {"repair": repair}}, dry_run, on_progress, timeout)

    def expire(
        self,
        *,
        evaluation_time: datetime | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Turns what has expired into tombstones."""
        return self._run({"expire": {"evaluation_time": evaluation_time}}, dry_run, on_progress, timeout)

    def prune(
        self,
        *,
        dormant_days: float | None = None,
        remove_after_days: float | None = None,
        evaluation_time: datetime | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Archives memories that have faded, and removes for good what was archived long ago.

        Args:
            dormant_days: Only what nobody has used or changed for so long. Default 180.
            remove_after_days: Tombstones older than that are removed for good. Default: none is.
        """
        job = {
            "dormant_days": dormant_days,
            "remove_after_days": remove_after_days,
            "evaluation_time": evaluation_time,
        }
        return self._run({"prune": job}, dry_run, on_progress, timeout)

    def compact(
        self, *, dry_run: bool = False, on_progress: OnProgress | None = None, timeout: float | None = None
    ) -> MaintenanceReport:
        """Gives back space and keeps searching fast."""
        return self._run({"compact": {}}, dry_run, on_progress, timeout)

    def encrypt(
        self, *, dry_run: bool = False, on_progress: OnProgress | None = None, timeout: float | None = None
    ) -> MaintenanceReport:
        """Seals everything under the current encryption key, so that other keys can be taken away."""
        return self._run({"encrypt": {}}, dry_run, on_progress, timeout)

    def reweigh(
        self,
        *,
        evaluation_time: datetime | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Sets importance anew from how memories were used."""
        return self._run({"reweigh": {"evaluation_time": evaluation_time}}, dry_run, on_progress, timeout)

    def review(
        self,
        *,
        static_days: float | None = None,
        evaluation_time: datetime | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Lists what a person should look at. Changes nothing.

        Args:
            static_days: Static memories not changed for so long are listed. Default 365.
        """
        job = {"static_days": static_days, "evaluation_time": evaluation_time}
        return self._run({"review": job}, dry_run, on_progress, timeout)

    def backup(
        self,
        directory: str,
        *,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Copies the ledger while it is in use.

        Args:
            directory: Its name in the backup directory of the server, new there, such as `2026-11-22`.
        """
        return self._run({"backup": {"directory": directory}}, dry_run, on_progress, timeout)

    def erase(
        self,
        *,
        user: str | None = None,
        scope: str | Scope | None = None,
        tenant: str | None = None,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> MaintenanceReport:
        """Removes for good everything of a user, of a scope, or of the tenant: exactly one of them.

        Args:
            user: The id of a user: `ann`, not `user:ann`.
            tenant: The name of the key's own tenant, spelled out.
        """
        job = {"user": user, "scope": scope, "tenant": tenant}
        return self._run({"erase": job}, dry_run, on_progress, timeout)

    def export_memories(
        self, *, page_size: int | None = None, page_token: str | None = None, timeout: float | None = None
    ) -> Pages[ExportPage, str]:
        """Everything the tenant has, one JSON object a memory, each without a line break. `import_memories` takes them.

        Args:
            page_size: The most memories of a page, at most 1,000. Default 500. One of large memories ends earlier, at
                2 MiB.
            page_token: `next_page_token` of a page, to go on behind it.
            timeout: Of each page.
        """
        request = fill(v1.ExportMemoriesRequest(), {"page_size": page_size, "page_token": page_token})
        return Pages(self._calls, _EXPORT, request, ExportPage.from_proto, lambda page: page.lines, timeout)

    def import_memories(self, lines: Iterable[str], *, timeout: float | None = None) -> ImportResult:
        """Stores exported memories under the ids they have. What is there already stays as it is.

        Args:
            lines: 1 to 1,000 lines of an export.
        """
        request = fill(v1.ImportMemoriesRequest(), {"lines": listed(lines, "lines")})
        return ImportResult.from_proto(self._calls.unary(_IMPORT, request, timeout))

    def export_records(
        self,
        *,
        parts: Iterable[ExportPart] | None = None,
        scopes: Iterable[Scope | str] | None = None,
        after: str | None = None,
        timeout: float | None = None,
    ) -> Generator[ExportedRecord, None]:
        """Everything that is kept for the tenant, or a part of it, a line each. `import_records` takes the lines.

        Args:
            parts: Such as `["sessions"]`. Default: memories, blocks, sessions and captures.
            scopes: Only what lies in them, such as `["user:alice"]`. Default: all that the key covers.
            after: `place` of the last line that is there already, to go on behind it.
        """
        given = {"parts": parts, "scopes": scopes, "after": after}
        exported = self._calls.stream(
            _EXPORT_RECORDS, fill(v1.ExportRecordsRequest(), given), _go_on_exporting, timeout
        )
        try:
            for each in exported:
                yield ExportedRecord.from_proto(each)
        finally:
            exported.close()

    def import_records(self, lines: Iterable[str], *, timeout: float | None = None) -> ImportedRecords:
        """Stores lines of an export under the ids and names they have.

        What is there already stays as it is, and what was deleted or erased stays so.

        Args:
            lines: 1 to 1,000 lines, in the order of the export.
        """
        request = fill(v1.ImportRecordsRequest(), {"lines": listed(lines, "lines")})
        return ImportedRecords.from_proto(self._calls.unary(_IMPORT_RECORDS, request, timeout))

    def _run(
        self,
        job: Mapping[str, Mapping[str, object]],
        dry_run: bool,
        on_progress: OnProgress | None,
        timeout: float | None,
    ) -> MaintenanceReport:
        running = self.start(job, dry_run=dry_run)
        try:
            ended = running.wait(on_progress=on_progress, timeout=timeout)
        finally:
            if running.operation.state == "running":
                _cancel(running)
        # Servers of the version before give a report, and nothing else.
        report = ended.report if ended.maintenance is None else ended.maintenance
        if report is None:
            message = f"The operation {ended.id} ended without a report."
            raise make_error("INTERNAL", "INTERNAL", message, resource=ended.id)
        return report


def _cancel(running: RunningOperation) -> None:
    """What ended the wait is told, and not that the job goes on until the server forgets it."""
    try:
        running.cancel(timeout=_CANCEL_SECONDS)
    except LociError:
        pass


def _go_on_exporting(last: Any, request: Any) -> None:
    request.after = last.place
