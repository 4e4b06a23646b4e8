import { applyHumanCall, blockText } from "@loci/core";
import {
  asGiven,
  authorize,
  type BlockOperation,
  type BlockWrite,
  checkBoolean,
  checkChoice,
  checkFields,
  checksOf,
  LociError,
  type Memory,
  type ProfileCall,
  profileCallFields,
  type ProfileName,
  profileStates,
  type SearchArchivalRequest,
  type UpdateProfileRequest,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { recallUnmarked } from "../recall/recall.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { answeredRequest } from "./answered-block.ts";
import { archivedTag } from "./archived-memories.ts";
import { changingOwner, existingBlock, readOwner } from "./block-owners.ts";
import type { StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { blockNameChecks, checkReason } from "./validate-block.ts";
import { mayApprove, repeatedWrite, wholeWrite, writeOrPropose } from "./write-block.ts";

/** What checks the name in a request about a profile. */
const nameChecks = {
  owner: blockNameChecks.owner,
  label: (label: string | undefined): string => blockNameChecks.label(label ?? "human"),
};

const checkUpdate = checksOf<UpdateProfileRequest>()("request", { ...nameChecks, update: checkProfileCall });

/** Changes a human block by what a program says of its user. */
export async function updateProfile(
  services: BlockServices,
  call: Call,
  request: UpdateProfileRequest,
): Promise<BlockWrite> {
  const { owner, label, update } = checkUpdate(request);
  authorize(call.principal, "write", [owner]);
  const idempotency = idempotencyOf("updateProfile", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return repeatedWrite(services, call, { known, label }, answered);
    const block = humanBlock(await existingBlock(services, call, known, label));
    const place = { known, block, idempotency };
    // What waits for approval cannot move anything into memories, so that nothing leaves the block by it.
    const waits = !mayApprove(call.principal) && block.state.policy === "approve";
    if (waits) return writeOrPropose(services, call, place, { operations: operationsOf(update, block) });
    const outcome = applyHumanCall(block.state.values, update, services.clock());
    const { archived } = outcome;
    return writeOrPropose(services, call, place, {
      ...wholeWrite(block, outcome.values),
      ...narrowed(update),
      archived,
    });
  });
}

/** What a call that only adds does, so that it makes no edit of other entries stale. */
function narrowed(update: ProfileCall): { readonly operations?: readonly BlockOperation[] } {
  if (!(update.call in listOfCall)) return {};
  return { operations: operationsOf(update) };
}

const listOfCall: Readonly<Record<string, string>> = {
  learnPreference: "preferences",
  learnFact: "facts",
  addContext: "contextNotes",
};

/** A call as operations, without what it would archive. */
function operationsOf(update: ProfileCall, block?: StoredBlock): readonly BlockOperation[] {
  switch (update.call) {
    case "setTask":
      return [
        { op: "set", field: "currentTask", value: update.text },
        { op: "set", field: "sessionState", value: "active_task" },
        ...(update.context === undefined
          ? []
          : [{ op: "append" as const, field: "contextNotes", value: update.context }]),
      ];
    case "clearTask":
      return [
        { op: "set", field: "currentTask", value: "" },
        { op: "set", field: "sessionState", value: "idle" },
      ];
    case "setState":
      return [{ op: "set", field: "sessionState", value: update.state }];
    default: {
      const field = listOfCall[update.call] ?? "";
      const entries = block?.state.values[field];
      const isThere = Array.isArray(entries) && entries.includes(update.text.trim());
      return isThere ? [] : [{ op: "append", field, value: update.text }];
    }
  }
}

const checkName = checksOf<ProfileName>()("name", nameChecks);

/** A human block as it stands in a context. */
export async function profileSummary(services: BlockServices, call: Call, name: ProfileName): Promise<string> {
  const { owner, label } = checkName(name);
  authorize(call.principal, "read", [owner]);
  const known = await readOwner(services, call, owner);
  const { schema, state } = humanBlock(await existingBlock(services, call, known, label));
  return blockText(schema, state.values);
}

const checkSearch = checksOf<SearchArchivalRequest>()("request", {
  ...nameChecks,
  // Recall checks it.
  query: asGiven,
  limit: (limit = 5, path) => checkWholeNumber(limit, path, { least: 1, most: 100 }),
});

/** What left a block and fits a question, best first. */
export async function searchArchival(
  services: BlockServices,
  call: Call,
  request: SearchArchivalRequest,
): Promise<readonly Memory[]> {
  const { owner, query, limit } = checkSearch(request);
  const { hits } = await recallUnmarked(services, call, {
    query,
    scopes: [owner],
    where: { field: "tags", operator: "contains", value: archivedTag },
    limit,
    procedureLimit: 0,
  });
  return hits.map(({ memory }) => memory);
}

/** @throws LociError `INVALID_BLOCK` for a block of another schema */
function humanBlock(block: StoredBlock): StoredBlock {
  const { schema, form, label } = block.state;
  if (schema === "human" && form === undefined) return block;
  throw new LociError("INVALID_BLOCK", {
    message: `The block ${label} has the schema ${schema}, not human.`,
    resource: label,
    advice: "Name the owner's human block, or update this one by its fields.",
  });
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_TEXT`, `TEXT_TOO_LARGE` */
function checkProfileCall(update: ProfileCall): ProfileCall {
  const names = Object.keys(profileCallFields) as ProfileCall["call"][];
  const { call } = (update ?? {}) as { readonly call?: unknown };
  checkFields(update, profileCallFields[checkChoice(call, names, "update.call")], "update");
  if (update.call === "clearTask") checkBoolean(update.archive, "update.archive");
  else if (update.call === "setState") checkChoice(update.state, profileStates, "update.state");
  else {
    if (checkReason(update.text ?? "", "update.text") === undefined) throw emptyText();
    if (update.call === "setTask") checkReason(update.context, "update.context");
  }
  return update;
}

function emptyText(): LociError {
  return new LociError("INVALID_TEXT", {
    message: "update.text is empty or only white space.",
    field: "update.text",
    advice: "Pass a text that says something.",
  });
}
