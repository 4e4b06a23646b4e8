import {
  authorize,
  checkChoice,
  checkFilter,
  checksOf,
  coveredScopes,
  formatScope,
  hasRole,
  type MemoryIdsPart,
  type MemoryIdsRequest,
  memoryOrders,
  type MemoryRecord,
  optional,
  packedIdBytes,
  parseInstant,
  parseScopes,
  type Scope,
  type ScopeKind,
} from "@loci/domain";
import { matchesFieldsOf } from "@loci/store";
import type { Call } from "../calls/call.ts";
import { indexFieldOf } from "../projections/index-fields.ts";
import { checkCategories } from "../validation/validate-labels.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { cursorAt, endOfChanges } from "./changed-memories.ts";
import { checkStates } from "./list-memories.ts";
import type { MemoryServices } from "./memory-services.ts";

const mostIds = 5_000_000;
const idsInPart = 4_096;
const mostTextBytes = 1_000;
const metadataPrefix = "metadata.";

const checkRequest = checksOf<MemoryIdsRequest>()("request", {
  scopes: (scopes, path) => (scopes === "*" ? undefined : parseScopes(scopes, path)),
  states: (states = ["active"], path) => checkStates(states, path),
  categories: optional(checkCategories),
  where: optional(checkFilter),
  text: optional((text, path) => checkStoredText(text, path, mostTextBytes)),
  orderBy: (order = "created", path) => checkChoice(order, memoryOrders, path),
  evaluationTime: optional(parseInstant),
});

/** The ids of a list, all of them, and up to where in the log it is complete. */
export interface MemoryIdList extends Pick<MemoryIdsPart, "sequence" | "cursor"> {
  readonly packed: Uint8Array;
}

/** @throws LociError `TOO_MANY_MEMORIES`, `SCOPE_REQUIRED`, `SCOPE_NOT_PERMITTED`, `ROLE_REQUIRED`, and for bad input */
export async function listMemoryIds(
  services: Pick<MemoryServices, "ledger" | "clock">,
  { principal, signal }: Call,
  request: MemoryIdsRequest,
): Promise<MemoryIdList> {
  const { scopes, states, categories, where, text, orderBy: order, evaluationTime } = checkRequest(request);
  authorize(principal, "read", scopes ?? []);
  // As in lists of memories: what waits is shown to whoever may decide on it.
  if (states.includes("quarantined")) authorize(principal, "approve", scopes ?? []);
  // Before the ids: what is changed since is told by a watch that begins there.
  const { mark, head: sequence } = await endOfChanges(services.ledger, principal.tenant);
  const packed = await services.ledger.refs(
    principal.tenant,
    {
      ...(scopes === undefined ? coveredScopes(principal.scopePatterns) : { kinds: noKinds, scopes: eachOnce(scopes) }),
      states,
      categories,
      evaluationTime: evaluationTime ?? services.clock(),
      withUnapproved: hasRole(principal, "approve"),
      order,
      text,
      suits: where && ((memory) => matchesFieldsOf(where, (field) => fieldOf(memory, field))),
      limit: mostIds,
    },
    { signal },
  );
  return { packed, sequence, cursor: cursorAt({ mark }, sequence) };
}

/** What is sent of it, one part after the other. */
export function* partsOf({ packed, sequence, cursor }: MemoryIdList): Generator<MemoryIdsPart, void, undefined> {
  const total = packed.length / packedIdBytes;
  for (let offset = 0; offset === 0 || offset < total; offset += idsInPart) {
    const ids = packed.subarray(offset * packedIdBytes, (offset + idsInPart) * packedIdBytes);
    yield { ids, offset, total, sequence, cursor };
  }
}

const noKinds: readonly ScopeKind[] = [];

function eachOnce(scopes: readonly Scope[]): readonly Scope[] {
  return [...new Map(scopes.map((scope) => [formatScope(scope), scope])).values()];
}

/** Of metadata whatever there is, declared to the indexes or not: no index is asked. */
function fieldOf(memory: MemoryRecord, field: string): ReturnType<typeof indexFieldOf> {
  if (!field.startsWith(metadataPrefix)) return indexFieldOf(memory, field);
  const name = field.slice(metadataPrefix.length);
  return Object.hasOwn(memory.metadata, name) ? memory.metadata[name] : undefined;
}
