"""Messages as turns of a session, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, ToolMessage

from loci_client.agent.json_text import json_text, parse_redacted_json
from loci_client.agent.matched_calls import without_call
from loci_client.errors import invalid
from loci_client.langchain.message_fields import MessageFields, fields_of, message_with
from loci_client.types import ToolCall, Turn

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}
_NAMED_ROLES = ("system", "developer", "user", "assistant")
# How LangChain marks a system message that OpenAI calls the developer's.
_DEVELOPER_MARK = {"__openai_role__": "developer"}


def turn_of(message: BaseMessage) -> Turn:
    """What was said with a message: its text, who said it, and the tools it calls.

    Raises:
        InvalidArgumentError: `INVALID_MESSAGES`, it says that another one is to be removed.
    """
    role = _role_of(message)
    turn = Turn(role=role, content=str(message.text), name=message.name)
    if isinstance(message, ToolMessage):
        return replace(turn, tool_call_id=message.tool_call_id)
    if role == "tool":
        # What a function of OpenAI's first form returned answers no call that has an id.
        return without_call(turn)
    return replace(turn, tool_calls=_calls_of(message)) if isinstance(message, AIMessage) else turn


def message_of(turn: Turn, beyond: MessageFields | None = None) -> BaseMessage:
    """The message that says what a turn says, with the fields that the turn does not have."""
    said = _fields_of_turn(turn)
    if beyond is None:
        return message_with(said)
    if beyond["type"] != said["type"]:
        return message_with(beyond)
    return message_with({"type": said["type"], "data": {**said["data"], **beyond["data"]}})


def beyond_turn(turn: Turn, message: BaseMessage) -> MessageFields | None:
    """The fields of a message that its turn does not have. `None` when the turn says it all."""
    said, given = fields_of(message_of(turn)), fields_of(message)
    if given["type"] != said["type"]:
        return given
    more = {name: value for name, value in given["data"].items() if value != said["data"].get(name)}
    return {"type": given["type"], "data": more} if more else None


def _role_of(message: BaseMessage) -> str:
    if isinstance(message, ChatMessage):
        return message.role if message.role in _NAMED_ROLES else "assistant"
    if message.type == "system" and message.additional_kwargs.get("__openai_role__") == "developer":
        return "developer"
    role = _ROLES.get(message.type.removesuffix("MessageChunk").lower())
    if role is None:
        raise invalid(
            "INVALID_MESSAGES",
            f"A message of the type {message.type} says nothing that a session could keep.",
            field="messages",
            advice="Sessions only grow: delete the session with clear(), or begin another one.",
        )
    return role


def _calls_of(message: AIMessage) -> tuple[ToolCall, ...]:
    """Calls that have an id, as far as no other call of the message has the same."""
    understood = [(call["id"], call["name"], json_text(call["args"])) for call in message.tool_calls]
    others = [(call["id"], call["name"], call["args"] or "") for call in message.invalid_tool_calls]
    calls: dict[str, ToolCall] = {}
    for id, name, arguments in [*understood, *others]:
        if id and name and id not in calls:
            calls[id] = ToolCall(id=id, name=name, arguments=arguments)
    return tuple(calls.values())


def _fields_of_turn(turn: Turn) -> MessageFields:
    data: dict[str, Any] = {"content": turn.content}
    if turn.name is not None:
        data["name"] = turn.name
    if turn.role == "assistant":
        return {"type": "ai", "data": {**data, **_understood(turn)}}
    if turn.role == "tool":
        return {"type": "tool", "data": {**data, "tool_call_id": turn.tool_call_id}}
    if turn.role == "developer":
        return {"type": "system", "data": {**data, "additional_kwargs": _DEVELOPER_MARK}}
    return {"type": "system" if turn.role == "system" else "human", "data": data}


def _understood(turn: Turn) -> dict[str, Any]:
    calls: dict[str, list[dict[str, Any]]] = {"tool_calls": [], "invalid_tool_calls": []}
    for call in turn.tool_calls:
        arguments = _parsed(call.arguments)
        if arguments is None:
            calls["invalid_tool_calls"].append(
                {"id": call.id, "name": call.name, "args": call.arguments, "error": None, "type": "invalid_tool_call"}
            )
        else:
            calls["tool_calls"].append({"id": call.id, "name": call.name, "args": arguments, "type": "tool_call"})
    return calls


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        parsed = parse_redacted_json(text)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None
