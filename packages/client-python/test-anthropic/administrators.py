"""Clients that may say what takes effect at once."""

import os
from pathlib import Path

import grpc

from loci_client import AsyncLoci, Loci


def connect_administrator(kind=Loci):
    authority = Path(os.environ["LOCI_TEST_AUTHORITY"]).read_bytes()
    credentials = grpc.ssl_channel_credentials(root_certificates=authority)
    key = os.environ["LOCI_TEST_ADMINISTRATORS_API_KEY"]
    return kind.connect(os.environ["LOCI_TEST_ADDRESS"], api_key=key, credentials=credentials)


def connect_administrator_async():
    return connect_administrator(AsyncLoci)
