import {
  type AppliedOperations,
  applyBlockOperations,
  checkBlockValues,
  expireEdits,
  operationsOfWrite,
  proposedState,
  writeDirectly,
} from "@loci/core";
import type { BlockOperation, BlockPolicy, BlockValues, BlockWrite, Principal, Version } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { answeredWrite } from "./answered-block.ts";
import { type ArchivedMemory, archivedEntries } from "./archived-memories.ts";
import { type KnownOwner, pendingEdits, readBlocksOf } from "./block-owners.ts";
import { blockView, type StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { checkBlockContent } from "./check-block-content.ts";
import { commitAndRotate, editedBlock, type WritePlace } from "./commit-block.ts";
import { OwnerChange } from "./owner-change.ts";
import { proposeInto } from "./propose-edit.ts";

/** What a write makes of a block. */
export interface IntendedWrite {
  readonly operations: readonly BlockOperation[];
  /** What comes out of it when it is written at once. Default: what the operations make. */
  readonly values?: BlockValues | undefined;
  readonly policy?: BlockPolicy | undefined;
  /** `null` removes it. */
  readonly description?: string | null | undefined;
  readonly reason?: string | undefined;
  /** What leaves the block, besides what its lists give up. */
  readonly archived?: readonly ArchivedMemory[] | undefined;
}

/** Whether a principal's writes take effect without anybody's approval. */
export function mayApprove({ roles }: Principal): boolean {
  return roles.includes("approve") || roles.includes("admin");
}

/**
 * Writes a block at once where the caller may, or its policy is `auto`; else proposes the same.
 *
 * @throws LociError `BLOCK_READ_ONLY`, `BLOCK_LIMIT_EXCEEDED`, `INVALID_BLOCK`, `EDIT_CONFLICT`
 */
export async function writeOrPropose(
  services: BlockServices,
  call: Call,
  place: WritePlace,
  intended: IntendedWrite,
): Promise<BlockWrite> {
  const { block } = place;
  const state = intended.policy === undefined ? proposedState(block.state.policy, block.state.label) : "approved";
  if (mayApprove(call.principal) || state === "approved") {
    const { block: written } = await writeAtOnce(services, call, place, intended);
    return { block: blockView(written) };
  }
  const { operations, reason } = intended;
  // Nothing to propose: the block says so already.
  if (operations.length === 0) return { block: blockView(block) };
  const { edit } = await proposeInto(services, call, place, { operations, reason, baseVersion: block.version });
  return { block: blockView(block), edit };
}

async function writeAtOnce(
  services: BlockServices,
  call: Call,
  { known, block, idempotency }: WritePlace,
  intended: IntendedWrite,
): Promise<{ readonly block: StoredBlock }> {
  const now = services.clock();
  const { schema, state, ref } = block;
  const { label } = state;
  const stored = await pendingEdits(services, call, ref);
  const edited = await editedBlock(services, call, block, stored);
  const pending = expireEdits(
    stored.map(({ edit }) => edit),
    now,
  );
  const applied = appliedWrite(block, intended);
  const direct = writeDirectly(edited, pending, { applied, operations: intended.operations });
  const { policy = state.policy } = intended;
  const description = intended.description === null ? undefined : (intended.description ?? state.description);
  const isSame = !direct.changed && policy === state.policy && description === state.description;
  if (isSame) return { block };
  await checkBlockContent(services, call, { ref, label, schema, values: applied.values });
  const change = new OwnerChange(known, now);
  const by = { author: call.principal.subject, reason: intended.reason };
  const draft = { label, schema, isShipped: state.form === undefined, values: applied.values, policy, description };
  const { operations } = intended;
  const written = change.writeBlock(
    { ...draft, operations: direct.changed ? operations : [] },
    { version: block.version, createdAt: state.createdAt, state },
    by,
  );
  // A version without other values moves pending edits on, too.
  const edits = direct.changed ? direct.edits : movedTo(pending, block.version, written.version);
  change.writeChangedEdits(stored, edits);
  change.archive(services, label, [...archivedEntries(applied.archived), ...(intended.archived ?? [])]);
  return { block: await commitAndRotate(services, call, { change, written, idempotency }) };
}

function appliedWrite({ schema, state }: StoredBlock, { operations, values }: IntendedWrite): AppliedOperations {
  if (values !== undefined) return { values: checkBlockValues(schema, values), archived: [] };
  if (operations.length === 0) return { values: state.values, archived: [] };
  return applyBlockOperations(schema, state.values, { operations });
}

/** Edits of the newest version are of the one that only has another policy or description. */
function movedTo(edits: ReturnType<typeof expireEdits>, from: Version, to: Version): typeof edits {
  return edits.map((edit) =>
    edit.state === "pending" && !edit.stale && edit.baseVersion === from ? { ...edit, baseVersion: to } : edit,
  );
}

/** A repeated write's answer. */
export async function repeatedWrite(
  services: BlockServices,
  call: Call,
  { known, label }: { readonly known: KnownOwner; readonly label: string },
  answered: Parameters<typeof answeredWrite>[0],
): Promise<BlockWrite> {
  const [current] = await readBlocksOf(services, call, known, [label]);
  return answeredWrite(answered, current);
}

/** What a write of whole values does, as operations. */
export function wholeWrite(
  { schema, state }: StoredBlock,
  values: BlockValues,
): Required<Pick<IntendedWrite, "operations" | "values">> {
  const checked = checkBlockValues(schema, values);
  return { operations: operationsOfWrite(schema, state.values, checked), values: checked };
}
