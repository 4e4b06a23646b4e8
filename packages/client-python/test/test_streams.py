"""Streams that go on where they broke, and end when nobody reads them."""

import asyncio
import threading
import time
import unittest
from contextlib import aclosing
from unittest import mock

import grpc

from loci_client import AsyncLoci, DeadlineExceededError, FailedPreconditionError, Loci, UnavailableError, v1
from loci_client.attempts import MAX_ATTEMPTS, pause_before
from loci_client.errors import make_error
from loci_client.resumption import Resumption
from loci_client.status import not_reached
from scripted_server import UNAVAILABLE, ScriptedServer


def change(number):
    return v1.WatchMemoriesResponse(cursor=str(number), removed_id=f"id-{number}")


def exported(number):
    return v1.MemoryServiceExportMemoriesResponse(id=f"id-{number}", line="{}")


def wait_for_end(context):
    """An answer that does not come before the caller hangs up."""
    ended = threading.Event()
    context.add_callback(ended.set)
    ended.wait(10)
    return change(99)


class Streams(ScriptedServer):
    """What both kinds of client do."""

    def read(self, method, count=None, **arguments):
        """What a stream of a new client gives, at most so many."""
        with Loci.connect(self.address) as loci:
            given = []
            stream = getattr(loci.memories, method)(**arguments)
            for each in stream:
                given.append(each)
                if len(given) == count:
                    stream.close()
                    break
            return given

    def requests(self, kind):
        return [kind.FromString(call.request) for call in self.script.calls]

    def test_a_watch_goes_on_behind_the_last_change(self):
        self.script.steps = [
            [change(1), change(2), UNAVAILABLE],
            UNAVAILABLE,
            [change(3), (grpc.StatusCode.CANCELLED, "")],
            [change(4)],
        ]
        changes = self.read("watch", scopes=["user:ann"], beginning=True)
        self.assertEqual([each.removed_id for each in changes], ["id-1", "id-2", "id-3", "id-4"])
        sent = self.requests(v1.WatchMemoriesRequest)
        self.assertEqual([request.WhichOneof("since") for request in sent], ["beginning", "cursor", "cursor", "cursor"])
        self.assertEqual([request.cursor for request in sent], ["", "2", "2", "3"])
        self.assertEqual([request.scopes[0].id for request in sent], ["ann"] * 4)

    def test_an_export_goes_on_behind_the_last_memory(self):
        self.script.steps = [[exported(1), exported(2), UNAVAILABLE], [exported(3)]]
        self.assertEqual([each.id for each in self.read("export")], ["id-1", "id-2", "id-3"])
        self.assertEqual([each.after_id for each in self.requests(v1.MemoryServiceExportMemoriesRequest)], ["", "id-2"])

    def test_a_stream_that_does_not_begin_fails_as_a_read_does(self):
        self.script.steps = [UNAVAILABLE] * (MAX_ATTEMPTS + 1)
        with mock.patch("loci_client.attempts._FIRST_PAUSE", 0.01), self.assertRaises(UnavailableError):
            self.read("watch", all_scopes=True)
        self.assertEqual(len(self.script.calls), MAX_ATTEMPTS)

    def test_one_that_has_begun_outlasts_a_server_that_is_away_for_longer_than_a_call_waits(self):
        self.script.steps = [[change(1), UNAVAILABLE], *[UNAVAILABLE] * (MAX_ATTEMPTS + 1), [change(2)]]
        with mock.patch("loci_client.attempts._FIRST_PAUSE", 0.01):
            self.assertEqual([each.cursor for each in self.read("watch", all_scopes=True)], ["1", "2"])
        sent = [request.cursor for request in self.requests(v1.WatchMemoriesRequest)]
        self.assertEqual(sent, ["", *["1"] * (MAX_ATTEMPTS + 2)])

    def test_one_that_is_lost_for_too_long_is_given_up_and_says_so(self):
        self.script.steps = [[change(1), UNAVAILABLE], *[UNAVAILABLE] * 20]
        with mock.patch("loci_client.resumption.RESUME_SECONDS", 0.4), self.assertRaises(UnavailableError) as raised:
            self.read("watch", all_scopes=True)
        self.assertIn("could not be taken up again within 0.4 s: ", raised.exception.message)
        self.assertIn("begin again", raised.exception.advice)
        self.assertEqual(raised.exception.reason, "SERVER_UNAVAILABLE")

    def test_another_error_ends_it_after_what_was_told(self):
        self.script.steps = [[change(1), (grpc.StatusCode.FAILED_PRECONDITION, "The cursor is old.")]]
        with self.assertRaises(FailedPreconditionError):
            self.read("watch", all_scopes=True)
        self.assertEqual(len(self.script.calls), 1)

    def test_whoever_leaves_cancels_the_call(self):
        left = threading.Event()

        def begin(context):
            context.add_callback(left.set)
            return change(1)

        self.script.steps = [[begin, wait_for_end]]
        self.assertEqual(len(self.read("watch", count=1, all_scopes=True)), 1)
        self.assertTrue(left.wait(30))

    def test_it_has_no_time_but_its_own(self):
        self.script.steps = [[change(1), wait_for_end] for _ in range(3)]
        self.read("watch", count=1, all_scopes=True, timeout=30)
        self.read("watch", count=1, all_scopes=True)
        limited, unlimited = [call.seconds_left for call in self.script.calls]
        self.assertLess(limited, 32)
        self.assertTrue(unlimited is None or unlimited > 1_000_000)
        with self.assertRaises(DeadlineExceededError):
            self.read("watch", all_scopes=True, timeout=0.3)

    def test_closing_ends_it(self):
        self.script.steps = [[change(1), wait_for_end]]
        begun = time.monotonic()
        with self.assertRaisesRegex(FailedPreconditionError, "CLOSED"):
            self.read_and_close()
        self.assertLess(time.monotonic() - begun, 2)

    def read_and_close(self):
        loci = Loci.connect(self.address)
        for _ in loci.memories.watch(all_scopes=True):
            threading.Timer(0.1, loci.close).start()


class Lost(unittest.TestCase):
    """How long a stream that was lost is taken up again."""

    def test_a_connection_that_took_too_long_is_tried_again_by_what_has_begun(self):
        unreached = not_reached("localhost:1", 5)
        self.assertIsNone(pause_before(2, unreached, True))
        resumption = Resumption()
        resumption.has_come()
        self.assertGreater(resumption.pause_before(40, unreached), 0.9)

    def test_what_another_attempt_would_not_help_ends_it_at_once(self):
        resumption = Resumption()
        resumption.has_come()
        self.assertIsNone(resumption.pause_before(2, make_error("FAILED_PRECONDITION", "CURSOR_EXPIRED", "Old.")))


class AsyncStreams(Streams):
    """The same of the asynchronous client."""

    def read(self, method, count=None, **arguments):
        async def main():
            given = []
            async with (
                AsyncLoci.connect(self.address) as loci,
                aclosing(getattr(loci.memories, method)(**arguments)) as stream,
            ):
                async for each in stream:
                    given.append(each)
                    if len(given) == count:
                        break
            return given

        return asyncio.run(main())

    def read_and_close(self):
        async def main():
            loci = AsyncLoci.connect(self.address)
            async for _ in loci.memories.watch(all_scopes=True):
                asyncio.get_running_loop().call_later(0.1, lambda: closings.append(asyncio.create_task(loci.close())))

        closings = []
        asyncio.run(main())


if __name__ == "__main__":
    unittest.main()
