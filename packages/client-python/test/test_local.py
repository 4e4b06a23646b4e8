"""A client of the server of a data directory, which is started anew."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import grpc

from loci_client import Loci, UnauthenticatedError, UnavailableError, v1
from scripted_server import Script, loci_status, start_server

FOUND = v1.GetMemoryResponse(memory=v1.Memory(id="found"))


class KeptKey(Script):
    """Takes one key only."""

    def __init__(self, key):
        super().__init__()
        self.key = key

    def service(self, details):
        if dict(details.invocation_metadata).get("authorization") == f"Bearer {self.key}":
            self.steps = [FOUND]
        else:
            self.steps = [loci_status(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")]
        return super().service(details)


class LocalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def serve(self, key, port=0):
        script = KeptKey(key)
        server, bound = start_server(script, port)
        self.addCleanup(lambda: server.stop(None).wait())
        note = {"address": f"127.0.0.1:{bound}", "pid": os.getpid(), "tls": False, "apiKey": key}
        (self.directory / "server.json").write_text(json.dumps(note))
        return server, bound, script

    def test_a_server_with_another_key_at_the_same_port_is_found_again(self):
        server, port, _ = self.serve("first")
        with Loci.local(self.directory) as loci:
            self.assertEqual(loci.memories.get("id").id, "found")
            server.stop(None).wait()
            _, _, script = self.serve("second", port)
            self.assertEqual(loci.memories.get("id").id, "found")
            keys = [call.metadata["authorization"] for call in script.calls]
            self.assertEqual(keys, ["Bearer first", "Bearer second"])

    def test_a_server_at_another_port_is_found_again(self):
        server, _, _ = self.serve("first")
        with Loci.local(self.directory) as loci:
            loci.memories.get("id")
            server.stop(None).wait()
            self.serve("second")
            self.assertEqual(loci.memories.get("id").id, "found")

    def test_a_key_that_stays_wrong_is_said_at_once(self):
        _, _, script = self.serve("right")
        with Loci.local(self.directory, api_key="wrong") as loci, self.assertRaises(UnauthenticatedError):
            loci.memories.get("id")
        self.assertEqual(len(script.calls), 1)

    def test_a_directory_that_nobody_serves(self):
        with self.assertRaisesRegex(UnavailableError, "loci serve"):
            Loci.local(self.directory)


if __name__ == "__main__":
    unittest.main()
