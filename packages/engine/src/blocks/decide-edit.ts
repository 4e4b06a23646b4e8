import { approveEdit, closeEdit, type EditedBlock, expireEdits, previewEdit } from "@loci/core";
import {
  type ApprovedBlockEdit,
  type ApproveEditRequest,
  asGiven,
  authorize,
  type BlockEdit,
  type BlockEditDetails,
  checkBoolean,
  checksOf,
  type GetBlockEditRequest,
  type Instant,
  LociError,
  permitsScope,
  type ProposedBlockEdit,
  resourceId,
  type Role,
} from "@loci/domain";
import { editFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { sha256 } from "../calls/content-hash.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { answeredBlock, answeredRequest } from "./answered-block.ts";
import { archivedEntries } from "./archived-memories.ts";
import {
  changingOwner,
  existingBlock,
  type KnownOwner,
  pendingEdits,
  readBlocksOf,
  readOwner,
} from "./block-owners.ts";
import { blockView, type StoredEdit, storedEdit } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { checkBlockContent } from "./check-block-content.ts";
import { commitAndRotate, editedBlock } from "./commit-block.ts";
import { editView } from "./edit-views.ts";
import { OwnerChange } from "./owner-change.ts";
import { refuseReadOnly } from "./read-only-block.ts";

/** Which edit it is and what it consists of, the log tells. */
const checkGet = checksOf<GetBlockEditRequest>()("request", { id: asGiven, hunks: asGiven });

/** An edit, and what it would make of its block now. */
export async function getBlockEdit(
  services: BlockServices,
  call: Call,
  request: GetBlockEditRequest,
): Promise<BlockEditDetails> {
  const { id, hunks } = checkGet(request);
  const stored = await permittedEdit(services, call, "read", id);
  const [edit = stored.edit] = expireEdits([stored.edit], services.clock());
  const view = { edit: editView({ ...stored, edit }) };
  if (edit.state !== "pending") return view;
  const known = await readOwner(services, call, stored.owner);
  const [block] = await readBlocksOf(services, call, known, [stored.label]);
  if (block === undefined) return view;
  const edited = await editedBlock(services, call, block, [stored]);
  try {
    return { ...view, preview: previewEdit(edited, edit, { sha256, hunks }) };
  } catch (error) {
    const isOfBlock = LociError.is(error) && ["EDIT_CONFLICT", "BLOCK_LIMIT_EXCEEDED"].includes(error.reason);
    if (isOfBlock || (LociError.is(error) && error.reason === "INVALID_BLOCK"))
      return { ...view, conflict: error.message };
    throw error;
  }
}

const checkApprove = checksOf<ApproveEditRequest>()("request", {
  id: asGiven,
  baseVersion: (version, path) => checkWholeNumber(version, path, { least: 1, most: Number.MAX_SAFE_INTEGER }),
  contentHash: asGiven,
  hunks: asGiven,
  validateOnly: (validateOnly = false, path) => checkBoolean(validateOnly, path),
});

/** Makes a version of what somebody looked at. */
export async function approveBlockEdit(
  services: BlockServices,
  call: Call,
  request: ApproveEditRequest,
): Promise<ApprovedBlockEdit> {
  const { id, baseVersion, contentHash, hunks, validateOnly } = checkApprove(request);
  const { owner, label } = await permittedEdit(services, call, "approve", id);
  const idempotency = idempotencyOf("approveBlockEdit", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered?.edit !== undefined) return { edit: answered.edit, block: answeredBlock(answered) };
    const stored = await permittedEdit(services, call, "approve", id);
    const now = services.clock();
    if (stored.edit.state !== "pending") closeEdit([stored.edit], id, { state: "rejected", decider: "", now });
    const block = await existingBlock(services, call, known, label);
    refuseReadOnly(block);
    const pending = await pendingEdits(services, call, block.ref);
    const edited = await editedBlock(services, call, block, pending);
    const edits = expireEdits(
      pending.map(({ edit }) => edit),
      now,
    );
    const decider = call.principal.subject;
    const request = { block: edited, edits, id };
    const approved = approvedAsSeen(request, { baseVersion, contentHash, hunks, decider }, now);
    const edit = approved.edits.find((other) => other.id === id) as BlockEdit;
    const { values, version } = approved.block;
    const { ref, schema, state } = block;
    if (approved.changed) await checkBlockContent(services, call, { ref, label, schema, values });
    if (validateOnly) {
      const after = {
        ...block,
        version,
        state: { ...state, values, updatedAt: approved.changed ? now : state.updatedAt },
      };
      return { edit: editView({ ...stored, edit }), block: blockView(after) };
    }
    const change = new OwnerChange(known, now);
    // First the one that was decided, which a repetition is answered with.
    change.writeEdit({ ...stored, edit });
    const others = pending.flatMap((other, index) =>
      other.edit.id === id ? [] : [[other, approved.edits[index]] as const],
    );
    change.writeChangedEdits(
      others.map(([other]) => other),
      others.map(([, after]) => after as BlockEdit),
    );
    const view = editView({ ...stored, edit });
    if (!approved.changed) {
      await change.commit(services, call, { idempotency });
      return { edit: view, block: blockView(block) };
    }
    const { policy, description, createdAt, form } = state;
    const operations = edit.operations.filter((_, hunk) => edit.approvedHunks?.includes(hunk) ?? true);
    const written = change.writeBlock(
      { label, schema, isShipped: form === undefined, values, policy, description, operations },
      { version: block.version, createdAt, state },
      { author: edit.proposer, approver: decider, reason: edit.reason },
    );
    change.archive(services, label, archivedEntries(approved.archived));
    return { edit: view, block: blockView(await commitAndRotate(services, call, { change, written, idempotency })) };
  });
}

/** Most UTF-16 units of a diff in an error: over gRPC, errors stand in trailers, which are small. */
const mostDiff = 2_000;

/** Approves, or says in `details` what there is to look at now: `baseVersion`, `contentHash`, `stale` and, unless it is long, `diff` as JSON. */
function approvedAsSeen(
  request: Parameters<typeof approveEdit>[0],
  approval: Parameters<typeof approveEdit>[1],
  now: Instant,
): ReturnType<typeof approveEdit> {
  try {
    return approveEdit(request, approval, { sha256, now });
  } catch (error) {
    // With a hunk, an operation cannot be applied at all: there is nothing to preview.
    if (!LociError.is(error) || error.reason !== "EDIT_CONFLICT" || error.details?.["hunk"] !== undefined) throw error;
    const edit = request.edits.find(({ id }) => id === request.id) as BlockEdit;
    const { message, field, advice } = error;
    throw new LociError("EDIT_CONFLICT", {
      message,
      field,
      advice: advice ?? "Get the edit again.",
      details: freshPreview(request.block, edit, approval.hunks),
      cause: error,
    });
  }
}

function freshPreview(
  block: EditedBlock,
  edit: BlockEdit,
  hunks: readonly number[] | undefined,
): Readonly<Record<string, string>> {
  try {
    const { baseVersion, contentHash, diff, stale } = previewEdit(block, edit, { sha256, hunks });
    const shown = JSON.stringify(diff);
    const fresh = { baseVersion: String(baseVersion), contentHash, stale: String(stale) };
    return shown.length > mostDiff ? fresh : { ...fresh, diff: shown };
  } catch {
    return { baseVersion: String(block.version) };
  }
}

/** Ends a pending edit without a version: by who decides, or by who has proposed it. */
export async function closeBlockEdit(
  services: BlockServices,
  call: Call,
  id: string,
  state: "rejected" | "withdrawn",
): Promise<ProposedBlockEdit> {
  const role = state === "rejected" ? "approve" : "write";
  const { owner } = await permittedEdit(services, call, role, id);
  const idempotency = idempotencyOf(`${state}BlockEdit`, id, call.options);
  return changingOwner(services, call, owner, async (known: KnownOwner) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered?.edit !== undefined) return answered.edit;
    const stored = await permittedEdit(services, call, role, id);
    const { subject } = call.principal;
    if (state === "withdrawn" && stored.edit.proposer !== subject) throw notProposer(id);
    const now = services.clock();
    const edit = closeEdit(expireEdits([stored.edit], now), id, { state, decider: subject, now });
    const change = new OwnerChange(known, now);
    change.writeEdit({ ...stored, edit });
    await change.commit(services, call, { idempotency });
    return editView({ ...stored, edit });
  });
}

/**
 * An edit by its id. One of an owner outside the principal's scopes does not exist for it.
 *
 * @throws LociError `ROLE_REQUIRED`, `INVALID_IDENTIFIER`, `EDIT_NOT_FOUND`
 */
async function permittedEdit(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  role: Role,
  id: string,
): Promise<StoredEdit> {
  authorize(principal, role, []);
  const ref = resourceId(id, "edit");
  const stored = (await ledger.resources.get(principal.tenant, editFamily, [ref], { signal })).get(ref);
  if (stored?.state !== undefined && permitsScope(principal, stored.scope)) return storedEdit(stored);
  throw new LociError("EDIT_NOT_FOUND", {
    message: `There is no edit ${ref}.`,
    resource: ref,
    advice: "List the edits of the block's owner.",
  });
}

function notProposer(id: string): LociError {
  return new LociError("ROLE_REQUIRED", {
    message: "An edit is withdrawn by who has proposed it.",
    resource: id,
    advice: "Reject it, which takes the role approve.",
  });
}
