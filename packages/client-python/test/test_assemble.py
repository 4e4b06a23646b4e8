"""Asks a running server for the context that TypeScript's client was given, and expects the same bytes.

tools/polyglot starts the server and writes TypeScript's request and answer.
"""

import os
import unittest
from pathlib import Path

import grpc

from loci_client import connect, v1


@unittest.skipUnless("LOCI_TEST_ADDRESS" in os.environ, "LOCI_TEST_ADDRESS names no server; tools/polyglot starts one")
class AssembleTest(unittest.TestCase):
    def test_assembles_the_same_bytes_as_typescript(self):
        exchange = Path(os.environ["LOCI_TEST_EXCHANGE"])
        request = v1.AssembleContextRequest.FromString((exchange / "request.binpb").read_bytes())
        expected = v1.AssembleContextResponse.FromString((exchange / "response.binpb").read_bytes())

        authority = Path(os.environ["LOCI_TEST_AUTHORITY"]).read_bytes()
        credentials = grpc.ssl_channel_credentials(root_certificates=authority)
        address, api_key = os.environ["LOCI_TEST_ADDRESS"], os.environ["LOCI_TEST_API_KEY"]
        with connect(address, api_key=api_key, credentials=credentials) as channel:
            answer = v1.ContextServiceStub(channel).AssembleContext(request, timeout=30)

        self.assertGreater(len(answer.text), 0)
        self.assertEqual(answer.text.encode(), expected.text.encode())
        self.assertGreater(len(answer.receipt.items), 0)
        for field, _ in answer.receipt.ListFields():
            with self.subTest(f"receipt.{field.name}"):
                self.assertEqual(getattr(answer.receipt, field.name), getattr(expected.receipt, field.name))
        # How long it took is no part of the answer.
        answer.timings.clear()
        expected.timings.clear()
        self.assertEqual(answer.SerializeToString(deterministic=True), expected.SerializeToString(deterministic=True))


if __name__ == "__main__":
    unittest.main()
