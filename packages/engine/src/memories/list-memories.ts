import {
  asGiven,
  authorize,
  checkChoice,
  checkList,
  checksOf,
  formatScope,
  hasRole,
  type Instant,
  type ListMemoriesRequest,
  type ListMemoriesResult,
  type MemoryState,
  memoryStates,
  type NonEmpty,
  optional,
  parseInstant,
  parseScopes,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { MemoryServices } from "./memory-services.ts";
import { memoryViews } from "./memory-views.ts";
import { formatPageToken, type PagePosition, parsePageToken } from "../calls/page-token.ts";
import { readPage } from "../calls/read-page.ts";
import { checkCategories } from "../validation/validate-labels.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";

const checkRequest = checksOf<ListMemoriesRequest>()("request", {
  scopes: parseScopes,
  categories: optional(checkCategories),
  states: (states = ["active"], path) => checkStates(states, path),
  validAt: optional(parseInstant),
  pageSize: checkPageSize,
  // Good for the rest of the request alone, and read when that is known.
  pageToken: asGiven,
  evaluationTime: optional(parseInstant),
});

/** Memories, newest creation first, a page at a time: by number, or by size when they are large. */
export async function listMemories(
  services: MemoryServices,
  { principal, signal }: Call,
  request: ListMemoriesRequest,
): Promise<ListMemoriesResult> {
  const { scopes, categories, states, validAt, pageSize, pageToken, evaluationTime: asked } = checkRequest(request);
  authorize(principal, "read", scopes);
  // As in the list of reviews: what waits is shown to whoever may decide on it.
  if (states.includes("quarantined")) authorize(principal, "approve", scopes);
  const withUnapproved = hasRole(principal, "approve");
  const query = [principal.tenant, scopes.map(formatScope), categories, ...narrowing(states, validAt)];
  const position = pageToken === undefined ? undefined : parsePageToken(pageToken, query);
  const evaluationTime = position?.evaluationTime ?? asked ?? services.clock();

  const { rows, isLast } = await readPage<StoredMemory>({
    limit: pageSize,
    read: (last, limit) => {
      const after = last === undefined ? position?.after : placeOf(last);
      const wanted = { scopes, categories, states, validAt, withUnapproved, evaluationTime, limit, after };
      return services.ledger.list(principal.tenant, wanted, { signal });
    },
    bytesOf: ({ memory }) => Buffer.byteLength(JSON.stringify(memory)),
  });
  const memories = await memoryViews(services.ledger, principal.tenant, services.space, rows);
  const last = rows.at(-1);
  if (isLast || last === undefined) return { memories };
  return { memories, nextPageToken: formatPageToken({ evaluationTime, after: placeOf(last) }, query) };
}

/** Nothing for what every list gave once: page tokens go from one version's server to another's. */
function narrowing(states: readonly MemoryState[], validAt: Instant | undefined): readonly unknown[] {
  return validAt === undefined && states.every((state) => state === "active") ? [] : [states, validAt];
}

/** Each once, in one order, whatever the caller's. @throws LociError `INVALID_REQUEST` for none and for unknown ones */
export function checkStates(values: readonly MemoryState[], path: string): NonEmpty<MemoryState> {
  const listed = checkList(values, path, { least: 1, most: memoryStates.length });
  const wanted = new Set(listed.map((state, index) => checkChoice(state, memoryStates, `${path}[${index}]`)));
  return memoryStates.filter((state) => wanted.has(state)) as readonly MemoryState[] as NonEmpty<MemoryState>;
}

function placeOf({ memory }: StoredMemory): PagePosition["after"] {
  return { createdAt: memory.createdAt, ref: memory.id };
}
