"""Generated from loci/v1/block.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.v1 import block_pb2
from loci_client.values import BlockValue, read_block_value, read_time


BlockPolicy = Literal["unspecified", "approve", "auto", "read_only"]
"""What happens to a proposed edit."""
BLOCK_POLICY_NAMES: Final[dict[int, BlockPolicy]] = {
    0: "unspecified",
    1: "approve",
    2: "auto",
    3: "read_only",
}


BlockOperationKind = Literal["unspecified", "set", "append", "remove", "replace"]
"""What an operation does."""
BLOCK_OPERATION_KIND_NAMES: Final[dict[int, BlockOperationKind]] = {
    0: "unspecified",
    1: "set",
    2: "append",
    3: "remove",
    4: "replace",
}


BlockEditState = Literal["unspecified", "pending", "approved", "rejected", "superseded", "expired", "withdrawn"]
"""Where an edit stands. Whatever is not pending stays what it is."""
BLOCK_EDIT_STATE_NAMES: Final[dict[int, BlockEditState]] = {
    0: "unspecified",
    1: "pending",
    2: "approved",
    3: "rejected",
    4: "superseded",
    5: "expired",
    6: "withdrawn",
}


BlockFieldType = Literal["unspecified", "string", "text", "integer", "boolean", "date", "choice", "list"]
"""What a field may hold."""
BLOCK_FIELD_TYPE_NAMES: Final[dict[int, BlockFieldType]] = {
    0: "unspecified",
    1: "string",
    2: "text",
    3: "integer",
    4: "boolean",
    5: "date",
    6: "choice",
    7: "list",
}


BlockOverflow = Literal["unspecified", "refuse", "archive"]
"""What becomes of a list that would get too long."""
BLOCK_OVERFLOW_NAMES: Final[dict[int, BlockOverflow]] = {
    0: "unspecified",
    1: "refuse",
    2: "archive",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Block(Record[block_pb2.Block]):
    """A versioned document with fields, whole in every context of its owner."""

    id: str = ""
    """A UUIDv7 made of owner and label."""
    owner: Scope
    """A user, an agent, a team or a project."""
    label: str = ""
    """One of its kind at its owner: a small letter, then at most 63 small letters, digits and underscores."""
    schema: str = ""
    """The name of its schema."""
    values: Mapping[str, BlockValue] = field(default_factory=dict, hash=False)
    """By the names of the schema's fields; what has no value is absent."""
    policy: str = "unspecified"
    """What happens to a proposed edit."""
    description: str | None = None
    """What it is for, where it says so itself."""
    version: int = 0
    """Counts the versions, from 1."""
    etag: str = ""
    """Stands for this version; send it back with an update."""
    create_time: datetime.datetime
    """When it was created."""
    update_time: datetime.datetime
    """When this version was made."""

    @staticmethod
    def _new() -> block_pb2.Block:
        return block_pb2.Block()

    @classmethod
    def from_proto(cls, message: block_pb2.Block) -> Block:
        return cls(
            id=message.id,
            owner=Scope.from_proto(message.owner),
            label=message.label,
            schema=message.schema,
            values={name: read_block_value(value) for name, value in message.values.items()},
            policy=BLOCK_POLICY_NAMES.get(message.policy) or str(int(message.policy)),
            description=message.description if message.HasField("description") else None,
            version=message.version,
            etag=message.etag,
            create_time=read_time(message.create_time),
            update_time=read_time(message.update_time),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockDocument(Record[block_pb2.BlockDocument]):
    """A block with its content in every form."""

    block: Block
    text: str = ""
    """As it stands in a context, before it is escaped."""
    markdown: str = ""
    """For people to edit, and to be given back to UpdateBlock."""
    toml: str = ""
    """As the git mirror has it."""
    commit_id: str = ""
    """The commit of the owner's git mirror that brought this version."""

    @staticmethod
    def _new() -> block_pb2.BlockDocument:
        return block_pb2.BlockDocument()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockDocument) -> BlockDocument:
        return cls(
            block=Block.from_proto(message.block),
            text=message.text,
            markdown=message.markdown,
            toml=message.toml,
            commit_id=message.commit_id,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockVersion(Record[block_pb2.BlockVersion]):
    """One line of a block's history."""

    version: int = 0
    commit_id: str = ""
    """40 hexadecimal digits."""
    author: str = ""
    """Who proposed it."""
    approver: str | None = None
    """Who approved it, where that was another."""
    message: str = ""
    time: datetime.datetime

    @staticmethod
    def _new() -> block_pb2.BlockVersion:
        return block_pb2.BlockVersion()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockVersion) -> BlockVersion:
        return cls(
            version=message.version,
            commit_id=message.commit_id,
            author=message.author,
            approver=message.approver if message.HasField("approver") else None,
            message=message.message,
            time=read_time(message.time),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockFieldChange(Record[block_pb2.BlockFieldChange]):
    """One field that two versions of a block differ in."""

    field: str = ""
    before: BlockValue | None = None
    """Absent: it had no value."""
    after: BlockValue | None = None
    """Absent: it has no value."""

    @staticmethod
    def _new() -> block_pb2.BlockFieldChange:
        return block_pb2.BlockFieldChange()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockFieldChange) -> BlockFieldChange:
        return cls(
            field=message.field,
            before=read_block_value(message.before) if message.HasField("before") else None,
            after=read_block_value(message.after) if message.HasField("after") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockOperation(Record[block_pb2.BlockOperation]):
    """One change of one field. Its place in an edit is its hunk."""

    op: str = "unspecified"
    """Required."""
    field: str = ""
    """Required."""
    value: BlockValue
    """Required. The value, the further or removed entry, or what takes the place of old. Text for every op but set."""
    old: str | None = None
    """Required for replace: the entry, or the only place of the text, that is replaced."""

    @staticmethod
    def _new() -> block_pb2.BlockOperation:
        return block_pb2.BlockOperation()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockOperation) -> BlockOperation:
        return cls(
            op=BLOCK_OPERATION_KIND_NAMES.get(message.op) or str(int(message.op)),
            field=message.field,
            value=read_block_value(message.value),
            old=message.old if message.HasField("old") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockEdit(Record[block_pb2.BlockEdit]):
    """A proposed change of a block."""

    id: str = ""
    """A UUIDv7."""
    owner: Scope
    label: str = ""
    base_version: int = 0
    """The version it was made for, or moved on to after others that it has nothing to do with."""
    operations: tuple[BlockOperation, ...] = ()
    state: str = "unspecified"
    stale: bool = False
    """True for a pending edit that collides with what came after its base."""
    propose_time: datetime.datetime
    proposer: str = ""
    reason: str | None = None
    decide_time: datetime.datetime | None = None
    decider: str | None = None
    """Who approved, rejected or withdrew it."""
    approved_hunks: tuple[int, ...] | None = None
    """The operations that were approved."""

    @staticmethod
    def _new() -> block_pb2.BlockEdit:
        return block_pb2.BlockEdit()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockEdit) -> BlockEdit:
        return cls(
            id=message.id,
            owner=Scope.from_proto(message.owner),
            label=message.label,
            base_version=message.base_version,
            operations=tuple([BlockOperation.from_proto(value) for value in message.operations]),
            state=BLOCK_EDIT_STATE_NAMES.get(message.state) or str(int(message.state)),
            stale=message.stale,
            propose_time=read_time(message.propose_time),
            proposer=message.proposer,
            reason=message.reason if message.HasField("reason") else None,
            decide_time=read_time(message.decide_time) if message.HasField("decide_time") else None,
            decider=message.decider if message.HasField("decider") else None,
            approved_hunks=tuple(message.approved_hunks.positions) if message.HasField("approved_hunks") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockEditPreview(Record[block_pb2.BlockEditPreview]):
    """What an edit would make of its block as it stands now."""

    base_version: int = 0
    """Approve with this."""
    content_hash: str = ""
    """Approve with this: SHA-256 of the block's TOML as it would be."""
    values: Mapping[str, BlockValue] = field(default_factory=dict, hash=False)
    archived: tuple[ArchivedEntry, ...] = ()
    """Entries that lists would give up, which become memories."""
    diff: tuple[BlockFieldChange, ...] = ()
    stale: bool = False

    @staticmethod
    def _new() -> block_pb2.BlockEditPreview:
        return block_pb2.BlockEditPreview()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockEditPreview) -> BlockEditPreview:
        return cls(
            base_version=message.base_version,
            content_hash=message.content_hash,
            values={name: read_block_value(value) for name, value in message.values.items()},
            archived=tuple([ArchivedEntry.from_proto(value) for value in message.archived]),
            diff=tuple([BlockFieldChange.from_proto(value) for value in message.diff]),
            stale=message.stale,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ArchivedEntry(Record[block_pb2.ArchivedEntry]):
    """A list entry that leaves its block."""

    field: str = ""
    entry: str = ""

    @staticmethod
    def _new() -> block_pb2.ArchivedEntry:
        return block_pb2.ArchivedEntry()

    @classmethod
    def from_proto(cls, message: block_pb2.ArchivedEntry) -> ArchivedEntry:
        return cls(
            field=message.field,
            entry=message.entry,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockSchema(Record[block_pb2.BlockSchema]):
    """The form of a block."""

    name: str = ""
    """Required. As a label."""
    description: str | None = None
    """Optional. What a block of this schema is for."""
    fields: tuple[BlockField, ...] = ()
    """Required. 1 to 64, in the order in which they are written and shown."""

    @staticmethod
    def _new() -> block_pb2.BlockSchema:
        return block_pb2.BlockSchema()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockSchema) -> BlockSchema:
        return cls(
            name=message.name,
            description=message.description if message.HasField("description") else None,
            fields=tuple([BlockField.from_proto(value) for value in message.fields]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockField(Record[block_pb2.BlockField]):
    """One field of a schema."""

    name: str = ""
    """Required. A letter, then at most 63 letters, digits and underscores."""
    type: str = "unspecified"
    """Required."""
    title: str | None = None
    """Optional. Its heading in Markdown. Default: made of the name."""
    description: str | None = None
    """Optional. What belongs here."""
    required: bool | None = None
    """Optional. True: a block without a value here is refused. Default false."""
    default: BlockValue | None = None
    """Optional. What an absent field gets."""
    max: int | None = None
    """Optional. Most entries of a list, most UTF-16 units of a string or text."""
    overflow: str = "unspecified"
    """Optional. What becomes of a list that would get longer than max. Default: it is refused."""
    options: tuple[str, ...] = ()
    """Required for choices: what may be chosen."""

    @staticmethod
    def _new() -> block_pb2.BlockField:
        return block_pb2.BlockField()

    @classmethod
    def from_proto(cls, message: block_pb2.BlockField) -> BlockField:
        return cls(
            name=message.name,
            type=BLOCK_FIELD_TYPE_NAMES.get(message.type) or str(int(message.type)),
            title=message.title if message.HasField("title") else None,
            description=message.description if message.HasField("description") else None,
            required=message.required if message.HasField("required") else None,
            default=read_block_value(message.default) if message.HasField("default") else None,
            max=message.max if message.HasField("max") else None,
            overflow=BLOCK_OVERFLOW_NAMES.get(message.overflow) or str(int(message.overflow)),
            options=tuple(message.options),
        )._from(message)
