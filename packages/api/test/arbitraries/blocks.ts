import {
  type ApprovedBlockEdit,
  type ApproveEditRequest,
  type Block,
  type BlockDiff,
  type BlockDocument,
  type BlockEditDetails,
  type BlockEditPreview,
  blockEditStates,
  type BlockField,
  type BlockFieldChange,
  blockFieldTypes,
  type BlockHistory,
  type BlockHistoryRequest,
  type BlockInput,
  type BlockOperation,
  type BlockOwner,
  blockOwnerKinds,
  type BlockPatch,
  blockPolicies,
  type BlockSchema,
  type BlockValue,
  type BlockVersion,
  type BlockWrite,
  type Etag,
  type ListBlockEditsRequest,
  type ProposedBlockEdit,
  type ProposeEditRequest,
  type Ref,
  type UpdateProfileRequest,
} from "@loci/domain";
import fc from "fast-check";
import { identifier, instant, int32, namedValues, recordOf, text, uuid } from "./plain-values.ts";

const token = text.filter((value) => value !== "");
const owner: fc.Arbitrary<BlockOwner> = fc.record(
  { kind: fc.constantFrom(...blockOwnerKinds), id: identifier },
  { noNullPrototype: true },
);
const version = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const name = { owner, label: text };
const value: fc.Arbitrary<BlockValue> = fc.oneof(text, fc.double(), fc.boolean(), fc.array(text, { maxLength: 3 }));
const values = namedValues(value);
const policy = fc.constantFrom(...blockPolicies);

const fields = {
  ref: uuid as fc.Arbitrary<Ref>,
  owner,
  label: text,
  schema: text,
  values,
  policy,
  version,
  etag: text as fc.Arbitrary<Etag>,
  createdAt: instant,
  updatedAt: instant,
};

export const block: fc.Arbitrary<Block> = recordOf<Block>(fields, { description: text });

export const blockDocument: fc.Arbitrary<BlockDocument> = recordOf<BlockDocument>(
  { ...fields, text, markdown: text, toml: text, commitId: text },
  { description: text },
);

/** At most one of the contents: the wire has room for one. */
const content = fc.oneof(
  fc.constant({}),
  values.map((given) => ({ values: given })),
  text.map((markdown) => ({ markdown })),
  text.map((toml) => ({ toml })),
);

export const blockInput: fc.Arbitrary<BlockInput> = fc
  .tuple(
    recordOf<Omit<BlockInput, "values" | "markdown" | "toml" | "preset">>(name, {
      schema: text,
      policy,
      description: text,
      reason: text,
    }),
    fc.oneof(
      content,
      text.map((preset) => ({ preset })),
    ),
  )
  .map(([input, given]) => ({ ...input, ...given }));

export const blockOperation: fc.Arbitrary<BlockOperation> = fc.oneof(
  fc.record({ op: fc.constant("set" as const), field: text, value }, { noNullPrototype: true }),
  fc.record(
    { op: fc.constantFrom("append" as const, "remove" as const), field: text, value: text },
    { noNullPrototype: true },
  ),
  fc.record({ op: fc.constant("replace" as const), field: text, old: text, value: text }, { noNullPrototype: true }),
);
const operations = fc.array(blockOperation, { maxLength: 3 });

/** What `update` takes. An empty description is one that is removed, for which there is `null`. */
export const blockUpdate = fc
  .tuple(
    fc.record(name, { noNullPrototype: true }),
    recordOf<Pick<BlockPatch, "policy" | "description" | "reason">>(
      {},
      { policy, description: fc.oneof(token, fc.constant(null)), reason: text },
    ),
    fc.oneof(
      content,
      operations.map((given) => ({ operations: given })),
    ),
    text,
  )
  .map(([named, patch, given, etag]) => ({ name: named, patch: { ...patch, ...given }, precondition: { etag } }));

const blockVersion: fc.Arbitrary<BlockVersion> = recordOf<BlockVersion>(
  { version, commitId: text, author: text, message: text, at: instant },
  { approver: text },
);

export const blockHistory: fc.Arbitrary<BlockHistory> = recordOf<BlockHistory>(
  { versions: fc.array(blockVersion, { maxLength: 3 }) },
  { nextPageToken: token },
);

export const blockHistoryRequest: fc.Arbitrary<BlockHistoryRequest> = recordOf<BlockHistoryRequest>(name, {
  pageSize: int32,
  pageToken: token,
});

const fieldChange: fc.Arbitrary<BlockFieldChange> = recordOf<BlockFieldChange>(
  { field: text },
  { before: value, after: value },
);

export const blockDiff: fc.Arbitrary<BlockDiff> = fc.record(
  { from: version, to: version, changes: fc.array(fieldChange, { maxLength: 3 }) },
  { noNullPrototype: true },
);

const hunks = fc.array(fc.nat({ max: 63 }), { maxLength: 3 });

export const blockEdit: fc.Arbitrary<ProposedBlockEdit> = recordOf<ProposedBlockEdit>(
  {
    id: text,
    owner: owner.map(({ kind, id }) => `${kind}:${id}`),
    label: text,
    baseVersion: version,
    operations,
    state: fc.constantFrom(...blockEditStates),
    stale: fc.boolean(),
    proposedAt: instant,
    proposer: text,
  },
  { reason: text, decidedAt: instant, decider: text, approvedHunks: hunks },
);

const preview: fc.Arbitrary<BlockEditPreview> = fc.record(
  {
    baseVersion: version,
    contentHash: text,
    values,
    archived: fc.array(fc.record({ field: text, entry: text }, { noNullPrototype: true }), { maxLength: 2 }),
    diff: fc.array(fieldChange, { maxLength: 2 }),
    stale: fc.boolean(),
  },
  { noNullPrototype: true },
);

export const blockEditDetails: fc.Arbitrary<BlockEditDetails> = recordOf<BlockEditDetails>(
  { edit: blockEdit },
  { preview, conflict: text },
);

export const blockWrite: fc.Arbitrary<BlockWrite> = recordOf<BlockWrite>({ block }, { edit: blockEdit });

export const approvedBlockEdit: fc.Arbitrary<ApprovedBlockEdit> = fc.record(
  { edit: blockEdit, block },
  { noNullPrototype: true },
);

export const proposeRequest: fc.Arbitrary<ProposeEditRequest> = recordOf<ProposeEditRequest>(
  { ...name, operations },
  { baseVersion: version, reason: text },
);

export const listEditsRequest: fc.Arbitrary<ListBlockEditsRequest> = recordOf<ListBlockEditsRequest>(
  { owner },
  {
    label: text,
    states: fc.array(fc.constantFrom(...blockEditStates), { minLength: 1, maxLength: 3 }),
    pageSize: int32,
    pageToken: token,
  },
);

/** `validateOnly: false` is as good as none. */
export const approveRequest: fc.Arbitrary<ApproveEditRequest> = recordOf<ApproveEditRequest>(
  { id: text, baseVersion: version, contentHash: text },
  { hunks, validateOnly: fc.constant(true) },
);

export const profileRequest: fc.Arbitrary<UpdateProfileRequest> = recordOf<UpdateProfileRequest>(
  {
    owner,
    update: fc.oneof(
      recordOf<{ call: "setTask"; text: string; context?: string }>(
        { call: fc.constant("setTask" as const), text },
        { context: text },
      ),
      fc.record({ call: fc.constant("clearTask" as const), archive: fc.boolean() }, { noNullPrototype: true }),
      fc.record(
        { call: fc.constantFrom("learnPreference" as const, "learnFact" as const, "addContext" as const), text },
        { noNullPrototype: true },
      ),
      fc.record(
        { call: fc.constant("setState" as const), state: fc.constantFrom("idle" as const, "thinking" as const) },
        { noNullPrototype: true },
      ),
    ),
  },
  { label: text },
);

const field: fc.Arbitrary<BlockField> = recordOf<BlockField>(
  { name: text, type: fc.constantFrom(...blockFieldTypes) },
  {
    title: text,
    description: text,
    required: fc.boolean(),
    default: value,
    max: int32,
    overflow: fc.constantFrom("refuse", "archive"),
    options: fc.array(text, { minLength: 1, maxLength: 3 }),
  },
);

export const blockSchema: fc.Arbitrary<BlockSchema> = recordOf<BlockSchema>(
  { name: text, fields: fc.array(field, { maxLength: 3 }) },
  { description: text },
);
