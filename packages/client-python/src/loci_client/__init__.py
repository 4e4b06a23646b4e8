"""Stubs of a Loci server, and how to connect to one."""

from loci_client import v1
from loci_client.connect import connect

__all__ = ["connect", "v1"]
