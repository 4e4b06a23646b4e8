"""Stubs of a Loci server, and how to connect to one."""

from loci_client import v1
from loci_client.connect import connect
from loci_client.connect_local import connect_local
from loci_client.delegated_token import delegated_token

__all__ = ["connect", "connect_local", "delegated_token", "v1"]
