import { expireEdits } from "@loci/core";
import {
  authorize,
  type BlockEditState,
  blockEditStates,
  blockLabel,
  checkChoice,
  checkFields,
  checkList,
  fieldsOf,
  formatBlockOwner,
  type ListBlockEditsRequest,
  type ListBlockEditsResult,
  memoryId,
  parseBlockOwner,
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

const listFields = fieldsOf<ListBlockEditsRequest>({
  owner: true,
  label: true,
  states: true,
  pageSize: true,
  pageToken: true,
});

const defaultPageSize = 50;
/** How many are read at a time. */
const stretch = 500;

/** Edits of an owner's blocks in the order in which they were proposed. */
export async function listBlockEdits(
  services: BlockServices,
  call: Call,
  request: ListBlockEditsRequest,
): Promise<ListBlockEditsResult> {
  checkFields(request, listFields, "request");
  const owner = parseBlockOwner(request.owner);
  const label = request.label === undefined ? undefined : blockLabel(request.label);
  const states = checkStates(request.states);
  const pageSize = checkWholeNumber(request.pageSize ?? defaultPageSize, "pageSize", { least: 1, most: 1_000 });
  const { principal } = call;
  authorize(principal, "read", [owner]);
  const query = [principal.tenant, formatBlockOwner(owner), label, states];
  const after = parsePlaceToken(request.pageToken, query, ([ref]) => memoryId(ref as string));
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

function checkStates(states: ListBlockEditsRequest["states"]): readonly BlockEditState[] {
  if (states === undefined) return ["pending"];
  checkList(states, "states", { least: 1, most: blockEditStates.length });
  return states.map((state, index) => checkChoice(state, blockEditStates, `states[${index}]`));
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
