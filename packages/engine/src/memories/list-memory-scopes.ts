import {
  asGiven,
  authorize,
  checkChoice,
  checksOf,
  coveredScopes,
  formatScope,
  type ListMemoryScopesRequest,
  type ListMemoryScopesResult,
  optional,
  parseKeptScope,
  scopeKinds,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import type { MemoryServices } from "./memory-services.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";

const checkRequest = checksOf<ListMemoryScopesRequest>()("request", {
  kind: optional((kind, path) => checkChoice(kind, scopeKinds, path)),
  pageSize: checkPageSize,
  // Good for the rest of the request alone.
  pageToken: asGiven,
});

/**
 * The scopes with active memories that the principal may read, in the order of their names. Only those are looked for: neither
 * a page nor its token nor the time it takes tells of others.
 */
export async function listMemoryScopes(
  { ledger }: MemoryServices,
  { principal, signal }: Call,
  request: ListMemoryScopesRequest,
): Promise<ListMemoryScopesResult> {
  const { kind: wanted, pageSize, pageToken } = checkRequest(request);
  authorize(principal, "read", []);
  const query = ["memory scopes", principal.tenant, wanted];
  const after = parsePlaceToken(pageToken, query, ([name]) => parseKeptScope(name as string));

  const covered = coveredScopes(principal.scopePatterns);
  const kinds = covered.kinds.filter((kind) => kind === (wanted ?? kind));
  const named = covered.scopes.filter(({ kind }) => kind === (wanted ?? kind));
  // One more than the page may have tells whether there is another.
  const selection = { kinds, scopes: named, after, limit: pageSize + 1 };
  const found = await ledger.scopes(principal.tenant, selection, { signal });
  const scopes = found.slice(0, pageSize);
  const last = scopes.at(-1);
  if (found.length <= pageSize || last === undefined) return { scopes };
  return { scopes, nextPageToken: formatPlaceToken([formatScope(last.scope)], query) };
}
