import { isConversationTurn, markOutdated, type Outdated, outdatedTurns } from "@loci/core";
import { formatScope, type Instant, isNonEmpty, type RecallHit, type Scope, type TenantId } from "@loci/domain";
import type { Ledger, MemoryPlace } from "@loci/ledger";

export interface OutdatedReading {
  readonly tenant: TenantId;
  /** For this time a context is made. */
  readonly evaluationTime: Instant;
  readonly signal: AbortSignal;
}

/**
 * The hits, and of turns of conversations since when something that they say is over, behind what took its place. What was
 * captured of a turn is closed then; the turn stays, for whatever else it says.
 */
export async function outdatedHits(
  ledger: Pick<Ledger, "atPositions">,
  hits: readonly RecallHit[],
  { tenant, evaluationTime, signal }: OutdatedReading,
): Promise<readonly (RecallHit & Outdated)[]> {
  const turns = hits.map(({ memory }) => memory).filter(isConversationTurn);
  const scopes = new Map<string, Scope>();
  const places: MemoryPlace[] = [];
  for (const { id, scope, provenance: { sourceId, position } = {} } of turns) {
    if (sourceId === undefined || position === undefined) continue;
    scopes.set(formatScope(scope), scope);
    places.push({ sourceId, position, besides: id });
  }
  const asked = [...scopes.values()];
  if (!isNonEmpty(asked)) return hits;
  const beside = await ledger.atPositions(tenant, asked, places, { signal });
  const outdated = outdatedTurns(
    turns,
    beside.map(({ memory }) => memory),
    evaluationTime,
  );
  return outdated.size === 0 ? hits : markOutdated(hits, outdated);
}
