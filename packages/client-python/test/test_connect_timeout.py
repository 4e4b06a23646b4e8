"""How long a connection may take. Blocking and asynchronous clients alike."""

import asyncio
import contextlib
import socket
import threading
import time
import unittest

from loci_client import AsyncLoci, DeadlineExceededError, InvalidArgumentError, Loci, UnavailableError, v1
from scripted_server import ScriptedServer, start_server

PATIENCE = 0.4
# With a server that is there: on a busy machine it takes its time to be reached.
MORE_PATIENCE = 2


class ConnectTimeout(ScriptedServer):
    """A socket that takes connections and says nothing is what a stopped process looks like."""

    def setUp(self):
        super().setUp()
        self.silent = self.listen_silently(0)

    def listen_silently(self, port):
        listener = socket.create_server(("127.0.0.1", port))
        self.addCleanup(listener.close)
        return f"127.0.0.1:{listener.getsockname()[1]}"

    def call(self, *works, address=None, **options):
        """What the last of some calls of a new client gives. Each gets the client."""
        with Loci.connect(address or self.silent, **options) as loci:
            for work in works:
                answer = work(loci)
            return answer

    @staticmethod
    def get(loci, timeout=None):
        return loci.memories.get("id", timeout=timeout)

    @staticmethod
    def mark(loci):
        return loci.memories.mark_used(["id"])

    @staticmethod
    def watch(loci):
        with contextlib.closing(loci.memories.watch(["global"])) as changes:
            return next(changes)

    def assert_given_up(self, *works, seconds=PATIENCE, shown="0.4", **options):
        begun = time.monotonic()
        with self.assertRaises(UnavailableError) as failure:
            self.call(*works, **options)
        error, taken = failure.exception, time.monotonic() - begun
        self.assertEqual(error.reason, "SERVER_UNAVAILABLE")
        self.assertRegex(error.message, rf"^No connection to 127\.0\.0\.1:\d+ came about within {shown} s\.$")
        self.assertIn("Check the address", error.advice)
        self.assertEqual(error.resource, options.get("address", self.silent))
        self.assertGreaterEqual(taken, seconds - 0.05)
        self.assertLess(taken, seconds + 20)

    def test_a_server_that_says_nothing_is_given_up(self):
        for work in (self.get, self.mark, self.watch):
            self.assert_given_up(work, connect_timeout=PATIENCE)

    def test_that_takes_five_seconds_when_nothing_is_said(self):
        self.assert_given_up(self.get, seconds=5, shown="5")

    def test_the_time_of_a_call_ends_it_before(self):
        begun = time.monotonic()
        with self.assertRaises(DeadlineExceededError):
            self.call(lambda loci: self.get(loci, 0.2), connect_timeout=60)
        self.assertLess(time.monotonic() - begun, 30)

    def test_a_server_that_takes_its_time_to_answer_is_waited_for(self):
        for work, answer in (
            (self.get, v1.GetMemoryResponse(memory=v1.Memory(id="slow"))),
            (self.watch, v1.WatchMemoriesResponse(cursor="slow")),
        ):
            self.script.calls.clear()
            self.script.steps = [lambda _, answer=answer: time.sleep(MORE_PATIENCE * 1.3) or answer]
            self.assertIn("slow", repr(self.call(work, address=self.address, connect_timeout=MORE_PATIENCE)))
            self.assertEqual(len(self.script.calls), 1)

    def test_a_server_that_is_stopped_later_is_given_up_as_well(self):
        def stop(loci):
            self.server.stop(None).wait()
            self.listen_silently(self.port)
            # For a second the blocking client takes it for granted that who has answered is there.
            time.sleep(1.1)
            return self.nothing()

        works = (self.get, stop, self.get)
        self.assert_given_up(*works, seconds=1.1, shown="2", address=self.address, connect_timeout=MORE_PATIENCE)

    @staticmethod
    def nothing():
        return None

    def test_a_server_that_comes_in_time_is_found(self):
        self.server.stop(None).wait()
        started = []
        later = threading.Timer(0.3, lambda: started.append(start_server(self.script, self.port)[0]))
        later.start()
        self.addCleanup(lambda: started[0].stop(None).wait())
        self.assertEqual(self.call(self.get, address=self.address).id, "id")

    def test_a_time_that_is_none_is_refused(self):
        for seconds in (0, -1, float("nan"), float("inf"), "5", None, True):
            with self.subTest(seconds), self.assertRaises(InvalidArgumentError) as refusal:
                self.call(self.get, connect_timeout=seconds)
            self.assertEqual(refusal.exception.reason, "INVALID_CONFIGURATION")
            self.assertEqual(refusal.exception.field, "connect_timeout")


class AsyncConnectTimeout(ConnectTimeout):
    """The same of the asynchronous client."""

    def call(self, *works, address=None, **options):
        async def main():
            async with AsyncLoci.connect(address or self.silent, **options) as loci:
                for work in works:
                    answer = await work(loci)
                return answer

        return asyncio.run(main())

    @staticmethod
    async def watch(loci):
        async with contextlib.aclosing(loci.memories.watch(["global"])) as changes:
            return await anext(changes)

    @staticmethod
    async def nothing():
        return None

    def test_what_the_caller_cancels_stays_cancelled(self):
        for work in (self.get, self.watch):
            begun = time.monotonic()
            with self.assertRaises(asyncio.TimeoutError):
                self.call(lambda loci: asyncio.wait_for(work(loci), 0.2), connect_timeout=60)  # noqa: B023
            self.assertLess(time.monotonic() - begun, 30)


if __name__ == "__main__":
    unittest.main()
