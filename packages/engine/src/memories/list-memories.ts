import {
  asGiven,
  authorize,
  checksOf,
  formatScope,
  type ListMemoriesRequest,
  type ListMemoriesResult,
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
  pageSize: checkPageSize,
  // Good for the rest of the request alone, and read when that is known.
  pageToken: asGiven,
  evaluationTime: optional(parseInstant),
});

/** Active memories, newest creation first, a page at a time: by number, or by size when they are large. */
export async function listMemories(
  services: MemoryServices,
  { principal, signal }: Call,
  request: ListMemoriesRequest,
): Promise<ListMemoriesResult> {
  const { scopes, categories, pageSize, pageToken, evaluationTime: asked } = checkRequest(request);
  authorize(principal, "read", scopes);
  const query = [principal.tenant, scopes.map(formatScope), categories];
  const position = pageToken === undefined ? undefined : parsePageToken(pageToken, query);
  const evaluationTime = position?.evaluationTime ?? asked ?? services.clock();

  const { rows, isLast } = await readPage<StoredMemory>({
    limit: pageSize,
    read: (last, limit) => {
      const after = last === undefined ? position?.after : placeOf(last);
      return services.ledger.list(principal.tenant, { scopes, categories, evaluationTime, limit, after }, { signal });
    },
    bytesOf: ({ memory }) => Buffer.byteLength(JSON.stringify(memory)),
  });
  const memories = await memoryViews(services.ledger, principal.tenant, services.space, rows);
  const last = rows.at(-1);
  if (isLast || last === undefined) return { memories };
  return { memories, nextPageToken: formatPageToken({ evaluationTime, after: placeOf(last) }, query) };
}

function placeOf({ memory }: StoredMemory): PagePosition["after"] {
  return { createdAt: memory.createdAt, ref: memory.id };
}
