"""A server that answers as it is told, and remembers what it was called with."""

import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from loci_client import v1

API_KEY = "loci_secret_0123456789"
UNAVAILABLE = (grpc.StatusCode.UNAVAILABLE, "Not now.")


class Call(NamedTuple):
    method: str
    request: bytes
    metadata: dict
    time: float
    seconds_left: float


class Script(grpc.GenericRpcHandler):
    """Each call takes the next step: an answer, `(code, text)`, a status, a function of the call, a list of these."""

    def __init__(self):
        self.calls = []
        self.steps = []

    def service(self, details):
        method, metadata = details.method, dict(details.invocation_metadata)

        def answer(request, context):
            self.calls.append(Call(method, request, metadata, time.monotonic(), context.time_remaining()))
            steps = self.steps.pop(0) if self.steps else v1.GetMemoryResponse(memory=v1.Memory(id="id"))
            for step in steps if isinstance(steps, list) else [steps]:
                if callable(step):
                    step = step(context)
                if isinstance(step, Status):
                    context.set_trailing_metadata((("grpc-status-details-bin", step.SerializeToString()),))
                    context.abort(_code(step.code), step.message)
                elif isinstance(step, tuple):
                    context.abort(*step)
                else:
                    yield step.SerializeToString()

        # One answer of a stream is a unary call's answer, on the wire.
        return grpc.unary_stream_rpc_method_handler(answer)


def loci_status(code, reason, message="It failed.", *, field=None, interface_field=None, retry_after=None, **metadata):
    """The status of a Loci server."""
    if interface_field is not None:
        metadata["field"] = interface_field
    details = [ErrorInfo(reason=reason, domain="loci", metadata=metadata)]
    if field is not None:
        details.append(BadRequest(field_violations=[BadRequest.FieldViolation(field=field)]))
    if retry_after is not None:
        delay = Duration()
        delay.FromMilliseconds(int(retry_after * 1000))
        details.append(RetryInfo(retry_delay=delay))
    packed = []
    for detail in details:
        packed.append(Any())
        packed[-1].Pack(detail)
    return Status(code=code.value[0], message=message, details=packed)


def start_server(script, port=0):
    """The running server, and its port."""
    # With the option, another server cannot be at the port at the same time.
    server = grpc.server(ThreadPoolExecutor(16), handlers=[script], options=[("grpc.so_reuseport", 0)])
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    return server, bound


class ScriptedServer(unittest.TestCase):
    def setUp(self):
        self.script = Script()
        self.server, self.port = start_server(self.script)
        self.addCleanup(lambda: self.server.stop(None).wait())
        self.address = f"127.0.0.1:{self.port}"


def _code(number):
    return next(code for code in grpc.StatusCode if code.value[0] == number)
