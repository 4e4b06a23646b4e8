"""Generated from loci/v1/scope.proto."""

from __future__ import annotations

from dataclasses import dataclass

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.v1 import scope_pb2


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SessionReference(Record[scope_pb2.SessionReference]):
    """Names a session: two scopes may each have one of the same id."""

    scope: Scope
    """Required."""
    id: str = ""
    """Required. 1 to 200 bytes."""

    @staticmethod
    def _new() -> scope_pb2.SessionReference:
        return scope_pb2.SessionReference()

    @classmethod
    def from_proto(cls, message: scope_pb2.SessionReference) -> SessionReference:
        return cls(
            scope=Scope.from_proto(message.scope),
            id=message.id,
        )._from(message)
