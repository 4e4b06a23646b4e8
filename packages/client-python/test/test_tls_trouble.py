"""What is said when a client and a server do not agree on TLS."""

import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

from loci_client import Loci, UnavailableError
from loci_client.attempts import pause_before
from loci_client.status import error_from_call

CERTIFICATES = Path(__file__).parents[2] / "client" / "test" / "fixtures"


def pem(name):
    return (CERTIFICATES / name).read_bytes()


class TlsTroubleTest(unittest.TestCase):
    def setUp(self):
        server = grpc.server(ThreadPoolExecutor(2))
        credentials = grpc.ssl_server_credentials([(pem("server.key"), pem("server.pem"))])
        self.here = f"127.0.0.1:{server.add_secure_port('127.0.0.1:0', credentials)}"
        self.elsewhere = f"127.0.0.2:{server.add_secure_port('127.0.0.2:0', credentials)}"
        self.plain = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        self.addCleanup(lambda: server.stop(None).wait())

    def failure(self, address, authority):
        credentials = grpc.ssl_channel_credentials(pem(authority))
        with Loci.connect(address, credentials=credentials) as loci, self.assertRaises(UnavailableError) as failure:
            loci.memories.get("id")
        self.assertEqual(failure.exception.resource, address)
        return str(failure.exception)

    def test_an_authority_that_is_not_known(self):
        said = self.failure(self.here, "other-authority.pem")
        self.assertIn(f"{self.here} has a certificate of an authority that this client does not know: ", said)
        self.assertIn("Pass the authority's certificate", said)

    def test_a_certificate_for_another_name(self):
        said = self.failure(self.elsewhere, "authority.pem")
        self.assertIn(f"{self.elsewhere} has a certificate for another name: ", said)

    def test_a_server_without_tls(self):
        said = self.failure(self.plain, "authority.pem")
        self.assertIn(f"{self.plain} does not speak TLS: ", said)
        self.assertIn(". Give the server a certificate.", said)

    def test_it_is_tried_once_more_and_not_for_seconds(self):
        failure = error_from_call(EndedBy("ipv4:127.0.0.1:1: Unwrap failed (TSI_DATA_CORRUPTED)"), "here:1")
        self.assertIn("asks its callers for a certificate", failure.message)
        self.assertIsNotNone(pause_before(2, failure, True))
        self.assertIsNone(pause_before(3, failure, True))


class EndedBy:
    """A call that came to nothing."""

    def __init__(self, said):
        self.said = said

    def code(self):
        return grpc.StatusCode.UNAVAILABLE

    def details(self):
        return self.said

    def trailing_metadata(self):
        return None


if __name__ == "__main__":
    unittest.main()
