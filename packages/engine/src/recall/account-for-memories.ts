import { compareIds, type Ranking } from "@loci/core";
import {
  type AbsenceReason,
  type DropReason,
  type MemoryAccount,
  type MemoryId,
  permitsScope,
  type RecallHit,
  sameScope,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { isWithheld, shownVersions } from "../memories/withheld-memory.ts";
import type { RecallCall } from "./recall-call.ts";
import type { RecallServices } from "./recall-services.ts";
import { dropReasonOf } from "./resolve-candidates.ts";

/** What a recall has come to. */
interface RecallOutcome {
  readonly hits: readonly RecallHit[];
  readonly ranking: Pick<Ranking, "hits" | "dropped">;
}

/**
 * What became of each memory that the request asks about. One that the principal may not read, one that there is not, and one
 * of another scope all get the same answer.
 */
export async function accountsOf(
  services: Pick<RecallServices, "ledger">,
  recalling: RecallCall,
  { hits, ranking }: RecallOutcome,
): Promise<readonly MemoryAccount[]> {
  const { principal, request, signal } = recalling;
  const shown = new Map(hits.map((hit) => [hit.memory.id, hit]));
  const ranks = ranksOf(ranking);
  const dropped = new Map(ranking.dropped.map((candidate) => [candidate.id, candidate]));
  const unknown = request.also.filter((id) => !shown.has(id) && !dropped.has(id));
  const stored = await services.ledger.memories(principal.tenant, unknown, { signal });
  return Promise.all(
    request.also.map(async (id): Promise<MemoryAccount> => {
      const rank = ranks.get(id);
      const ranked = rank === undefined ? {} : { rank };
      const hit = shown.get(id);
      if (hit !== undefined) return { id, score: hit.score, parts: hit.parts, ...ranked };
      const candidate = dropped.get(id);
      if (candidate !== undefined) return { ...candidate, ...ranked };
      return { id, reason: await absenceOf(services, recalling, stored.get(id)) };
    }),
  );
}

/** Places by score, from 1; ties by id. */
function ranksOf({ hits, dropped }: RecallOutcome["ranking"]): ReadonlyMap<MemoryId, number> {
  const scored = hits.map(({ memory: { id }, score }) => ({ id, score }));
  for (const { id, score } of dropped) if (score !== undefined) scored.push({ id, score });
  scored.sort((left, right) => right.score - left.score || compareIds(left.id, right.id));
  return new Map(scored.map(({ id }, index) => [id, index + 1]));
}

/** Why a memory was no candidate. */
async function absenceOf(
  services: Pick<RecallServices, "ledger">,
  recalling: RecallCall,
  stored: StoredMemory | undefined,
): Promise<DropReason | AbsenceReason> {
  const { principal, request, conditions } = recalling;
  if (stored === undefined || !permitsScope(principal, stored.memory.scope)) return "OTHER_SCOPE";
  if (await isWithheld(services, recalling, stored)) return "OTHER_SCOPE";
  if (!request.scopes.some((scope) => sameScope(scope, stored.memory.scope))) return "OTHER_SCOPE";
  const asked = request.knownAt === undefined ? stored : await versionKnownAt(services, recalling, stored);
  if (asked === undefined) return "NOT_RECORDED_THEN";
  const reason = dropReasonOf(asked, conditions);
  if (reason !== undefined) return reason;
  const { categories, where } = request;
  const isSelected =
    (categories === undefined || categories.includes(asked.memory.category)) &&
    (where === undefined || conditions.metadata.matches(where, asked.memory));
  return isSelected ? "NOT_A_CANDIDATE" : "FILTERED_OUT";
}

/** The version that was the latest then; `undefined` when there was none, or none that the principal may see. */
async function versionKnownAt(
  services: Pick<RecallServices, "ledger">,
  { principal, request: { knownAt = Infinity }, signal }: RecallCall,
  { memory }: StoredMemory,
): Promise<StoredMemory | undefined> {
  const versions = await services.ledger.versions(principal.tenant, memory.id, { signal });
  const known = versions.findLast(({ recordedAt }) => recordedAt <= knownAt);
  return known !== undefined && shownVersions(principal, versions).includes(known) ? known : undefined;
}
