import { expireEdits } from "@loci/core";
import {
  asGiven,
  authorize,
  type BlockEditState,
  blockEditStates,
  checkChoice,
  checkList,
  checksOf,
  formatBlockOwner,
  type ListBlockEditsRequest,
  type ListBlockEditsResult,
  memoryId,
  optional,
  type Ref,
} from "@loci/domain";
import { editFamily, type ResourceQuery } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { blockRef, type KnownOwner, pendingEdits, readOwner } from "./block-owners.ts";
import { type StoredEdit, storedEdit } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { editView } from "./edit-views.ts";
import { blockNameChecks } from "./validate-block.ts";

const defaultPageSize = 50;
/** How many are read at a time. */
const stretch = 500;

const check = checksOf<ListBlockEditsRequest>()("request", {
  owner: blockNameChecks.owner,
  label: optional(blockNameChecks.label),
  states: checkStates,
  pageSize: (size = defaultPageSize, path) => checkWholeNumber(size, path, { least: 1, most: 1_000 }),
  pageToken: asGiven,
});

/** Edits of an owner's blocks in the order in which they were proposed. */
export async function listBlockEdits(
  services: BlockServices,
  call: Call,
  request: ListBlockEditsRequest,
): Promise<ListBlockEditsResult> {
  const { owner, label, states, pageSize, pageToken } = check(request);
  const { principal } = call;
  authorize(principal, "read", [owner]);
  const query = [principal.tenant, formatBlockOwner(owner), label, states];
  const after = parsePlaceToken(pageToken, query, ([ref]) => memoryId(ref as string));
  const known = await readOwner(services, call, owner);
  const isWanted = ({ edit, label: of }: StoredEdit): boolean =>
    states.includes(edit.state) && (label === undefined || of === label);
  const found: StoredEdit[] = [];
  const onlyPending = states.every((state) => state === "pending");
  const source = onlyPending
    ? waiting(services, call, known, label)
    : every(services, call, { family: editFamily, scopes: [owner], limit: stretch, after });
  for await (const stored of source) {
    if (after !== undefined && stored.edit.id <= after) continue;
    const [edit = stored.edit] = expireEdits([stored.edit], services.clock());
    if (isWanted({ ...stored, edit })) found.push({ ...stored, edit });
    if (found.length > pageSize) break;
  }
  const shown = found.slice(0, pageSize);
  const last = shown.at(-1);
  const edits = shown.map(editView);
  if (found.length <= pageSize || last === undefined) return { edits };
  return { edits, nextPageToken: formatPlaceToken([last.edit.id], query) };
}

function checkStates(states: ListBlockEditsRequest["states"], path: string): readonly BlockEditState[] {
  if (states === undefined) return ["pending"];
  checkList(states, path, { least: 1, most: blockEditStates.length });
  return states.map((state, index) => checkChoice(state, blockEditStates, `${path}[${index}]`));
}

/** Those that wait are found by their blocks, however many were decided. */
async function* waiting(
  services: BlockServices,
  call: Call,
  known: KnownOwner,
  label: string | undefined,
): AsyncGenerator<StoredEdit> {
  const labels = label === undefined ? Object.keys(known.state.blobs) : [label];
  const edits: StoredEdit[] = [];
  for (const of of labels) edits.push(...(await pendingEdits(services, call, blockRef(known, of))));
  yield* edits.toSorted((left, right) => (left.edit.id < right.edit.id ? -1 : 1));
}

async function* every(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  query: ResourceQuery,
): AsyncGenerator<StoredEdit> {
  let { after } = query;
  for (;;) {
    const found = await ledger.resources.list(principal.tenant, { ...query, after }, { signal });
    yield* found.map(storedEdit);
    const last: Ref | undefined = found.at(-1)?.ref;
    if (found.length < query.limit || last === undefined) return;
    after = last;
  }
}
