"""Which calls are sent again, when, and with what. Blocking and asynchronous clients alike."""

import asyncio
import threading
import time
import unittest
from unittest import mock

import grpc

from loci_client import (
    AsyncLoci,
    ConflictError,
    DeadlineExceededError,
    InvalidArgumentError,
    Loci,
    ResourceExhaustedError,
    UnavailableError,
    v1,
)
from loci_client.attempts import MAX_ATTEMPTS, pause_before
from loci_client.errors import make_error
from scripted_server import API_KEY, UNAVAILABLE, ScriptedServer, loci_status

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
STORED = v1.CreateMemoryResponse(memory=v1.Memory(id="id"))


class Attempts(ScriptedServer):
    """What both kinds of client do."""

    def call(self, work, **options):
        """What a call of a new client gives. `work` gets the client."""
        with Loci.connect(self.address, api_key=API_KEY, **options) as loci:
            return work(loci)

    def call_twice(self, work):
        """The same work of one client, one after the other."""
        with Loci.connect(self.address, api_key=API_KEY) as loci:
            work(loci)
            work(loci)

    def test_a_read_is_sent_again_until_the_server_is_there(self):
        self.script.steps = [UNAVAILABLE, UNAVAILABLE, v1.GetMemoryResponse(memory=v1.Memory(id="found"))]
        self.assertEqual(self.call(lambda loci: loci.memories.get("id")).id, "found")
        first, second, third = [call.time for call in self.script.calls]
        self.assertGreaterEqual(second - first, 0.05)
        self.assertGreaterEqual(third - second, 0.1)

    def test_a_write_is_sent_again_with_the_same_key(self):
        self.script.steps = [UNAVAILABLE, STORED, UNAVAILABLE, STORED]
        self.call(lambda loci: loci.memories.remember("Text.", scope="user:ann"))
        self.call(lambda loci: loci.memories.remember("Text.", scope="user:ann", request_id="own"))
        keys = [v1.CreateMemoryRequest.FromString(call.request).request_id for call in self.script.calls]
        self.assertEqual(keys[0], keys[1])
        self.assertEqual(len(keys[0]), 36)
        self.assertEqual(keys[2:], ["own", "own"])

    def test_a_key_that_is_none_is_refused(self):
        for key, error in (("", InvalidArgumentError), (5, TypeError)):
            with self.subTest(key), self.assertRaises(error):
                self.call(lambda loci: loci.memories.remember("Text.", scope="user:ann", request_id=key))  # noqa: B023
        self.assertEqual(self.script.calls, [])

    def test_what_has_no_key_is_sent_once(self):
        self.script.steps = [UNAVAILABLE]
        with self.assertRaises(UnavailableError):
            self.call(lambda loci: loci.memories.mark_used(["id"]))
        self.assertEqual(len(self.script.calls), 1)

    def test_after_seven_attempts_it_is_said(self):
        self.script.steps = [UNAVAILABLE] * (MAX_ATTEMPTS + 1)
        with mock.patch("loci_client.attempts._FIRST_PAUSE", 0.01), self.assertRaises(UnavailableError) as failure:
            self.call(lambda loci: loci.memories.get("id"))
        self.assertEqual(len(self.script.calls), MAX_ATTEMPTS)
        self.assertIsInstance(failure.exception, ConnectionError)

    def test_a_client_that_was_answered_goes_on_until_the_time_of_its_call_is_over(self):
        found = v1.GetMemoryResponse(memory=v1.Memory(id="found"))
        self.script.steps = [found, *[UNAVAILABLE] * (MAX_ATTEMPTS + 2), found]
        with mock.patch("loci_client.attempts._LONGEST_PAUSE", 0.01):
            self.call_twice(lambda loci: loci.memories.get("id"))
        self.assertEqual(len(self.script.calls), MAX_ATTEMPTS + 4)

    def test_what_the_server_asks_to_repeat_later_is_repeated_then(self):
        later = loci_status(EXHAUSTED, "TOO_MANY_REQUESTS", retry_after=0.3)
        self.script.steps = [later, v1.MarkMemoriesUsedResponse()]
        self.call(lambda loci: loci.memories.mark_used(["id"]))
        first, second = [call.time for call in self.script.calls]
        self.assertGreaterEqual(second - first, 0.35)

    def test_nothing_else_is_repeated(self):
        for step, error in (
            (loci_status(EXHAUSTED, "DISK_FULL"), ResourceExhaustedError),
            (loci_status(grpc.StatusCode.ABORTED, "VERSION_CONFLICT"), ConflictError),
        ):
            self.script.calls.clear()
            self.script.steps = [step]
            with self.assertRaises(error):
                self.call(lambda loci: loci.memories.get("id"))
            self.assertEqual(len(self.script.calls), 1)

    def test_what_is_left_of_the_time_goes_with_each_attempt(self):
        self.script.steps = [loci_status(EXHAUSTED, "TOO_MANY_REQUESTS", retry_after=0.8)]
        self.call(lambda loci: loci.memories.get("id", timeout=5))
        self.call(lambda loci: loci.memories.get("id"))
        self.call(lambda loci: loci.memories.get("id"), timeout=7)
        # On the wire gRPC rounds them up by as much as 3 %.
        first, second, default, client = [call.seconds_left for call in self.script.calls]
        # A busy machine takes some of it before the server is reached.
        self.assertTrue(2 < first < 5.5, first)
        self.assertLess(second, first - 0.5)
        self.assertTrue(20 < default < 32, default)
        self.assertTrue(5.5 < client < 7.7, client)

    def test_no_attempt_is_made_that_would_pass_the_deadline(self):
        self.script.steps = [loci_status(EXHAUSTED, "TOO_MANY_REQUESTS", retry_after=60)]
        begun = time.monotonic()
        with self.assertRaises(ResourceExhaustedError) as failure:
            self.call(lambda loci: loci.memories.get("id", timeout=30))
        self.assertLess(time.monotonic() - begun, 25)
        self.assertEqual(failure.exception.retry_after, 60)
        with self.assertRaises(DeadlineExceededError):
            self.call(lambda loci: loci.memories.get("id", timeout=0))
        self.assertEqual(len(self.script.calls), 1)

    def test_the_server_is_told_to_stop_at_the_deadline(self):
        ended = threading.Event()

        def wait(context):
            if not context.add_callback(ended.set):
                ended.set()
            ended.wait(60)
            return STORED

        timeout = 0.2
        # On a busy machine the first ones may be over before they get to the server.
        while not ended.is_set():
            self.script.steps = [wait]
            with self.assertRaises(DeadlineExceededError) as failure:
                self.call(lambda loci: loci.memories.get("id", timeout=timeout))  # noqa: B023
            self.assertIsInstance(failure.exception, TimeoutError)
            if self.script.calls:
                self.assertTrue(ended.wait(30))
            timeout *= 2

    def test_settled_ends_in_time_at_a_server_that_is_stopped(self):
        ended = threading.Event()

        def stopped(context):
            context.add_callback(ended.set)
            ended.wait(60)
            return v1.SettleIndexesResponse()

        self.script.steps = [stopped]
        begun = time.monotonic()
        with self.assertRaises(DeadlineExceededError):
            self.call(lambda loci: loci.settled(timeout=0.5))
        self.assertLess(time.monotonic() - begun, 10)
        ended.set()

    def test_a_server_that_cancels_is_a_lost_connection(self):
        self.script.steps = [(grpc.StatusCode.CANCELLED, "")]
        self.assertEqual(self.call(lambda loci: loci.memories.get("id")).id, "id")
        self.script.steps = [loci_status(grpc.StatusCode.CANCELLED, "CANCELLED")]
        with self.assertRaisesRegex(Exception, "CANCELLED"):
            self.call(lambda loci: loci.memories.get("id"))


class AsyncAttempts(Attempts):
    """The same of the asynchronous client."""

    def call(self, work, **options):
        async def main():
            async with AsyncLoci.connect(self.address, api_key=API_KEY, **options) as loci:
                return await work(loci)

        return asyncio.run(main())

    def call_twice(self, work):
        async def main():
            async with AsyncLoci.connect(self.address, api_key=API_KEY) as loci:
                await work(loci)
                await work(loci)

        asyncio.run(main())


class PauseTest(unittest.TestCase):
    def test_pauses_double_up_to_two_seconds_and_half_of_them_is_chance(self):
        lost = make_error("UNAVAILABLE", "SERVER_UNAVAILABLE", "")
        for attempt, longest in ((2, 0.1), (3, 0.2), (4, 0.4), (5, 0.8), (6, 1.6), (7, 2.0)):
            pauses = [pause_before(attempt, lost, True) for _ in range(200)]
            self.assertLessEqual(max(pauses), longest)
            self.assertGreaterEqual(min(pauses), longest / 2)
            self.assertGreater(max(pauses) - min(pauses), longest / 4)
        self.assertIsNone(pause_before(MAX_ATTEMPTS + 1, lost, True))
        self.assertIsNone(pause_before(2, lost, False))


if __name__ == "__main__":
    unittest.main()
