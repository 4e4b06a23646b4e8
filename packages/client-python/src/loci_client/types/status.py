"""Generated from loci/v1/status.proto."""

from __future__ import annotations

from dataclasses import dataclass

from loci_client.record import Record
from loci_client.v1 import status_pb2


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Caller(Record[status_pb2.Caller]):
    """Whom the server takes a caller for, and who answers."""

    tenant: str = ""
    """The tenant of the credential."""
    subject: str = ""
    """The name that ends up as the author of what the caller writes, such as api-key:ci."""
    roles: tuple[str, ...] = ()
    """What the credential may do: read, write, approve, admin, operate."""
    scope_patterns: tuple[str, ...] = ()
    """Which scopes it may touch: exact (user:alice), all of a kind (user:*), or everything (*)."""
    version: str = ""
    """The version of the server, such as 0.1.0."""
    services: tuple[str, ...] = ()
    """The services that it has, such as loci.v1.MemoryService."""

    @staticmethod
    def _new() -> status_pb2.Caller:
        return status_pb2.Caller()

    @classmethod
    def from_proto(cls, message: status_pb2.Caller) -> Caller:
        return cls(
            tenant=message.tenant,
            subject=message.subject,
            roles=tuple(message.roles),
            scope_patterns=tuple(message.scope_patterns),
            version=message.version,
            services=tuple(message.services),
        )._from(message)
