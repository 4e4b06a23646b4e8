"""Blocks: what stands in each context of its owner, in versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from loci_client import v1
from loci_client.asynchronous.block_edits import AsyncBlockEdits
from loci_client.asynchronous.calls import AsyncCalls, write_key
from loci_client.asynchronous.pages import AsyncPages
from loci_client.asynchronous.profile import AsyncProfile
from loci_client.fill import fill, listed
from loci_client.memory_name import id_of
from loci_client.method import Method
from loci_client.scope import Scope
from loci_client.types import (
    Block,
    BlockDiff,
    BlockDocument,
    BlockOperation,
    BlockPolicy,
    BlockSchema,
    BlockVersion,
    BlockVersionPage,
    BlockWrite,
    Memory,
)
from loci_client.values import BlockValue

_SERVICE = "BlockService"
_CREATE: Method[v1.CreateBlockResponse] = Method(_SERVICE, "CreateBlock")
_GET: Method[v1.GetBlockResponse] = Method(_SERVICE, "GetBlock")
_LIST: Method[v1.ListBlocksResponse] = Method(_SERVICE, "ListBlocks")
_UPDATE: Method[v1.UpdateBlockResponse] = Method(_SERVICE, "UpdateBlock")
_DELETE: Method[v1.DeleteBlockResponse] = Method(_SERVICE, "DeleteBlock")
_RESTORE: Method[v1.RestoreBlockResponse] = Method(_SERVICE, "RestoreBlock")
_VERSIONS: Method[v1.ListBlockVersionsResponse] = Method(_SERVICE, "ListBlockVersions")
_DIFF: Method[v1.DiffBlockVersionsResponse] = Method(_SERVICE, "DiffBlockVersions")
_PROMOTE: Method[v1.PromoteMemoryResponse] = Method(_SERVICE, "PromoteMemory")
_DEMOTE: Method[v1.DemoteLineResponse] = Method(_SERVICE, "DemoteLine")
_CREATE_SCHEMA: Method[v1.CreateBlockSchemaResponse] = Method(_SERVICE, "CreateBlockSchema")
_LIST_SCHEMAS: Method[v1.ListBlockSchemasResponse] = Method(_SERVICE, "ListBlockSchemas")
_DELETE_SCHEMA: Method[v1.DeleteBlockSchemaResponse] = Method(_SERVICE, "DeleteBlockSchema")


class AsyncBlocks(AsyncBlockEdits):
    """Keeps blocks. Owner and label name one: `("user:ann", "human")`.

    A version is named by its number as text, or by at least 7 digits of its commit id. A write becomes an edit that
    waits when the key may not approve: `BlockWrite.edit` is there then.
    """

    @cached_property
    def profile(self) -> AsyncProfile:
        """What a program says about its user, without knowing the block's form."""
        return AsyncProfile(self._calls)

    @cached_property
    def schemas(self) -> AsyncBlockSchemas:
        """The forms that blocks have."""
        return AsyncBlockSchemas(self._calls)

    async def create(
        self,
        owner: str | Scope,
        label: str,
        *,
        schema: str | None = None,
        values: Mapping[str, BlockValue | Sequence[str]] | None = None,
        markdown: str | None = None,
        toml: str | None = None,
        preset: str | None = None,
        policy: BlockPolicy | None = None,
        description: str | None = None,
        reason: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Block:
        """Makes a block. Needs the role approve; a file of a memory tool that says nothing yet only write.

        Args:
            owner: A user, an agent, a team or a project.
            schema: The name of its schema. Default: the label.
            values: By fields. At most one of values, markdown, toml and preset. Default: the schema's defaults.
            preset: A persona that comes with Loci.
            policy: `approve` (default), `auto` or `read_only`. Any but the default needs the role admin.
            reason: What the version is for: the message of its commit.
        """
        fields = {
            "owner": owner,
            "label": label,
            "schema": schema,
            "values": values,
            "markdown": markdown,
            "toml": toml,
            "preset": preset,
            "policy": policy,
            "description": description,
            "reason": reason,
        }
        request = fill(v1.CreateBlockRequest(request_id=write_key(request_id)), fields)
        response = await self._calls.unary(_CREATE, request, timeout)
        return Block.from_proto(response.block)

    async def get(
        self, owner: str | Scope, label: str, *, version: str | None = None, timeout: float | None = None
    ) -> BlockDocument:
        """A block in every form, as it is or was."""
        request = fill(v1.GetBlockRequest(), {"owner": owner, "label": label, "version": version})
        response = await self._calls.unary(_GET, request, timeout)
        return BlockDocument.from_proto(response.document)

    async def update(
        self,
        owner: str | Scope,
        label: str,
        *,
        etag: str,
        values: Mapping[str, BlockValue | Sequence[str]] | None = None,
        markdown: str | None = None,
        toml: str | None = None,
        operations: Iterable[BlockOperation | Mapping[str, object]] | None = None,
        policy: BlockPolicy | None = None,
        description: str | None = None,
        reason: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockWrite:
        """Makes a new version, or proposes it when the caller may not approve.

        Args:
            etag: Of the version that was read.
            values: What it is to hold instead. At most one of values, markdown, toml and operations.
            operations: What to change: `{"op": "append", "field": "facts", "value": "Lives in Oslo."}`.
            policy: Needs the role admin.
            description: One line; empty removes it.

        Raises:
            ConflictError: The etag is not the current one.
        """
        fields = {
            "owner": owner,
            "label": label,
            "values": values,
            "markdown": markdown,
            "toml": toml,
            "operations": None if operations is None else listed(operations, "operations"),
            "policy": policy,
            "description": description,
            "reason": reason,
            "etag": etag,
        }
        request = fill(v1.UpdateBlockRequest(request_id=write_key(request_id)), fields)
        return BlockWrite.from_proto(await self._calls.unary(_UPDATE, request, timeout))

    async def delete(
        self,
        owner: str | Scope,
        label: str,
        *,
        etag: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> None:
        """Removes a block. Its history stays. Needs the role approve."""
        request = v1.DeleteBlockRequest(request_id=write_key(request_id))
        fill(request, {"owner": owner, "label": label, "etag": etag})
        await self._calls.unary(_DELETE, request, timeout)

    async def restore(
        self,
        owner: str | Scope,
        label: str,
        *,
        version: str,
        reason: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockWrite:
        """Makes an old version's content the newest version, or proposes that. Also brings back what was deleted."""
        request = v1.RestoreBlockRequest(request_id=write_key(request_id))
        fill(request, {"owner": owner, "label": label, "version": version, "reason": reason})
        return BlockWrite.from_proto(await self._calls.unary(_RESTORE, request, timeout))

    def history(
        self,
        owner: str | Scope,
        label: str,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[BlockVersionPage, BlockVersion]:
        """What happened to a block, newest first.

        Args:
            page_size: 1 to 1,000. Default 10.
        """
        fields = {"owner": owner, "label": label, "page_size": page_size, "page_token": page_token}
        request = fill(v1.ListBlockVersionsRequest(), fields)
        return AsyncPages(
            self._calls, _VERSIONS, request, BlockVersionPage.from_proto, lambda page: page.versions, timeout
        )

    async def diff(
        self, owner: str | Scope, label: str, *, from_: str, to: str | None = None, timeout: float | None = None
    ) -> BlockDiff:
        """The fields in which two versions of a block differ.

        Args:
            to: Default: the newest version.
        """
        request = fill(v1.DiffBlockVersionsRequest(), {"owner": owner, "label": label, "from": from_, "to": to})
        return BlockDiff.from_proto(await self._calls.unary(_DIFF, request, timeout))

    async def promote(
        self,
        owner: str | Scope,
        label: str,
        *,
        memory: Memory | str,
        heading: str,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockWrite:
        """Appends the text of a memory below a heading of a document.

        Args:
            memory: It, or its id.
        """
        request = v1.PromoteMemoryRequest(request_id=write_key(request_id))
        fill(request, {"owner": owner, "label": label, "memory_id": id_of(memory), "heading": heading})
        return BlockWrite.from_proto(await self._calls.unary(_PROMOTE, request, timeout))

    async def demote(
        self,
        owner: str | Scope,
        label: str,
        *,
        line: str,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockWrite:
        """Takes a line out of a document and makes a memory of it. Needs the role approve.

        Args:
            line: As it stands there, or without its bullet.
        """
        request = v1.DemoteLineRequest(request_id=write_key(request_id))
        fill(request, {"owner": owner, "label": label, "line": line})
        return BlockWrite.from_proto(await self._calls.unary(_DEMOTE, request, timeout))

    async def list(
        self,
        owner: str | Scope,
        *,
        schema: str | None = None,
        after: str | None = None,
        timeout: float | None = None,
    ) -> tuple[Block, ...]:
        """The blocks of an owner by label: at most 64 at a time.

        Args:
            schema: Only blocks of this schema. Default: of all but `memory_file`, the files of a memory tool.
            after: Only blocks whose labels come after this one.
        """
        request = fill(v1.ListBlocksRequest(), {"owner": owner, "schema": schema, "after": after})
        response = await self._calls.unary(_LIST, request, timeout)
        return tuple([Block.from_proto(block) for block in response.blocks])


class AsyncBlockSchemas:
    """The forms that blocks have. Those that come with Loci are there in every tenant."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def create(
        self,
        schema: BlockSchema | Mapping[str, object],
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockSchema:
        """Makes a form of blocks known in the tenant, and gives its normal form. Needs the role admin.

        Args:
            schema: `{"name": "recipe", "fields": [{"name": "title", "type": "string"}]}`.
        """
        request = fill(v1.CreateBlockSchemaRequest(request_id=write_key(request_id)), {"schema": schema})
        response = await self._calls.unary(_CREATE_SCHEMA, request, timeout)
        return BlockSchema.from_proto(response.schema)

    async def list(self, *, timeout: float | None = None) -> tuple[BlockSchema, ...]:
        """The forms that come with Loci, then those of the tenant by name."""
        response = await self._calls.unary(_LIST_SCHEMAS, v1.ListBlockSchemasRequest(), timeout)
        return tuple([BlockSchema.from_proto(schema) for schema in response.schemas])

    async def delete(self, name: str, *, timeout: float | None = None, request_id: str | None = None) -> None:
        """Removes a form that no block has. Needs the role admin."""
        request = fill(v1.DeleteBlockSchemaRequest(request_id=write_key(request_id)), {"name": name})
        await self._calls.unary(_DELETE_SCHEMA, request, timeout)
