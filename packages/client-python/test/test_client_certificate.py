"""Calls a server that knows its clients by their certificates. tools/polyglot starts it."""

import os
import unittest
from pathlib import Path

import grpc

from loci_client import connect, v1


def _bytes(variable):
    return Path(os.environ[variable]).read_bytes()


@unittest.skipUnless("LOCI_TEST_CERTIFYING_ADDRESS" in os.environ, "needs a Loci server")
class ClientCertificateTest(unittest.TestCase):
    def listed(self, user, **own):
        credentials = grpc.ssl_channel_credentials(_bytes("LOCI_TEST_AUTHORITY"), **own)
        with connect(os.environ["LOCI_TEST_CERTIFYING_ADDRESS"], credentials=credentials) as channel:
            request = v1.ListMemoriesRequest(scopes=[v1.Scope(kind=v1.SCOPE_KIND_USER, id=user)])
            try:
                v1.MemoryServiceStub(channel).ListMemories(request, timeout=30)
            except grpc.RpcError as error:
                return error.code()
            return grpc.StatusCode.OK

    def test_a_certificate_opens_what_it_is_bound_to_and_nothing_else(self):
        own = {
            "certificate_chain": _bytes("LOCI_TEST_CERTIFICATE"),
            "private_key": _bytes("LOCI_TEST_CERTIFICATE_KEY"),
        }
        self.assertEqual(self.listed("ann", **own), grpc.StatusCode.OK)
        self.assertEqual(self.listed("bob", **own), grpc.StatusCode.PERMISSION_DENIED)

    def test_without_one_there_is_no_connection(self):
        self.assertEqual(self.listed("ann"), grpc.StatusCode.UNAVAILABLE)


if __name__ == "__main__":
    unittest.main()
