"""Jobs that are waited for. Blocking and asynchronous clients alike."""

import asyncio
import threading
import unittest

from loci_client import AsyncLoci, DeadlineExceededError, InternalError, Loci, v1
from scripted_server import ScriptedServer

RUNNING, SUCCEEDED = v1.OPERATION_STATE_RUNNING, v1.OPERATION_STATE_SUCCEEDED
REPORT = v1.MaintenanceReport(job="verify", dry_run=True)


def started():
    return v1.StartMaintenanceResponse(operation=v1.Operation(id="job", state=RUNNING))


def waited(**fields):
    return v1.WaitOperationResponse(operation=v1.Operation(id="job", **fields))


class Maintenance(ScriptedServer):
    """What both kinds of client do."""

    def run_job(self, **arguments):
        """What a job of a new client gives."""
        with Loci.connect(self.address) as loci:
            return loci.maintenance.run({"verify": {"repair": True}}, **arguments)

    def export(self, pages=False):
        """What an export of a new client gives."""
        with Loci.connect(self.address) as loci:
            exported = loci.maintenance.export_memories(page_size=2)
            return list(exported.pages() if pages else exported)

    def test_an_export_gives_lines_or_pages_and_asks_for_them_as_they_are_needed(self):
        first = v1.ExportMemoriesResponse(lines=["a", "b"], next_page_token="second")
        last = v1.ExportMemoriesResponse(lines=["c"])
        self.script.steps = [first, last, first, last]
        self.assertEqual(self.export(), ["a", "b", "c"])
        pages = [(page.lines, page.next_page_token) for page in self.export(pages=True)]
        self.assertEqual(pages, [(("a", "b"), "second"), (("c",), "")])
        asked = [v1.ExportMemoriesRequest.FromString(call.request) for call in self.script.calls]
        self.assertEqual([(each.page_size, each.page_token) for each in asked], [(2, ""), (2, "second")] * 2)

    def test_a_job_of_any_kind_is_started_and_waited_for(self):
        progress = v1.MaintenanceProgress(activity="comparing")
        self.script.steps = [
            started(),
            waited(state=RUNNING, progress=progress),
            waited(state=SUCCEEDED, maintenance=REPORT),
        ]
        shown = []
        report = self.run_job(dry_run=True, on_progress=lambda progress: shown.append(progress.activity))
        self.assertEqual((report.job, report.dry_run, shown), ("verify", True, ["comparing"]))
        sent = v1.StartMaintenanceRequest.FromString(self.script.calls[0].request)
        job = v1.MaintenanceJob(verify=v1.VerifyJob(repair=True))
        self.assertEqual(sent, v1.StartMaintenanceRequest(job=job, validate_only=True))

    def test_the_report_of_a_server_of_the_version_before_is_read(self):
        self.script.steps = [started(), waited(state=SUCCEEDED, report=REPORT)]
        self.assertEqual(self.run_job().job, "verify")

    def test_an_end_without_a_report_is_said(self):
        self.script.steps = [started(), waited(state=SUCCEEDED)]
        with self.assertRaisesRegex(InternalError, "without a report"):
            self.run_job()

    def test_a_job_that_nobody_waits_for_any_more_is_cancelled(self):
        cancelled = v1.CancelOperationResponse(operation=v1.Operation(id="job", state=v1.OPERATION_STATE_CANCELLED))
        self.script.steps = [started(), _never, cancelled]
        with self.assertRaises(DeadlineExceededError):
            self.run_job(timeout=2)
        self.assertTrue(self.script.calls[-1].method.endswith("/CancelOperation"))


class AsyncMaintenance(Maintenance):
    """The same, without blocking."""

    def run_job(self, **arguments):
        async def run():
            async with AsyncLoci.connect(self.address) as loci:
                return await loci.maintenance.run({"verify": {"repair": True}}, **arguments)

        return asyncio.run(run())

    def export(self, pages=False):
        async def run():
            async with AsyncLoci.connect(self.address) as loci:
                exported = loci.maintenance.export_memories(page_size=2)
                return [each async for each in (exported.pages() if pages else exported)]

        return asyncio.run(run())


def _never(context):
    """An answer that does not come before the caller hangs up."""
    ended = threading.Event()
    context.add_callback(ended.set)
    ended.wait(10)
    return v1.WaitOperationResponse()


if __name__ == "__main__":
    unittest.main()
