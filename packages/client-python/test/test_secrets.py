"""The key is in nothing that a program may log."""

import asyncio
import contextlib
import io
import logging
import pickle
import traceback
import unittest

import grpc

from loci_client import AsyncLoci, Loci, LociError
from loci_client.attempts import MAX_ATTEMPTS
from scripted_server import API_KEY, UNAVAILABLE, ScriptedServer, loci_status

STEPS = (
    [UNAVAILABLE] * MAX_ATTEMPTS,
    [loci_status(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")],
    [(grpc.StatusCode.INTERNAL, "broken")],
)


class SecretTest(ScriptedServer):
    def shown(self, error):
        """All that a log, or a tool that collects errors with the values of their variables, would hold."""
        collected = traceback.TracebackException.from_exception(error, capture_locals=True)
        return "".join(collected.format()) + repr(error) + str(error) + repr(pickle.dumps(error))

    def test_no_error_has_it(self):
        output, records = io.StringIO(), []
        handler = logging.Handler()
        handler.emit = lambda record: records.append(record.getMessage())
        logging.getLogger().addHandler(handler)
        self.addCleanup(logging.getLogger().removeHandler, handler)
        loci = Loci.connect(self.address, api_key=API_KEY)
        with contextlib.redirect_stderr(output), contextlib.redirect_stdout(output):
            for steps in STEPS:
                # The first takes some seconds, and is the same for all.
                for call in (self.call, self.read, self.call_async)[: 1 if len(steps) > 1 else 3]:
                    self.script.steps = list(steps)
                    with self.subTest(call.__name__), self.assertRaises(LociError) as failure:
                        call(loci)
                    self.assertNotIn(API_KEY, self.shown(failure.exception))
        self.assertIn(f"Bearer {API_KEY}", self.script.calls[0].metadata["authorization"])
        shown = repr(loci) + repr(loci._calls.transport.endpoint) + output.getvalue() + "".join(records)
        self.assertIn(self.address, shown)
        self.assertNotIn(API_KEY, shown)
        loci.close()

    def call(self, loci):
        loci.memories.get("id")

    def read(self, loci):
        list(loci.memories.watch(all_scopes=True))

    def call_async(self, _):
        async def main():
            async with AsyncLoci.connect(self.address, api_key=API_KEY) as loci:
                await loci.memories.get("id")

        asyncio.run(main())

    def test_a_key_that_no_header_can_hold_is_not_repeated(self):
        for key in ("", "spaced key", "line\nend", "schlüssel"):
            with self.subTest(key), self.assertRaises(ValueError) as refusal:
                Loci.connect("localhost:5624", api_key=key)
            if key:
                self.assertNotIn(key, str(refusal.exception))


if __name__ == "__main__":
    unittest.main()
