import {
  type ArchivedEntry,
  type BlockEdit,
  blockEditLifetime,
  type BlockEditPreview,
  type BlockEditState,
  type BlockOperation,
  type BlockSchema,
  type BlockValues,
  type Instant,
  LociError,
  type Version,
} from "@loci/domain";
import { type AppliedOperations, applyBlockOperations } from "./apply-operations.ts";
import { checkBlockOperations } from "./check-operations.ts";
import { diffBlockValues } from "./diff-values.ts";
import { operationsCollide } from "./operations-collide.ts";
import { writeBlockToml } from "./write-block-toml.ts";

/** SHA-256 of a text's UTF-8, as 64 small hexadecimal digits. */
export type Sha256 = (text: string) => string;

/** A block as far as edits concern it. */
export interface EditedBlock {
  readonly schema: BlockSchema;
  readonly values: BlockValues;
  readonly version: Version;
  /** What each version but the first did, at least as far back as any pending edit's base. */
  readonly changes: readonly { readonly version: Version; readonly operations: readonly BlockOperation[] }[];
}

/** What a caller proposes. */
export interface ProposedEdit {
  readonly id: string;
  readonly baseVersion: Version;
  readonly operations: readonly BlockOperation[];
  readonly proposer: string;
  readonly reason?: string | undefined;
}

/** What somebody looked at and approves: the first two are those of the preview. */
export interface Approval {
  readonly baseVersion: Version;
  readonly contentHash: string;
  readonly hunks?: readonly number[] | undefined;
  readonly decider: string;
}

/** What an approval made. */
export interface ApprovedEdit {
  readonly block: EditedBlock;
  readonly changed: boolean;
  readonly archived: readonly ArchivedEntry[];
  /** The approved edit and those that it changed, in the order in which they were given. */
  readonly edits: readonly BlockEdit[];
}

/**
 * A new pending edit.
 *
 * @throws LociError `VERSION_NOT_FOUND` for a base that the block never had, and as `checkBlockOperations`
 */
export function proposeEdit(block: EditedBlock, proposed: ProposedEdit, now: Instant): BlockEdit {
  const { baseVersion } = proposed;
  if (!Number.isSafeInteger(baseVersion) || baseVersion < 1 || baseVersion > block.version)
    throw new LociError("VERSION_NOT_FOUND", {
      message: `The block has the versions 1 to ${block.version}, but the edit is for another.`,
      field: "baseVersion",
      advice: "Read the block and pass the version that you read.",
    });
  const operations = checkBlockOperations(block.schema, proposed.operations);
  return {
    ...proposed,
    operations,
    state: "pending",
    stale: isStale(block, { baseVersion, operations }),
    proposedAt: now,
  };
}

/**
 * What a pending edit would make of its block as it is now.
 *
 * @throws LociError as {@link applyBlockOperations}
 */
export function previewEdit(
  block: EditedBlock,
  edit: BlockEdit,
  { sha256, hunks }: { readonly sha256: Sha256; readonly hunks?: readonly number[] | undefined },
): BlockEditPreview {
  const { schema, values } = block;
  const after = applyBlockOperations(schema, values, { operations: edit.operations, hunks });
  return {
    ...after,
    baseVersion: block.version,
    contentHash: sha256(writeBlockToml(schema, after.values)),
    diff: diffBlockValues(schema, values, after.values),
    stale: edit.state === "pending" && isStale(block, edit),
  };
}

/**
 * Approves a pending edit, all of it or the named operations; the others are rejected with that. It has to be what was
 * looked at: the block's version and the hash of what comes out.
 *
 * @param edits all pending edits of the block in the order in which they were proposed, the one to approve among them
 * @throws LociError `EDIT_NOT_FOUND`, `EDIT_NOT_PENDING`; `EDIT_CONFLICT` when the block or the outcome is another than what
 *   was looked at, and as {@link applyBlockOperations}
 */
export function approveEdit(
  { block, edits, id }: { readonly block: EditedBlock; readonly edits: readonly BlockEdit[]; readonly id: string },
  approval: Approval,
  { sha256, now }: { readonly sha256: Sha256; readonly now: Instant },
): ApprovedEdit {
  const edit = pendingEdit(edits, id);
  if (approval.baseVersion !== block.version)
    throw otherThanSeen(`The block is at version ${block.version}, not at the one that was looked at`);
  const { schema } = block;
  const applied = applyBlockOperations(schema, block.values, { operations: edit.operations, hunks: approval.hunks });
  if (sha256(writeBlockToml(schema, applied.values)) !== approval.contentHash)
    throw otherThanSeen("What the edit makes of the block is not what was looked at");
  const hunks = approval.hunks ?? edit.operations.map((_, hunk) => hunk);
  const operations = edit.operations.filter((_, hunk) => hunks.includes(hunk));
  const written = withChange(block, applied, operations);
  const changed = written.version > block.version;
  const place = edits.indexOf(edit);
  return {
    block: written,
    changed,
    archived: applied.archived,
    edits: edits.map((other, index) => {
      if (index === place) return { ...decided(edit, "approved", approval.decider, now), approvedHunks: hunks };
      if (!changed || other.state !== "pending") return other;
      if (index < place && operationsCollide(schema, other.operations, operations))
        return { ...other, state: "superseded", stale: false, decidedAt: now };
      return movedOn(written, other);
    }),
  };
}

/**
 * Rejects or withdraws a pending edit.
 *
 * @throws LociError `EDIT_NOT_FOUND`, `EDIT_NOT_PENDING`
 */
export function closeEdit(
  edits: readonly BlockEdit[],
  id: string,
  decision: { readonly state: "rejected" | "withdrawn"; readonly decider: string; readonly now: Instant },
): BlockEdit {
  return decided(pendingEdit(edits, id), decision.state, decision.decider, decision.now);
}

/** The edits, those that waited for 14 days expired. */
export function expireEdits(edits: readonly BlockEdit[], now: Instant): readonly BlockEdit[] {
  return edits.map((edit) =>
    edit.state === "pending" && now - edit.proposedAt >= blockEditLifetime
      ? { ...edit, state: "expired", stale: false, decidedAt: now }
      : edit,
  );
}

/** A block after a write that nobody had to approve, with the pending edits it may have made stale. */
export function writeDirectly(
  block: EditedBlock,
  edits: readonly BlockEdit[],
  { applied, operations }: { readonly applied: AppliedOperations; readonly operations: readonly BlockOperation[] },
): { readonly block: EditedBlock; readonly changed: boolean; readonly edits: readonly BlockEdit[] } {
  const written = withChange(block, applied, operations);
  if (written.version === block.version) return { block, changed: false, edits };
  return {
    block: written,
    changed: true,
    edits: edits.map((edit) => (edit.state === "pending" ? movedOn(written, edit) : edit)),
  };
}

/** The block one version on, or as it was when nothing about it changed. */
function withChange(
  block: EditedBlock,
  { values }: AppliedOperations,
  operations: readonly BlockOperation[],
): EditedBlock {
  if (diffBlockValues(block.schema, block.values, values).length === 0) return block;
  const version = block.version + 1;
  return { ...block, values, version, changes: [...block.changes, { version, operations }] };
}

/** A pending edit after a new version: what collides is stale and keeps its base, anything else is based on that version. */
function movedOn(block: EditedBlock, edit: BlockEdit): BlockEdit {
  return isStale(block, edit) ? { ...edit, stale: true } : { ...edit, stale: false, baseVersion: block.version };
}

function isStale(block: EditedBlock, edit: Pick<BlockEdit, "baseVersion" | "operations">): boolean {
  return block.changes.some(
    ({ version, operations }) =>
      version > edit.baseVersion && operationsCollide(block.schema, edit.operations, operations),
  );
}

function pendingEdit(edits: readonly BlockEdit[], id: string): BlockEdit {
  const edit = edits.find((other) => other.id === id);
  if (edit === undefined)
    throw new LociError("EDIT_NOT_FOUND", {
      message: "The block has no such edit.",
      field: "id",
      advice: "List the block's edits.",
    });
  if (edit.state === "pending") return edit;
  throw new LociError("EDIT_NOT_PENDING", {
    message: `The edit is ${edit.state}: it was decided before.`,
    field: "id",
    advice: "Propose the change again if it is still wanted.",
    details: { state: edit.state },
  });
}

function decided(edit: BlockEdit, state: BlockEditState, decider: string, now: Instant): BlockEdit {
  return { ...edit, state, stale: false, decider, decidedAt: now };
}

function otherThanSeen(fault: string): LociError {
  return new LociError("EDIT_CONFLICT", {
    message: `${fault}.`,
    field: "edit",
    advice: "Get the edit again, look at its new preview, and approve that.",
  });
}
