"""Loci from Python: `Loci`, `AsyncLoci`, and below them the stubs of the contract (`v1`) with bare connections."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loci_client import reasons as reasons
    from loci_client import types as types
    from loci_client import v1 as v1
    from loci_client.anthropic_form import to_anthropic as to_anthropic
    from loci_client.asynchronous.client import AsyncLoci as AsyncLoci
    from loci_client.connect import connect as connect
    from loci_client.connect_local import connect_local as connect_local
    from loci_client.delegated_token import delegated_token as delegated_token
    from loci_client.errors import AlreadyExistsError as AlreadyExistsError
    from loci_client.errors import CancelledError as CancelledError
    from loci_client.errors import ConflictError as ConflictError
    from loci_client.errors import DeadlineExceededError as DeadlineExceededError
    from loci_client.errors import FailedPreconditionError as FailedPreconditionError
    from loci_client.errors import InternalError as InternalError
    from loci_client.errors import InvalidArgumentError as InvalidArgumentError
    from loci_client.errors import LociError as LociError
    from loci_client.errors import NotFoundError as NotFoundError
    from loci_client.errors import PermissionDeniedError as PermissionDeniedError
    from loci_client.errors import ResourceExhaustedError as ResourceExhaustedError
    from loci_client.errors import UnauthenticatedError as UnauthenticatedError
    from loci_client.errors import UnavailableError as UnavailableError
    from loci_client.errors import UnsupportedError as UnsupportedError
    from loci_client.filters import F as F
    from loci_client.filters import Filter as Filter
    from loci_client.memory_ids import unpacked_ids as unpacked_ids
    from loci_client.openai_form import to_openai as to_openai
    from loci_client.scope import Scope as Scope
    from loci_client.synchronous.client import Loci as Loci
    from loci_client.unset import UNSET as UNSET

# Each name by the module that has it. What is not asked for is not loaded: the program of one call starts quickly.
_MODULES = {
    "AsyncLoci": "asynchronous.client",
    "F": "filters",
    "Filter": "filters",
    "Loci": "synchronous.client",
    "Scope": "scope",
    "UNSET": "unset",
    "connect": "connect",
    "connect_local": "connect_local",
    "delegated_token": "delegated_token",
    "to_anthropic": "anthropic_form",
    "to_openai": "openai_form",
    "unpacked_ids": "memory_ids",
    **dict.fromkeys(
        (
            "AlreadyExistsError",
            "CancelledError",
            "ConflictError",
            "DeadlineExceededError",
            "FailedPreconditionError",
            "InternalError",
            "InvalidArgumentError",
            "LociError",
            "NotFoundError",
            "PermissionDeniedError",
            "ResourceExhaustedError",
            "UnauthenticatedError",
            "UnavailableError",
            "UnsupportedError",
        ),
        "errors",
    ),
}

__all__ = [*sorted(_MODULES), "reasons", "types", "v1"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("reasons", "types", "v1"):
        return import_module(f"{__name__}.{name}")
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
