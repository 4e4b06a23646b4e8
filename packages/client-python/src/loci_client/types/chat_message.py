"""Generated from loci/v1/context.proto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from loci_client.record import Record
from loci_client.v1 import context_pb2


ChatRole = Literal["unspecified", "system", "developer", "user", "assistant", "tool"]
"""Who speaks."""
CHAT_ROLE_NAMES: Final[dict[int, ChatRole]] = {
    0: "unspecified",
    1: "system",
    2: "developer",
    3: "user",
    4: "assistant",
    5: "tool",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ChatMessage(Record[context_pb2.ChatMessage]):
    """One message of a conversation, as the OpenAI chat API has it."""

    role: str = "unspecified"
    """Required."""
    content: str | None = None
    """Plain text."""
    parts: tuple[ContentPart, ...] | None = None
    """Text and images."""
    name: str | None = None
    """Optional."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Optional."""
    tool_call_id: str | None = None
    """Required for CHAT_ROLE_TOOL: the call this is the result of."""
    id: str | None = None
    """Optional. An id of your own: with it the message's tokens are counted once."""

    @staticmethod
    def _new() -> context_pb2.ChatMessage:
        return context_pb2.ChatMessage()

    @classmethod
    def from_proto(cls, message: context_pb2.ChatMessage) -> ChatMessage:
        return cls(
            role=CHAT_ROLE_NAMES.get(message.role) or str(int(message.role)),
            content=message.content if message.HasField("content") else None,
            parts=tuple([ContentPart.from_proto(value) for value in message.parts.parts]) if message.HasField("parts") else None,
            name=message.name if message.HasField("name") else None,
            tool_calls=tuple([ToolCall.from_proto(value) for value in message.tool_calls]),
            tool_call_id=message.tool_call_id if message.HasField("tool_call_id") else None,
            id=message.id if message.HasField("id") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ContentPart(Record[context_pb2.ContentPart]):
    """Text or an image."""

    text: str | None = None
    """Text."""
    image_url: ImageUrl | None = None
    """An image by its address."""

    @staticmethod
    def _new() -> context_pb2.ContentPart:
        return context_pb2.ContentPart()

    @classmethod
    def from_proto(cls, message: context_pb2.ContentPart) -> ContentPart:
        return cls(
            text=message.text if message.HasField("text") else None,
            image_url=ImageUrl.from_proto(message.image_url) if message.HasField("image_url") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ImageUrl(Record[context_pb2.ImageUrl]):
    """An image by its address."""

    url: str = ""
    """Required."""
    detail: str | None = None
    """Optional. "auto", "low" or "high"."""

    @staticmethod
    def _new() -> context_pb2.ImageUrl:
        return context_pb2.ImageUrl()

    @classmethod
    def from_proto(cls, message: context_pb2.ImageUrl) -> ImageUrl:
        return cls(
            url=message.url,
            detail=message.detail if message.HasField("detail") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ToolCall(Record[context_pb2.ToolCall]):
    """The model asks for a function to be called."""

    id: str = ""
    """Required."""
    name: str = ""
    """Required."""
    arguments: str = ""
    """Required. JSON, as the model wrote it."""

    @staticmethod
    def _new() -> context_pb2.ToolCall:
        return context_pb2.ToolCall()

    @classmethod
    def from_proto(cls, message: context_pb2.ToolCall) -> ToolCall:
        return cls(
            id=message.id,
            name=message.name,
            arguments=message.arguments,
        )._from(message)
