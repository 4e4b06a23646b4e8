"""The methods of the contract, as they are called."""

from __future__ import annotations

from operator import methodcaller
from typing import Generic, TypeVar

from google.protobuf.message import Message

Response_co = TypeVar("Response_co", bound=Message, covariant=True)

serialize = methodcaller("SerializeToString")


class Method(Generic[Response_co]):
    """One RPC: its path, and what answers it."""

    __slots__ = ("path", "response")

    def __init__(self, service: str, name: str, response: type[Response_co]) -> None:
        self.path = f"/loci.v1.{service}/{name}"
        self.response = response
