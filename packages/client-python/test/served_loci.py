"""The running server that tools/polyglot starts, and what tests look at of the calls it gets."""

import os
import unittest
from pathlib import Path
from uuid import uuid4

import grpc

from loci_client import AsyncLoci, Loci

needs_server = unittest.skipUnless(
    "LOCI_TEST_ADDRESS" in os.environ, "LOCI_TEST_ADDRESS names no server; tools/polyglot starts one"
)


def new_user():
    """The scope of somebody of whom nothing is known."""
    return f"user:{uuid4()}"


def connect(kind=Loci):
    """A client of the server, whose `called` are the names of the methods it has called."""
    authority = Path(os.environ["LOCI_TEST_AUTHORITY"]).read_bytes()
    credentials = grpc.ssl_channel_credentials(root_certificates=authority)
    loci = kind.connect(
        os.environ["LOCI_TEST_ADDRESS"], api_key=os.environ["LOCI_TEST_AGENTS_API_KEY"], credentials=credentials
    )
    loci.called = []
    unary = loci._calls.unary

    def recorded(method, *rest):
        loci.called.append(method.path.rpartition("/")[2])
        return unary(method, *rest)

    loci._calls.unary = recorded
    return loci


def connect_async():
    return connect(AsyncLoci)


def told(errors):
    """An `on_error` that notes what it is told."""
    return lambda error, stage: errors.append((getattr(error, "reason", type(error).__name__), stage))
