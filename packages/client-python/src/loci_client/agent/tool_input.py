"""What a model gave to a tool."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from loci_client.agent.conversation import Conversation, block_owners
from loci_client.agent.json_text import json_text
from loci_client.errors import LociError, invalid


def fields_of_input(given: object) -> Mapping[str, Any]:
    """It, field by field, also where it is JSON as a model wrote it.

    Raises:
        InvalidArgumentError: `INVALID_REQUEST`.
    """
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except ValueError:
            given = None
    if not isinstance(given, Mapping):
        raise invalid("INVALID_REQUEST", "The input is not an object.", field="input", advice="Pass its fields by name.")
    return given


def text_in(fields: Mapping[str, Any], name: str) -> str:
    """A field that has to be a text that says something.

    Raises:
        InvalidArgumentError: `INVALID_REQUEST`.
    """
    value = fields.get(name)
    if isinstance(value, str) and value.strip():
        return value
    wrong = "missing" if value is None else "no text"
    raise invalid("INVALID_REQUEST", f"{name} is {wrong}.", field=name, advice=f"Pass {name} as a text.")


def named_owner(conversation: Conversation, named: object) -> str:
    """The owner that a model names, if it is one of the conversation's.

    Raises:
        InvalidArgumentError: `INVALID_REQUEST`.
    """
    owners = block_owners(conversation)
    if named is None and owners:
        return owners[0]
    if isinstance(named, str) and named in owners:
        return named
    message = "owner is none whose blocks belong to this conversation."
    raise invalid("INVALID_REQUEST", message, field="owner", advice=f"Use one of {', '.join(owners)}.")


def request_id_of(name: str, conversation: Conversation, fields: Mapping[str, Any], call_id: str | None) -> str | None:
    """Some providers give the calls of each run the same ids: what is asked, and for whom, belongs to the id of a write."""
    if call_id is None:
        return None
    recalled = [str(scope) for scope in conversation.recall_from or ()]
    asked = [name, str(conversation.scope), conversation.session, recalled, dict(fields), call_id]
    return hashlib.sha256(json_text(asked, str).encode()).hexdigest()


def told_to_model(error: LociError) -> str:
    """What was wrong, in words that help."""
    return f"Error: {error.message}" + ("" if error.advice is None else f" {error.advice}")
