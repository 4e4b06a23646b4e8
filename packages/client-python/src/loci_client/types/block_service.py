"""Generated from loci/v1/block_service.proto."""

from __future__ import annotations

from dataclasses import dataclass

from loci_client.record import Record
from loci_client.types.block import Block, BlockEdit, BlockEditPreview, BlockFieldChange, BlockVersion
from loci_client.v1 import block_service_pb2


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockWrite(Record[block_service_pb2.UpdateBlockResponse]):
    """What became of the write."""

    block: Block
    """As it stands now."""
    edit: BlockEdit | None = None
    """There when the write became a proposal."""

    @staticmethod
    def _new() -> block_service_pb2.UpdateBlockResponse:
        return block_service_pb2.UpdateBlockResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.UpdateBlockResponse | block_service_pb2.RestoreBlockResponse | block_service_pb2.UpdateProfileResponse | block_service_pb2.PromoteMemoryResponse | block_service_pb2.DemoteLineResponse) -> BlockWrite:
        return cls(
            block=Block.from_proto(message.block),
            edit=BlockEdit.from_proto(message.edit) if message.HasField("edit") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockVersionPage(Record[block_service_pb2.ListBlockVersionsResponse]):
    """A page of the history."""

    versions: tuple[BlockVersion, ...] = ()
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> block_service_pb2.ListBlockVersionsResponse:
        return block_service_pb2.ListBlockVersionsResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.ListBlockVersionsResponse) -> BlockVersionPage:
        return cls(
            versions=tuple([BlockVersion.from_proto(value) for value in message.versions]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockDiff(Record[block_service_pb2.DiffBlockVersionsResponse]):
    """The fields in which they differ."""

    from_: int = 0
    to: int = 0
    changes: tuple[BlockFieldChange, ...] = ()

    @staticmethod
    def _new() -> block_service_pb2.DiffBlockVersionsResponse:
        return block_service_pb2.DiffBlockVersionsResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.DiffBlockVersionsResponse) -> BlockDiff:
        return cls(
            from_=getattr(message, "from"),
            to=message.to,
            changes=tuple([BlockFieldChange.from_proto(value) for value in message.changes]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockEditDetails(Record[block_service_pb2.GetBlockEditResponse]):
    """The edit and its preview."""

    edit: BlockEdit
    preview: BlockEditPreview | None = None
    """Of a pending edit that can be applied."""
    conflict: str | None = None
    """Why a pending edit cannot be applied."""

    @staticmethod
    def _new() -> block_service_pb2.GetBlockEditResponse:
        return block_service_pb2.GetBlockEditResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.GetBlockEditResponse) -> BlockEditDetails:
        return cls(
            edit=BlockEdit.from_proto(message.edit),
            preview=BlockEditPreview.from_proto(message.preview) if message.HasField("preview") else None,
            conflict=message.conflict if message.HasField("conflict") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BlockEditPage(Record[block_service_pb2.ListBlockEditsResponse]):
    """A page of edits."""

    edits: tuple[BlockEdit, ...] = ()
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> block_service_pb2.ListBlockEditsResponse:
        return block_service_pb2.ListBlockEditsResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.ListBlockEditsResponse) -> BlockEditPage:
        return cls(
            edits=tuple([BlockEdit.from_proto(value) for value in message.edits]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ApprovedBlockEdit(Record[block_service_pb2.ApproveBlockEditResponse]):
    """The edit and its block."""

    edit: BlockEdit
    block: Block

    @staticmethod
    def _new() -> block_service_pb2.ApproveBlockEditResponse:
        return block_service_pb2.ApproveBlockEditResponse()

    @classmethod
    def from_proto(cls, message: block_service_pb2.ApproveBlockEditResponse) -> ApprovedBlockEdit:
        return cls(
            edit=BlockEdit.from_proto(message.edit),
            block=Block.from_proto(message.block),
        )._from(message)
