"""What `connect` promises, without a Loci server."""

import socket
import unittest
from concurrent.futures import ThreadPoolExecutor

import grpc

from loci_client import connect, v1

API_KEY = "loci_secret_0123456789"
COUNT_TOKENS = "/loci.v1.ContextService/CountTokens"


class HeaderRecorder(grpc.GenericRpcHandler):
    """Answers CountTokens and remembers what it was sent."""

    def __init__(self):
        self.metadata = {}

    def service(self, call):
        if call.method != COUNT_TOKENS:
            return None
        self.metadata = dict(call.invocation_metadata)
        return grpc.unary_unary_rpc_method_handler(
            lambda request, _: v1.CountTokensResponse(tokens=len(request.text)),
            request_deserializer=v1.CountTokensRequest.FromString,
            response_serializer=v1.CountTokensResponse.SerializeToString,
        )


class RecordedCalls(unittest.TestCase):
    """Has a server that notes the headers it is called with."""

    def setUp(self):
        self.recorder = HeaderRecorder()
        server = grpc.server(ThreadPoolExecutor(2), handlers=[self.recorder])
        self.port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        self.addCleanup(lambda: server.stop(None).wait())


class ConnectTest(RecordedCalls):
    def count(self, **options):
        with connect(f"localhost:{self.port}", **options) as channel:
            return v1.ContextServiceStub(channel).CountTokens(v1.CountTokensRequest(text="four"), timeout=30)

    def test_the_key_goes_with_the_call(self):
        self.assertEqual(self.count(api_key=API_KEY).tokens, 4)
        self.assertEqual(self.recorder.metadata["authorization"], f"Bearer {API_KEY}")

    def test_without_a_key_there_is_no_header(self):
        self.assertEqual(self.count().tokens, 4)
        self.assertNotIn("authorization", self.recorder.metadata)

    def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(self):
        for key in ("", "spaced key", "line\nend", "schlüssel"):
            with self.subTest(key), self.assertRaises(ValueError) as refusal:
                connect("localhost:5624", api_key=key)
            if key:
                self.assertNotIn(key, str(refusal.exception))

    def test_what_is_not_host_and_port_is_refused(self):
        no_port = ("", "localhost", "localhost:0", "localhost:65536", "a:1\n", "a:١")
        no_host = ("dns:///a:1", "http://a:1", "a:1/b")
        for address in (*no_port, *no_host):
            with self.subTest(address), self.assertRaisesRegex(ValueError, "host:port"):
                connect(address)


class PlaintextTest(unittest.TestCase):
    """On Linux 0.0.0.0 reaches this machine, without being a loopback address."""

    def first_bytes_sent_to(self, host):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(30)
            with connect(f"{host}:{listener.getsockname()[1]}", api_key=API_KEY) as channel:
                call = v1.ContextServiceStub(channel).CountTokens.future(v1.CountTokensRequest(), timeout=30)
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(30)
                    first = connection.recv(3)
                call.cancel()
        return first

    def test_this_machine_is_sent_plaintext(self):
        self.assertEqual(self.first_bytes_sent_to("127.0.0.1"), b"PRI")

    def test_every_other_machine_is_sent_tls(self):
        self.assertEqual(self.first_bytes_sent_to("0.0.0.0")[:2], b"\x16\x03")

    def test_a_name_that_begins_like_loopback_is_not_loopback(self):
        from loci_client.endpoint import is_loopback_host

        self.assertTrue(all(map(is_loopback_host, ("localhost", "127.0.0.1", "127.1.2.3", "[::1]"))))
        others = ("127.0.0.1.example.com", "localhost.example.com", "10.0.0.1", "[::2]", "[::ffff:10.0.0.1]", "127.1")
        self.assertFalse(any(map(is_loopback_host, others)))


if __name__ == "__main__":
    unittest.main()
