import {
  applyTokenLimits,
  isConversationTurn,
  markOutdated,
  type Outdated,
  type OutdatedTurn,
  outdatedTurns,
  type ReplacingMemory,
  type TokenCounter,
} from "@loci/core";
import { formatScope, isNonEmpty, type MemoryId, memoryView, type RecallHit, type Scope } from "@loci/domain";
import type { MemoryPlace } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { recallConditions, resolveRows } from "../recall/resolve-candidates.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { replacingMemories } from "./replacing-memories.ts";

export interface OutdatedReading {
  readonly services: Pick<AssemblyServices, "ledger" | "metadata" | "tokens">;
  readonly call: Call;
  /** What was recalled by. */
  readonly request: CheckedRecallRequest;
  readonly counter: TokenCounter;
  /** Whether what took the place of something may be shown although nothing found it. */
  readonly mayAdd: boolean;
}

/**
 * The hits, and of turns of conversations since when something that they say is over, behind what took its place. What was
 * captured of a turn is closed then; the turn stays, for whatever else it says.
 */
export async function outdatedHits(
  reading: OutdatedReading,
  hits: readonly RecallHit[],
): Promise<readonly (RecallHit & Outdated)[]> {
  const outdated = await readOutdated(reading, hits);
  if (outdated.size === 0) return hits;
  const { by, unfound } = await readReplacing(reading, hits, outdated);
  const current = new Map([...outdated].map(([id, turn]) => [id, { ...turn, by: by(turn.by) }]));
  return markOutdated(hits, current, unfound);
}

async function readOutdated(
  { services: { ledger }, call: { principal, signal }, request: { evaluationTime } }: OutdatedReading,
  hits: readonly RecallHit[],
): Promise<ReadonlyMap<MemoryId, OutdatedTurn>> {
  const turns = hits.map(({ memory }) => memory).filter(isConversationTurn);
  const scopes = new Map<string, Scope>();
  const places: MemoryPlace[] = [];
  for (const { id, scope, provenance: { sourceId, position } = {} } of turns) {
    if (sourceId === undefined || position === undefined) continue;
    scopes.set(formatScope(scope), scope);
    places.push({ sourceId, position, besides: id });
  }
  const asked = [...scopes.values()];
  if (!isNonEmpty(asked)) return new Map();
  const beside = await ledger.atPositions(principal.tenant, asked, places, { signal });
  return outdatedTurns(
    turns,
    beside.map(({ memory }) => memory),
    evaluationTime,
  );
}

interface Replacing {
  /** What stands in their place now, of memories that took a place first. */
  readonly by: (first: ReadonlySet<MemoryId>) => ReadonlySet<MemoryId>;
  /** What of it was not found, and may be recalled. */
  readonly unfound: ReadonlyMap<MemoryId, ReplacingMemory>;
}

async function readReplacing(
  { services, call: { principal, signal }, request, counter, mayAdd }: OutdatedReading,
  hits: readonly RecallHit[],
  outdated: ReadonlyMap<MemoryId, OutdatedTurn>,
): Promise<Replacing> {
  const found = new Set(hits.map(({ memory }) => memory.id));
  const first = [...outdated.values()].flatMap(({ by }) => [...by]).filter((id) => !found.has(id));
  const last = await replacingMemories(services.ledger, principal.tenant, [...new Set(first)], { signal });
  const stored = new Map([...last.values()].map((one) => [one.memory.id, one]));
  const refs = mayAdd ? [...stored.keys()].filter((id) => !found.has(id)) : [];
  const { usable } = resolveRows(refs, stored, request.where, recallConditions(request, services.metadata));
  const { categories } = request;
  const wanted = usable.filter(({ memory }) => categories?.includes(memory.category) !== false);
  const { kept } = applyTokenLimits(
    // Whether it has a vector is nowhere shown.
    wanted.map((one) => ({ memory: memoryView(one, true) })),
    request,
    { counter, counted: services.tokens.counted },
  );
  return {
    by: (ids) => new Set([...ids].map((id) => last.get(id)?.memory.id ?? id)),
    unfound: new Map(kept.map((one) => [one.memory.id, one])),
  };
}
