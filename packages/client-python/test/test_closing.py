"""How clients end, and what threads and event loops may do with one."""

import asyncio
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from loci_client import AsyncLoci, FailedPreconditionError, Loci, v1
from scripted_server import ScriptedServer

FOUND = v1.GetMemoryResponse(memory=v1.Memory(id="found"))


class ClosingTest(ScriptedServer):
    def setUp(self):
        super().setUp()
        self.over = threading.Event()
        self.addCleanup(self.over.set)

    def slow(self, seconds):
        """A step that answers when the time is over, or the test."""

        def answer(_):
            self.over.wait(seconds)
            return FOUND

        return answer

    def test_calls_under_way_have_two_seconds(self):
        self.script.steps = [self.slow(0.3)]
        loci = Loci.connect(self.address)
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(loci.memories.get, "id")
            while not self.script.calls:
                time.sleep(0.01)
            loci.close()
            self.assertTrue(running.done() or running.result(10))
            self.assertEqual(running.result().id, "found")
        with self.assertRaisesRegex(FailedPreconditionError, "CLOSED"):
            loci.memories.get("id")

    def test_what_takes_longer_ends_then(self):
        self.script.steps = [self.slow(60)]
        loci = Loci.connect(self.address)
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(loci.memories.get, "id")
            while not self.script.calls:
                time.sleep(0.01)
            begun = time.monotonic()
            loci.close()
            with self.assertRaisesRegex(FailedPreconditionError, "CLOSED"):
                running.result(30)
            # More on a busy machine, and never as long as the answer takes.
            self.assertTrue(1.9 < time.monotonic() - begun < 30)

    def test_an_asynchronous_client_ends_alike(self):
        self.script.steps = [self.slow(60)]

        async def main():
            loci = AsyncLoci.connect(self.address)
            running = asyncio.create_task(loci.memories.get("id"))
            while not self.script.calls:
                await asyncio.sleep(0.01)
            await loci.close()
            with self.assertRaisesRegex(FailedPreconditionError, "CLOSED"):
                await running
            with self.assertRaisesRegex(FailedPreconditionError, "CLOSED"):
                await loci.memories.get("id")

        asyncio.run(main())

    def test_a_task_that_is_cancelled_cancels_its_call(self):
        cancelled = threading.Event()

        def wait(context):
            context.add_callback(cancelled.set)
            cancelled.wait(60)
            return FOUND

        self.script.steps = [wait]

        async def main():
            async with AsyncLoci.connect(self.address) as loci:
                running = asyncio.create_task(loci.memories.get("id"))
                while not self.script.calls:
                    await asyncio.sleep(0.01)
                running.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await running

        asyncio.run(main())
        self.assertTrue(cancelled.wait(30))

    def test_threads_share_a_client(self):
        with Loci.connect(self.address) as loci, ThreadPoolExecutor(32) as threads:
            ids = {memory.id for memory in threads.map(lambda _: loci.memories.get("id"), range(256))}
        self.assertEqual(ids, {"id"})
        self.assertEqual(len(self.script.calls), 256)

    def test_event_loops_share_a_client(self):
        loci = AsyncLoci.connect(self.address)

        async def several():
            return [memory.id for memory in await asyncio.gather(*[loci.memories.get("id") for _ in range(20)])]

        with ThreadPoolExecutor(2) as threads:
            at_once = list(threads.map(lambda _: asyncio.run(several()), range(2)))
        one_after_the_other = [asyncio.run(several()) for _ in range(2)]
        self.assertEqual(at_once + one_after_the_other, [["id"] * 20] * 4)
        asyncio.run(loci.close())


if __name__ == "__main__":
    unittest.main()
