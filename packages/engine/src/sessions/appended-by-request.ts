import type { AppendedTurns, SessionKey } from "@loci/domain";
import { type Committed, type Idempotency, sessionFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { replayedResults } from "../memories/commit-memories.ts";
import { lastTurnAt } from "./read-turns.ts";
import { sessionRef } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import { existingSession, sessionNotFound } from "./stored-session.ts";

/** A call that appends turns, by which a repetition of it is known. */
export interface AppendingRequest {
  readonly idempotency: Idempotency;
  /** How many turns it gives. */
  readonly count: number;
}

/**
 * Where the turns of a request stand that was carried out before, whoever has appended since; `undefined` for a new one.
 *
 * @throws LociError `REQUEST_ID_REUSED`; `MEMORY_ERASED`; `SESSION_NOT_FOUND` when the session was deleted since
 */
export async function appendedByRequest(
  services: SessionServices,
  call: Call,
  key: SessionKey,
  request: AppendingRequest,
): Promise<AppendedTurns | undefined> {
  const results = await replayedResults(services, call, request.idempotency);
  return results && placeOfResults(services, call, key, { results, count: request.count });
}

/**
 * Where turns stand, by what their commit was answered.
 *
 * @throws LociError `SESSION_NOT_FOUND` when the session was deleted since, also when another one has its name
 */
export async function placeOfResults(
  services: SessionServices,
  { principal: { tenant }, signal }: Call,
  key: SessionKey,
  { results, count }: { readonly results: Committed["results"]; readonly count: number },
): Promise<AppendedTurns> {
  const session = await existingSession(services, tenant, key, signal);
  const ref = sessionRef(key);
  const version = results.find((result) => result.ref === ref)?.version ?? 0;
  if (version < session.since) throw sessionNotFound(key);
  const query = { family: sessionFamily, ref, after: version - 1, before: version + 1, limit: 1 } as const;
  const [entry] = await services.ledger.resources.entries(tenant, { ...query, order: "oldestFirst" }, { signal });
  if (entry === undefined) throw sessionNotFound(key);
  const lastTurn = lastTurnAt(entry);
  return { firstTurn: lastTurn - count + 1, lastTurn, replayed: true };
}
