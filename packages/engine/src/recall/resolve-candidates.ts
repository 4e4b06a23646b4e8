import {
  type DroppedCandidate,
  type DropReason,
  type Filter,
  heldAt,
  type Instant,
  type Ref,
  sameScope,
  type Scope,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** What a memory must be to be recalled. */
export interface RecallConditions {
  readonly scopes: readonly Scope[];
  readonly evaluationTime: Instant;
  /** As asked; without it what is true at the evaluation time counts. */
  readonly validAt: Instant | undefined;
  /** What filters can ask for. */
  readonly metadata: DeclaredMetadata;
}

export function recallConditions(
  { scopes, evaluationTime, validAt }: CheckedRecallRequest,
  metadata: DeclaredMetadata,
): RecallConditions {
  return { scopes, evaluationTime, validAt, metadata };
}

export interface ResolvedRows {
  readonly usable: readonly StoredMemory[];
  readonly dropped: readonly DroppedCandidate[];
}

/**
 * Sorts what an index has found by what the ledger says of it now.
 *
 * A memory of another scope, and one that no longer matches the filter, was found only because the index is behind: it is
 * passed over without a word, as if it had not been found.
 */
export function resolveRows(
  refs: Iterable<Ref>,
  current: ReadonlyMap<Ref, StoredMemory>,
  where: Filter | undefined,
  conditions: RecallConditions,
): ResolvedRows {
  const usable: StoredMemory[] = [];
  const dropped: DroppedCandidate[] = [];
  for (const ref of refs) {
    const stored = current.get(ref);
    if (stored === undefined) continue;
    const { memory } = stored;
    if (!isAmong(conditions.scopes, memory.scope)) continue;
    const reason = dropReasonOf(stored, conditions);
    if (reason !== undefined) dropped.push({ id: ref, reason });
    else if (where === undefined || conditions.metadata.matches(where, memory)) usable.push(stored);
  }
  return { usable, dropped };
}

function isAmong(scopes: readonly Scope[], scope: Scope): boolean {
  for (const one of scopes) if (sameScope(one, scope)) return true;
  return false;
}

/** Why a memory cannot be recalled under these conditions, or `undefined` when it can. */
export function dropReasonOf({ memory }: StoredMemory, conditions: RecallConditions): DropReason | undefined {
  const { evaluationTime, validAt } = conditions;
  const { state, expiresAt, supersededBy } = memory;
  if (state === "deleted") return "DELETED";
  if (state !== "active") return "NOT_ACTIVE";
  const held = heldAt(memory, validAt ?? evaluationTime);
  // Asked for another time than now, what was true then counts, whatever took its place since.
  if (supersededBy !== undefined && !(validAt !== undefined && held)) return "SUPERSEDED";
  if (expiresAt !== undefined && expiresAt <= evaluationTime) return "EXPIRED";
  return held ? undefined : "NOT_VALID_THEN";
}
