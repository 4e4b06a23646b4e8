# Generated from ../asynchronous/block_edits.py by `npm run generate`.
"""Proposed changes of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loci_client import v1
from loci_client.synchronous.calls import Calls, write_key
from loci_client.synchronous.pages import Pages
from loci_client.fill import fill, listed
from loci_client.method import Method
from loci_client.scope import Scope
from loci_client.types import (
    ApprovedBlockEdit,
    BlockEdit,
    BlockEditDetails,
    BlockEditPage,
    BlockEditState,
    BlockOperation,
)

_SERVICE = "BlockService"
_PROPOSE: Method[v1.ProposeBlockEditResponse] = Method(_SERVICE, "ProposeBlockEdit")
_GET: Method[v1.GetBlockEditResponse] = Method(_SERVICE, "GetBlockEdit")
_LIST: Method[v1.ListBlockEditsResponse] = Method(_SERVICE, "ListBlockEdits")
_APPROVE: Method[v1.ApproveBlockEditResponse] = Method(_SERVICE, "ApproveBlockEdit")
_REJECT: Method[v1.RejectBlockEditResponse] = Method(_SERVICE, "RejectBlockEdit")
_WITHDRAW: Method[v1.WithdrawBlockEditResponse] = Method(_SERVICE, "WithdrawBlockEdit")


class BlockEdits:
    """Proposes changes of blocks, and decides about them: a part of `blocks`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def propose(
        self,
        owner: str | Scope,
        label: str,
        operations: Iterable[BlockOperation | Mapping[str, object]],
        *,
        base_version: int | None = None,
        reason: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> BlockEdit:
        """Proposes a change, which waits for approval unless the block's policy says otherwise.

        Args:
            operations: 1 to 64: `{"op": "append", "field": "facts", "value": "Lives in Oslo."}`.
            base_version: The version that was read. Default: the current one.
        """
        fields = {
            "owner": owner,
            "label": label,
            "base_version": base_version,
            "operations": listed(operations, "operations"),
            "reason": reason,
        }
        request = fill(v1.ProposeBlockEditRequest(request_id=write_key(request_id)), fields)
        response = self._calls.unary(_PROPOSE, request, timeout)
        return BlockEdit.from_proto(response.edit)

    def get_edit(
        self, id: str, *, hunks: Iterable[int] | None = None, timeout: float | None = None
    ) -> BlockEditDetails:
        """An edit, and what it would make of its block now.

        Args:
            hunks: Positions of the operations to preview. Default: all.
        """
        fields = {"id": id, "hunks": None if hunks is None else listed(hunks, "hunks")}
        request = fill(v1.GetBlockEditRequest(), fields)
        return BlockEditDetails.from_proto(self._calls.unary(_GET, request, timeout))

    def list_edits(
        self,
        owner: str | Scope,
        *,
        label: str | None = None,
        states: Iterable[BlockEditState] | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> Pages[BlockEditPage, BlockEdit]:
        """Lists edits in the order in which they were proposed.

        Args:
            label: Default: of all blocks of the owner.
            states: Default: pending ones.
        """
        fields = {"owner": owner, "label": label, "states": states, "page_size": page_size, "page_token": page_token}
        request = fill(v1.ListBlockEditsRequest(), fields)
        return Pages(self._calls, _LIST, request, BlockEditPage.from_proto, lambda page: page.edits, timeout)

    def approve(
        self,
        id: str,
        *,
        base_version: int,
        content_hash: str,
        hunks: Iterable[int] | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> ApprovedBlockEdit:
        """Makes a version of what somebody looked at. Needs the role approve.

        Args:
            base_version: Of the preview.
            content_hash: Of the preview.
            hunks: Positions of the operations to approve; the others are rejected with that. Default: all.
            dry_run: Everything is checked, and nothing is written.

        Raises:
            ConflictError: It would be something else now.
        """
        request = v1.ApproveBlockEditRequest(request_id=write_key(request_id), validate_only=dry_run)
        fields = {
            "id": id,
            "base_version": base_version,
            "content_hash": content_hash,
            "hunks": None if hunks is None else listed(hunks, "hunks"),
        }
        return ApprovedBlockEdit.from_proto(self._calls.unary(_APPROVE, fill(request, fields), timeout))

    def reject(self, id: str, *, timeout: float | None = None, request_id: str | None = None) -> BlockEdit:
        """Ends a pending edit. Needs the role approve."""
        request = fill(v1.RejectBlockEditRequest(request_id=write_key(request_id)), {"id": id})
        response = self._calls.unary(_REJECT, request, timeout)
        return BlockEdit.from_proto(response.edit)

    def withdraw(self, id: str, *, timeout: float | None = None, request_id: str | None = None) -> BlockEdit:
        """Takes back a pending edit that the caller proposed."""
        request = fill(v1.WithdrawBlockEditRequest(request_id=write_key(request_id)), {"id": id})
        response = self._calls.unary(_WITHDRAW, request, timeout)
        return BlockEdit.from_proto(response.edit)
