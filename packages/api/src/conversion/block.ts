import {
  type Block,
  type BlockDiff,
  type BlockDocument,
  type BlockFieldChange,
  type BlockHistory,
  type BlockOwner,
  type BlockPolicy,
  type BlockVersion,
  type Etag,
  type Ref,
} from "@loci/domain";
import {
  type Block as ProtoBlock,
  type BlockDocument as ProtoBlockDocument,
  type BlockFieldChange as ProtoBlockFieldChange,
  BlockPolicy as ProtoBlockPolicy,
  type BlockVersion as ProtoBlockVersion,
} from "../gen/loci/v1/block.ts";
import type { DiffBlockVersionsResponse, ListBlockVersionsResponse } from "../gen/loci/v1/block_service.ts";
import { blockValueFromProto, blockValuesFromProto, blockValuesToProto, blockValueToProto } from "./block-value.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { int64FromProto, required, withoutUndefined } from "./read-value.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";

export const blockPolicyNumbers: Enumeration<BlockPolicy, ProtoBlockPolicy> = new Enumeration({
  approve: ProtoBlockPolicy.APPROVE,
  auto: ProtoBlockPolicy.AUTO,
  read_only: ProtoBlockPolicy.READ_ONLY,
});

export function blockToProto(block: Block): ProtoBlock {
  return {
    id: block.ref,
    owner: keptScopeToProto(block.owner, "owner"),
    label: block.label,
    schema: block.schema,
    values: blockValuesToProto(block.values, "values"),
    policy: blockPolicyNumbers.toProto(block.policy, "policy"),
    description: block.description,
    version: BigInt(block.version),
    etag: block.etag,
    createTime: instantToProto(block.createdAt, "createdAt"),
    updateTime: instantToProto(block.updatedAt, "updatedAt"),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function blockFromProto(message: ProtoBlock | undefined): Block {
  const block = required(message, "block");
  return withoutUndefined({
    ref: block.id as Ref,
    owner: keptScopeFromProto(block.owner, "owner") as BlockOwner,
    label: block.label,
    schema: block.schema,
    values: blockValuesFromProto(block.values, "values"),
    policy: blockPolicyNumbers.fromProto(block.policy, "policy"),
    description: block.description,
    version: int64FromProto(block.version, "version"),
    etag: block.etag as Etag,
    createdAt: instantFromProto(block.createTime, "createdAt"),
    updatedAt: instantFromProto(block.updateTime, "updatedAt"),
  });
}

export function blockDocumentToProto(document: BlockDocument): ProtoBlockDocument {
  const { text, markdown, toml, commitId } = document;
  return { block: blockToProto(document), text, markdown, toml, commitId };
}

/** @throws LociError as {@link blockFromProto} */
export function blockDocumentFromProto(message: ProtoBlockDocument | undefined): BlockDocument {
  const { block, text, markdown, toml, commitId } = required(message, "document");
  return { ...blockFromProto(block), text, markdown, toml, commitId };
}

export function blockHistoryToProto({ versions, nextPageToken }: BlockHistory): ListBlockVersionsResponse {
  return { versions: versions.map(versionToProto), nextPageToken: nextPageToken ?? "" };
}

/** @throws LociError as {@link blockFromProto} */
export function blockHistoryFromProto({ versions, nextPageToken }: ListBlockVersionsResponse): BlockHistory {
  return withoutUndefined({
    versions: versions.map(versionFromProto),
    nextPageToken: nextPageToken === "" ? undefined : nextPageToken,
  });
}

export function blockDiffToProto({ from, to, changes }: BlockDiff): DiffBlockVersionsResponse {
  return { from: BigInt(from), to: BigInt(to), changes: changes.map(fieldChangeToProto) };
}

/** @throws LociError as {@link blockFromProto} */
export function blockDiffFromProto({ from, to, changes }: DiffBlockVersionsResponse): BlockDiff {
  return {
    from: int64FromProto(from, "from"),
    to: int64FromProto(to, "to"),
    changes: changes.map(fieldChangeFromProto),
  };
}

function versionToProto({ version, commitId, author, approver, message, at }: BlockVersion): ProtoBlockVersion {
  return { version: BigInt(version), commitId, author, approver, message, time: instantToProto(at, "at") };
}

function versionFromProto({ version, time, ...rest }: ProtoBlockVersion, index: number): BlockVersion {
  const { commitId, author, approver, message } = rest;
  return withoutUndefined({
    version: int64FromProto(version, `versions[${index}].version`),
    commitId,
    author,
    approver,
    message,
    at: instantFromProto(time, `versions[${index}].at`),
  });
}

export function fieldChangeToProto({ field, before, after }: BlockFieldChange): ProtoBlockFieldChange {
  return {
    field,
    before: before === undefined ? undefined : blockValueToProto(before, "before"),
    after: after === undefined ? undefined : blockValueToProto(after, "after"),
  };
}

/** @throws LociError `INVALID_BLOCK` */
export function fieldChangeFromProto({ field, before, after }: ProtoBlockFieldChange): BlockFieldChange {
  return withoutUndefined({
    field,
    before: before === undefined ? undefined : blockValueFromProto(before, "before"),
    after: after === undefined ? undefined : blockValueFromProto(after, "after"),
  });
}
