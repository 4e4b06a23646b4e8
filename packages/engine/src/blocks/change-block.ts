import { checkBlockValues } from "@loci/core";
import {
  asGiven,
  authorize,
  type Block,
  type BlockInput,
  type BlockName,
  type BlockPatch,
  type BlockWrite,
  checkFields,
  checkMemoryFileLabel,
  checksOf,
  type EtagPrecondition,
  etagPreconditionFields,
  LociError,
  memoryFileSchema,
  versionOfEtag,
} from "@loci/domain";
import { blockFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { answeredBlock, answeredRequest } from "./answered-block.ts";
import { blockRef, changingOwner, existingBlock, type KnownOwner, pendingEdits } from "./block-owners.ts";
import { blockView, type StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { knownSchema } from "./block-schemas.ts";
import { checkBlockContent } from "./check-block-content.ts";
import { commitAndRotate } from "./commit-block.ts";
import { OwnerChange } from "./owner-change.ts";
import {
  blockNameChecks,
  checkBlockName,
  checkDescription,
  checkPolicy,
  checkReason,
  contentValues,
  firstValues,
  givenContent,
} from "./validate-block.ts";
import { repeatedWrite, wholeWrite, writeOrPropose } from "./write-block.ts";
import { refuseReadOnly } from "./read-only-block.ts";

/** What the block is to hold is checked with its schema. */
const checkInput = checksOf<BlockInput>()("input", {
  ...blockNameChecks,
  schema: asGiven,
  values: asGiven,
  markdown: asGiven,
  toml: asGiven,
  preset: asGiven,
  policy: checkPolicy,
  description: checkDescription,
  reason: checkReason,
});

/** Makes a block. Nothing that stands in every context begins there without approval. */
export async function createBlock(services: BlockServices, call: Call, input: BlockInput): Promise<Block> {
  const { owner, label, policy = "approve", description, reason } = checkInput(input);
  const content = givenContent(input, "input");
  const schemaName = input.schema ?? label;
  checkMemoryFileLabel(label, schemaName);
  // A file that says nothing is a place for edits, and stands in no context.
  const isPlace = schemaName === memoryFileSchema && content === undefined && description === undefined;
  authorize(call.principal, isPlace ? "write" : "approve", [owner]);
  if (policy !== "approve") authorize(call.principal, "admin", [owner]);
  const { schema, isShipped } = await knownSchema(services, call, schemaName);
  const values = checkBlockValues(schema, contentValues(label, schema, input) ?? firstValues(schema));
  const idempotency = idempotencyOf("createBlock", input, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return answeredBlock(answered);
    const ref = blockRef(known, label);
    if (Object.hasOwn(known.state.blobs, label)) throw blockExists(label);
    await checkBlockContent(services, call, { ref, label, schema, values });
    const version = await lastVersion(services, call, known, label);
    const change = new OwnerChange(known, services.clock());
    const draft = { label, schema, isShipped, values, policy, description, operations: [] };
    const written = change.writeBlock(draft, { version }, { author: call.principal.subject, reason });
    return blockView(await commitAndRotate(services, call, { change, written, idempotency }));
  });
}

/** Of a block that was removed: the version of its removal. 0: there never was one. */
async function lastVersion(services: BlockServices, call: Call, known: KnownOwner, label: string): Promise<number> {
  const { principal, signal } = call;
  const ref = blockRef(known, label);
  const stored = await services.ledger.resources.get(principal.tenant, blockFamily, [ref], { signal });
  return stored.get(ref)?.version ?? 0;
}

const checkPatch = checksOf<BlockPatch>()("patch", {
  values: asGiven,
  markdown: asGiven,
  toml: asGiven,
  operations: asGiven,
  policy: checkPolicy,
  description: (description) => (description === null ? null : checkDescription(description)),
  reason: checkReason,
});

/** Which block gets what, if it is as the caller has read it. */
export interface BlockUpdate {
  readonly name: BlockName;
  readonly patch: BlockPatch;
  readonly precondition: EtagPrecondition;
}

/** Makes a new version, or proposes it. */
export async function updateBlock(
  services: BlockServices,
  call: Call,
  { name, patch, precondition }: BlockUpdate,
): Promise<BlockWrite> {
  const { owner, label } = checkBlockName(name);
  const { policy, description, reason } = checkPatch(patch);
  const given = givenContent(patch, "patch");
  if (given === undefined && policy === undefined && description === undefined) throw emptyPatch();
  const { principal } = call;
  authorize(principal, "write", [owner]);
  // What a block is for, and who decides about it, is not proposed.
  if (description !== undefined) authorize(principal, "approve", [owner]);
  if (policy !== undefined) authorize(principal, "admin", [owner]);
  const idempotency = idempotencyOf("updateBlock", [name, patch, precondition], call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return repeatedWrite(services, call, { known, label }, answered);
    const block = await existingBlock(services, call, known, label);
    checkEtag(block, precondition);
    const values = given === "operations" ? undefined : contentValues(label, block.schema, patch);
    const content = values === undefined ? { operations: patch.operations ?? [] } : wholeWrite(block, values);
    return writeOrPropose(services, call, { known, block, idempotency }, { ...content, policy, description, reason });
  });
}

/** Leaves the history, and a version that says that the block is gone. */
export async function deleteBlock(
  services: BlockServices,
  call: Call,
  name: BlockName,
  precondition: EtagPrecondition | undefined,
): Promise<void> {
  const { owner, label } = checkBlockName(name);
  authorize(call.principal, "approve", [owner]);
  const idempotency = idempotencyOf("deleteBlock", [name, precondition], call.options);
  await changingOwner(services, call, owner, async (known) => {
    if ((await answeredRequest(services, call, idempotency, owner)) !== undefined) return;
    const block = await existingBlock(services, call, known, label);
    if (precondition !== undefined) checkEtag(block, precondition);
    refuseReadOnly(block);
    const now = services.clock();
    const change = new OwnerChange(known, now);
    change.removeBlock(block, { author: call.principal.subject });
    for (const stored of await pendingEdits(services, call, block.ref)) {
      const edit = { ...stored.edit, state: "superseded" as const, stale: false, decidedAt: now };
      change.writeEdit({ ...stored, edit });
    }
    await change.commit(services, call, { idempotency });
  });
}

/** @throws LociError `INVALID_REQUEST` for an etag of another block, `VERSION_CONFLICT` for one of another version */
function checkEtag(block: StoredBlock, precondition: EtagPrecondition): void {
  checkFields(precondition, etagPreconditionFields, "precondition");
  const expected = versionOfEtag(block.ref, String(precondition.etag));
  if (expected === undefined)
    throw new LociError("INVALID_REQUEST", {
      message: "precondition.etag is not an etag of this block.",
      field: "precondition.etag",
      advice: "Pass the etag of the block as you have read it.",
    });
  if (expected === block.version) return;
  throw new LociError("VERSION_CONFLICT", {
    message: `The block ${block.state.label} is at version ${block.version}, but the etag is that of version ${expected}.`,
    resource: block.state.label,
    advice: "Read it again, look at what changed, and send the update with the new etag.",
    details: { currentVersion: String(block.version), expectedVersion: String(expected) },
  });
}

function emptyPatch(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "patch changes nothing.",
    field: "patch",
    advice: "Pass values, markdown, toml, operations, a policy or a description.",
  });
}

function blockExists(label: string): LociError {
  return new LociError("BLOCK_EXISTS", {
    message: `The owner has a block ${label}.`,
    resource: label,
    advice: "Update it, or choose another label.",
  });
}
