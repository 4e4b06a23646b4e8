"""How calls are told which session they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Union

from loci_client.fill import fill
from loci_client.scope import Scope

if TYPE_CHECKING:
    from loci_client.types import Session, SessionReference

SessionName = Union["Session", "SessionReference", Mapping[str, object], tuple[Union[str, Scope], str]]
"""A session, or its scope and its id: `("user:ann", "ann-monday")`."""


def session_fields(session: SessionName) -> dict[str, object]:
    """Scope and id, for requests that have fields of their own for them."""
    from loci_client import v1

    named = fill(v1.StartCaptureRequest(), {"session": session}).session
    return {"scope": named.scope if named.HasField("scope") else None, "id": named.id}
