import {
  type ApprovedBlockEdit,
  type BlockEditDetails,
  type BlockEditPreview,
  type BlockEditState,
  type BlockWrite,
  formatScope,
  type ListBlockEditsResult,
  type ProposedBlockEdit,
} from "@loci/domain";
import {
  type Block as ProtoBlock,
  type BlockEdit as ProtoBlockEdit,
  type BlockEditPreview as ProtoBlockEditPreview,
  BlockEditState as ProtoBlockEditState,
} from "../gen/loci/v1/block.ts";
import type { GetBlockEditResponse, ListBlockEditsResponse } from "../gen/loci/v1/block_service.ts";
import { blockFromProto, blockToProto, fieldChangeFromProto, fieldChangeToProto } from "./block.ts";
import { blockOperationsFromProto, blockOperationsToProto } from "./block-operation.ts";
import { blockValuesFromProto, blockValuesToProto } from "./block-value.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { int64FromProto, required, withoutUndefined } from "./read-value.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";

export const blockEditStateNumbers: Enumeration<BlockEditState, ProtoBlockEditState> = new Enumeration({
  pending: ProtoBlockEditState.PENDING,
  approved: ProtoBlockEditState.APPROVED,
  rejected: ProtoBlockEditState.REJECTED,
  superseded: ProtoBlockEditState.SUPERSEDED,
  expired: ProtoBlockEditState.EXPIRED,
  withdrawn: ProtoBlockEditState.WITHDRAWN,
});

export function blockEditToProto(edit: ProposedBlockEdit): ProtoBlockEdit {
  const { approvedHunks } = edit;
  return {
    id: edit.id,
    owner: keptScopeToProto(edit.owner as "global", "owner"),
    label: edit.label,
    baseVersion: BigInt(edit.baseVersion),
    operations: blockOperationsToProto(edit.operations, "operations"),
    state: blockEditStateNumbers.toProto(edit.state, "state"),
    stale: edit.stale,
    proposeTime: instantToProto(edit.proposedAt, "proposedAt"),
    proposer: edit.proposer,
    reason: edit.reason,
    decideTime: optionalInstantToProto(edit.decidedAt, "decidedAt"),
    decider: edit.decider,
    approvedHunks: approvedHunks === undefined ? undefined : { positions: [...approvedHunks] },
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function blockEditFromProto(message: ProtoBlockEdit | undefined): ProposedBlockEdit {
  const edit = required(message, "edit");
  return withoutUndefined({
    id: edit.id,
    owner: formatScope(keptScopeFromProto(edit.owner, "owner")),
    label: edit.label,
    baseVersion: int64FromProto(edit.baseVersion, "baseVersion"),
    operations: blockOperationsFromProto(edit.operations, "operations"),
    state: blockEditStateNumbers.fromProto(edit.state, "state"),
    stale: edit.stale,
    proposedAt: instantFromProto(edit.proposeTime, "proposedAt"),
    proposer: edit.proposer,
    reason: edit.reason,
    decidedAt: optionalInstantFromProto(edit.decideTime, "decidedAt"),
    decider: edit.decider,
    approvedHunks: edit.approvedHunks?.positions,
  });
}

/** A block, and perhaps an edit that waits. */
interface ProtoBlockWrite {
  readonly block: ProtoBlock | undefined;
  readonly edit: ProtoBlockEdit | undefined;
}

export function blockWriteToProto({ block, edit }: BlockWrite): {
  block: ProtoBlock;
  edit: ProtoBlockEdit | undefined;
} {
  return { block: blockToProto(block), edit: edit === undefined ? undefined : blockEditToProto(edit) };
}

/** @throws LociError as {@link blockEditFromProto} */
export function blockWriteFromProto({ block, edit }: ProtoBlockWrite): BlockWrite {
  return withoutUndefined({
    block: blockFromProto(block),
    edit: edit === undefined ? undefined : blockEditFromProto(edit),
  });
}

/** @throws LociError as {@link blockEditFromProto} */
export function approvedBlockEditFromProto({ block, edit }: ProtoBlockWrite): ApprovedBlockEdit {
  return { edit: blockEditFromProto(edit), block: blockFromProto(block) };
}

export function listBlockEditsResultToProto(result: ListBlockEditsResult): ListBlockEditsResponse {
  return { edits: result.edits.map(blockEditToProto), nextPageToken: result.nextPageToken ?? "" };
}

/** @throws LociError as {@link blockEditFromProto} */
export function listBlockEditsResultFromProto({ edits, nextPageToken }: ListBlockEditsResponse): ListBlockEditsResult {
  return withoutUndefined({
    edits: edits.map(blockEditFromProto),
    nextPageToken: nextPageToken === "" ? undefined : nextPageToken,
  });
}

export function blockEditDetailsToProto({ edit, preview, conflict }: BlockEditDetails): GetBlockEditResponse {
  return {
    edit: blockEditToProto(edit),
    preview: preview === undefined ? undefined : previewToProto(preview),
    conflict,
  };
}

/** @throws LociError as {@link blockEditFromProto} */
export function blockEditDetailsFromProto({ edit, preview, conflict }: GetBlockEditResponse): BlockEditDetails {
  return withoutUndefined({
    edit: blockEditFromProto(edit),
    preview: preview === undefined ? undefined : previewFromProto(preview),
    conflict,
  });
}

function previewToProto(preview: BlockEditPreview): ProtoBlockEditPreview {
  const { baseVersion, contentHash, values, archived, diff, stale } = preview;
  return {
    baseVersion: BigInt(baseVersion),
    contentHash,
    values: blockValuesToProto(values, "values"),
    archived: archived.map(({ field, entry }) => ({ field, entry })),
    diff: diff.map(fieldChangeToProto),
    stale,
  };
}

function previewFromProto(preview: ProtoBlockEditPreview): BlockEditPreview {
  const { baseVersion, contentHash, values, archived, diff, stale } = preview;
  return {
    baseVersion: int64FromProto(baseVersion, "baseVersion"),
    contentHash,
    values: blockValuesFromProto(values, "values"),
    archived: archived.map(({ field, entry }) => ({ field, entry })),
    diff: diff.map(fieldChangeFromProto),
    stale,
  };
}
