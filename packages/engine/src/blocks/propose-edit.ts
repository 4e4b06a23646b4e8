import {
  applyBlockOperations,
  type EditedBlock,
  approveEdit,
  proposedState,
  proposeEdit,
  writeBlockToml,
} from "@loci/core";
import {
  asGiven,
  authorize,
  type BlockOperation,
  checksOf,
  LociError,
  maxEditBytes,
  maxPendingEdits,
  type ProposedBlockEdit,
  type ProposeEditRequest,
  type Version,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { sha256 } from "../calls/content-hash.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { answerOf, answeredRequest } from "./answered-block.ts";
import { archivedEntries } from "./archived-memories.ts";
import { changingOwner, existingBlock, pendingEdits } from "./block-owners.ts";
import type { StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { checkBlockContent } from "./check-block-content.ts";
import { editView } from "./edit-views.ts";
import { OwnerChange } from "./owner-change.ts";
import { blockNameChecks, checkReason } from "./validate-block.ts";
import { commitAndRotate, editedBlock, type WritePlace } from "./commit-block.ts";

/** What is to be done to which version, the block decides. */
const check = checksOf<ProposeEditRequest>()("request", {
  ...blockNameChecks,
  baseVersion: asGiven,
  operations: asGiven,
  reason: (reason, path) => checkReason(reason, path),
});

/** Proposes a change of a block; with the policy `auto` it takes effect at once. */
export async function proposeBlockEdit(
  services: BlockServices,
  call: Call,
  request: ProposeEditRequest,
): Promise<ProposedBlockEdit> {
  const { owner, label, reason } = check(request);
  authorize(call.principal, "write", [owner]);
  const idempotency = idempotencyOf("proposeBlockEdit", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered?.edit !== undefined) return answered.edit;
    const block = await existingBlock(services, call, known, label);
    const { operations, baseVersion = block.version } = request;
    const { edit } = await proposeInto(
      services,
      call,
      { known, block, idempotency },
      { operations, baseVersion, reason },
    );
    return edit;
  });
}

interface Proposal {
  readonly operations: readonly BlockOperation[];
  readonly baseVersion: Version;
  readonly reason: string | undefined;
}

/** @throws LociError `BLOCK_READ_ONLY`, `BLOCK_LIMIT_EXCEEDED` for too many that wait or one that is too long; `EDIT_CONFLICT` */
export async function proposeInto(
  services: BlockServices,
  call: Call,
  { known, block, idempotency }: WritePlace,
  proposal: Proposal,
): Promise<{ readonly edit: ProposedBlockEdit; readonly block: StoredBlock }> {
  const { state, schema, ref, owner } = block;
  const { label } = state;
  const decided = proposedState(state.policy, label);
  const now = services.clock();
  const stored = await pendingEdits(services, call, ref);
  if (stored.length >= maxPendingEdits) throw tooManyEdits(label);
  const base = Math.max(1, Math.min(block.version, proposal.baseVersion));
  const edited = await editedBlock(services, call, block, [...stored, { edit: { baseVersion: base } as never }]);
  const id = services.ids.next(now);
  const { subject } = call.principal;
  const edit = proposeEdit(edited, { ...withoutReason(proposal), id, proposer: subject }, now);
  const bytes = Buffer.byteLength(JSON.stringify(edit.operations));
  if (bytes > maxEditBytes) throw editTooLong(bytes);
  if (edit.baseVersion === block.version) {
    // What could never be applied is refused while whoever proposes it can still correct it.
    const applied = applyBlockOperations(schema, state.values, { operations: edit.operations });
    await checkBlockContent(services, call, { ref, label, schema, values: applied.values });
  }
  const change = new OwnerChange(known, now);
  if (decided === "pending") {
    change.writeEdit({ edit, label, version: 0 });
    const committed = await change.commit(services, call, { idempotency });
    const first = committed.replayed ? (await answerOf(services, call, committed.results, owner)).edit : undefined;
    return { edit: first ?? editView({ owner, label, edit, version: 1 }), block };
  }
  const edits = [...stored.map((other) => other.edit), edit];
  const approved = approveEdit({ block: edited, edits, id }, seenBy(edited, edit.operations, subject), { sha256, now });
  const { decider: _, ...taken } = approved.edits.at(-1) ?? edit;
  change.writeEdit({ edit: taken, label, version: 0 });
  const view = editView({ owner, label, edit: taken, version: 1 });
  if (!approved.changed) {
    await change.commit(services, call, { idempotency });
    return { edit: view, block };
  }
  const { policy, description, createdAt, form } = state;
  const { values } = approved.block;
  await checkBlockContent(services, call, { ref, label, schema, values });
  const { operations, reason } = edit;
  const written = change.writeBlock(
    { label, schema, isShipped: form === undefined, values, policy, description, operations },
    { version: block.version, createdAt, state },
    { author: subject, reason },
  );
  change.writeChangedEdits(stored, approved.edits.slice(0, -1));
  change.archive(services, label, archivedEntries(approved.archived));
  return { edit: view, block: await commitAndRotate(services, call, { change, written, idempotency }) };
}

/** With the policy `auto`, what is proposed is what is approved. */
function seenBy(
  block: EditedBlock,
  operations: readonly BlockOperation[],
  decider: string,
): Parameters<typeof approveEdit>[1] {
  const { values } = applyBlockOperations(block.schema, block.values, { operations });
  return { baseVersion: block.version, contentHash: sha256(writeBlockToml(block.schema, values)), decider };
}

function withoutReason({ reason, ...proposal }: Proposal): Omit<Proposal, "reason"> & { readonly reason?: string } {
  return reason === undefined ? proposal : { ...proposal, reason };
}

function tooManyEdits(label: string): LociError {
  return new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `${maxPendingEdits} edits of ${label} wait for a decision, which is as many as there may be.`,
    resource: label,
    advice: "Have them approved or rejected first.",
  });
}

function editTooLong(bytes: number): LociError {
  return new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `The operations take ${bytes} bytes as JSON, more than the ${maxEditBytes} allowed.`,
    field: "operations",
    advice: "Propose several smaller edits.",
  });
}
