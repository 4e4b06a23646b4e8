"""Generated from loci/v1/session.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.types.chat_message import CHAT_ROLE_NAMES, ToolCall
from loci_client.v1 import session_pb2
from loci_client.values import read_time


CaptureMoment = Literal["unspecified", "on_close", "off"]
"""When memories are made of a session's turns."""
CAPTURE_MOMENT_NAMES: Final[dict[int, CaptureMoment]] = {
    0: "unspecified",
    1: "on_close",
    2: "off",
}


SessionState = Literal["unspecified", "open", "closed"]
"""Whether a session takes turns."""
SESSION_STATE_NAMES: Final[dict[int, SessionState]] = {
    0: "unspecified",
    1: "open",
    2: "closed",
}


TurnOrder = Literal["unspecified", "oldest_first", "newest_first"]
"""From which end turns are given."""
TURN_ORDER_NAMES: Final[dict[int, TurnOrder]] = {
    0: "unspecified",
    1: "oldest_first",
    2: "newest_first",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Session(Record[session_pb2.Session]):
    """One conversation, whose turns are kept in order and never changed. Its scope and its id together name it."""

    scope: Scope
    """Required. Fixed once the session exists."""
    id: str = ""
    """Required. 1 to 187 bytes. Fixed once the session exists."""
    agent: str | None = None
    """Optional. Who answers in it, by the id of an agent scope."""
    project: str | None = None
    """Optional. What it is about, by the id of a project scope."""
    title: str | None = None
    """Optional. 1 to 1,000 bytes."""
    capture_moment: str | None = None
    """At a moment, or never."""
    capture_every_turns: int | None = None
    """Whenever so many turns came since the last time."""
    remember_turns: bool = False
    """Optional. What users and assistants say becomes memories as well, a turn each. Default false."""
    keep_secrets: bool = False
    """Optional. Turns and title are stored as they came, also with secrets in them. Default false."""
    state: str = "unspecified"
    """A closed session takes no turns until it is opened again."""
    last_turn: int = 0
    """The number of its last turn; 0: none yet."""
    create_time: datetime.datetime | None = None
    """Optional. Default now."""
    update_time: datetime.datetime | None = None
    etag: str = ""
    """Changes with every append, too."""
    capture_instructions: str | None = None
    """Optional. What a capture model is told besides, in words of the application's builder. 1 to 2,000 UTF-16 units.
    Rules do not read it.
    """
    capture_except: tuple[str, ...] = ()
    """Optional. What captures leave out, by rules and by a model: "fact", "preference", "decision", "entity" or
    "procedure". Default: nothing.
    """

    @staticmethod
    def _new() -> session_pb2.Session:
        return session_pb2.Session()

    @classmethod
    def from_proto(cls, message: session_pb2.Session) -> Session:
        return cls(
            scope=Scope.from_proto(message.scope),
            id=message.id,
            agent=message.agent if message.HasField("agent") else None,
            project=message.project if message.HasField("project") else None,
            title=message.title if message.HasField("title") else None,
            capture_moment=CAPTURE_MOMENT_NAMES.get(message.capture_moment) or str(int(message.capture_moment)) if message.HasField("capture_moment") else None,
            capture_every_turns=message.capture_every_turns if message.HasField("capture_every_turns") else None,
            remember_turns=message.remember_turns,
            keep_secrets=message.keep_secrets,
            state=SESSION_STATE_NAMES.get(message.state) or str(int(message.state)),
            last_turn=message.last_turn,
            create_time=read_time(message.create_time) if message.HasField("create_time") else None,
            update_time=read_time(message.update_time) if message.HasField("update_time") else None,
            etag=message.etag,
            capture_instructions=message.capture_instructions if message.HasField("capture_instructions") else None,
            capture_except=tuple(message.capture_except),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Turn(Record[session_pb2.Turn]):
    """What somebody said in a session, or what a tool answered."""

    number: int = 0
    """Its place in the session, from 1 without gaps."""
    role: str = "unspecified"
    """Required."""
    content: str = ""
    """Required. May be empty, as of an assistant that only calls tools."""
    name: str | None = None
    """Optional. Who it was, among several of one role."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Optional. Of an assistant only."""
    tool_call_id: str | None = None
    """Required of a tool, and of nobody else: the call it answers."""
    time: datetime.datetime | None = None
    """Optional. When it was said. Default: when it is appended."""
    recalled: bool = False
    """Optional. True for text that came out of memory. Nothing is learned from it again. Default false."""

    @staticmethod
    def _new() -> session_pb2.Turn:
        return session_pb2.Turn()

    @classmethod
    def from_proto(cls, message: session_pb2.Turn) -> Turn:
        return cls(
            number=message.number,
            role=CHAT_ROLE_NAMES.get(message.role) or str(int(message.role)),
            content=message.content,
            name=message.name if message.HasField("name") else None,
            tool_calls=tuple([ToolCall.from_proto(value) for value in message.tool_calls]),
            tool_call_id=message.tool_call_id if message.HasField("tool_call_id") else None,
            time=read_time(message.time) if message.HasField("time") else None,
            recalled=message.recalled,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TurnState(Record[session_pb2.TurnState]):
    """Where an agent stands in the work of a session."""

    json: str = ""
    """Required. The state as JSON, at most 256 KiB: session_id and so on in camelCase, and any fields of your own."""
    etag: str = ""
    """Empty: nothing was saved yet, and the state is that of an agent that begins."""
    terminal: bool = False
    """True once nothing is left to do."""

    @staticmethod
    def _new() -> session_pb2.TurnState:
        return session_pb2.TurnState()

    @classmethod
    def from_proto(cls, message: session_pb2.TurnState) -> TurnState:
        return cls(
            json=message.json,
            etag=message.etag,
            terminal=message.terminal,
        )._from(message)
