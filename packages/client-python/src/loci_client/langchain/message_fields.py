"""What a message is made of, as plain JSON: in LangChain's own form for it."""

from __future__ import annotations

import base64
import json
from typing import Any

from langchain_core.messages import (
    BaseMessage,
    BaseMessageChunk,
    message_chunk_to_message,
    message_to_dict,
    messages_from_dict,
)
from pydantic import BaseModel

MessageFields = dict[str, Any]
"""`{"type": "human", "data": {"content": …, "id": …}}`"""


def fields_of(message: BaseMessage) -> MessageFields:
    """The fields of a message, as they are after a trip through JSON.

    Raises:
        TypeError: There is something in it that JSON does not know.
    """
    whole = message_chunk_to_message(message) if isinstance(message, BaseMessageChunk) else message
    fields: MessageFields = json.loads(json.dumps(message_to_dict(whole), default=_as_json))
    return fields


def message_with(fields: MessageFields) -> BaseMessage:
    """The message with these fields."""
    return messages_from_dict([fields])[0]


def _as_json(value: object) -> object:
    """Bytes of an image or a sound become Base64, which LangChain takes in the same place."""
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError(f"A message with a {type(value).__name__} cannot be kept: JSON does not know it.")
