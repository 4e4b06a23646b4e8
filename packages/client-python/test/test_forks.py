"""Programs that fork while 32 threads, 2 event loops and a watch use their clients."""

import os
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

from loci_client import v1

PROGRAM = Path(__file__).with_name("forking_program.py")


class BusyServer(grpc.GenericRpcHandler):
    def service(self, details):
        if details.method.endswith("WatchMemories"):
            return grpc.unary_stream_rpc_method_handler(self.watch)
        answer = v1.GetMemoryResponse(memory=v1.Memory(id="id")).SerializeToString()
        return grpc.unary_unary_rpc_method_handler(lambda request, context: answer)

    def watch(self, request, context):
        while context.is_active():
            yield v1.WatchMemoriesResponse(cursor="1").SerializeToString()
            time.sleep(0.05)


@unittest.skipUnless(hasattr(os, "fork"), "this machine has no fork")
class ForkTest(unittest.TestCase):
    def test_children_call_and_the_parent_goes_on(self):
        server = grpc.server(ThreadPoolExecutor(16), handlers=[BusyServer()])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        self.addCleanup(lambda: server.stop(None).wait())
        command = [sys.executable, str(PROGRAM), f"127.0.0.1:{port}"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        self.assertEqual(ended.stdout, "8 children, 3 kinds of callers went on, errors: []\n")


if __name__ == "__main__":
    unittest.main()
