"""The methods of the contract, as they are called."""

from __future__ import annotations

from operator import methodcaller
from typing import Generic, TypeVar

from google.protobuf.message import Message

Response_co = TypeVar("Response_co", bound=Message, covariant=True)

serialize = methodcaller("SerializeToString")


class Method(Generic[Response_co]):
    """One RPC: its path, and what answers it."""

    __slots__ = ("_name", "path")

    def __init__(self, service: str, name: str, response: str | None = None) -> None:
        """Args:
        response: The name of the message. Default: that of the method, and `Response`.
        """
        self.path = f"/loci.v1.{service}/{name}"
        self._name = f"{name}Response" if response is None else response

    @property
    def response(self) -> type[Response_co]:
        from loci_client import v1

        return getattr(v1, self._name)  # type: ignore[no-any-return]
