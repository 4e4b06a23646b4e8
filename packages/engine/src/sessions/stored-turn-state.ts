import { checkTurnState, isTerminal, newTurnState, readTurnState } from "@loci/core";
import { etagOf, type KeptTurnState, type SessionKey, type TenantId, type TurnState, type Version } from "@loci/domain";
import { type LedgerResources, type ResourceWritten, type StoredResource, turnStateFamily } from "@loci/ledger";
import { sessionRef, turnStateRef } from "./session-key.ts";
import type { StoredSession } from "./stored-session.ts";

/** The kinds of entries of the family. */
export const turnStateKinds = { written: "turnStateWritten", removed: "turnStateRemoved" } as const;

/** What the ledger has: read only once somebody needs it, for it may be corrupt. */
export async function findTurnState(
  { ledger }: { readonly ledger: LedgerResources },
  tenant: TenantId,
  key: SessionKey,
  signal?: AbortSignal,
): Promise<StoredResource | undefined> {
  const ref = turnStateRef(key);
  return (await ledger.resources.get(tenant, turnStateFamily, [ref], { signal })).get(ref);
}

/** @throws LociError `TURN_STATE_CORRUPT` */
export function turnStateOf({ header }: Pick<StoredSession, "header">, found: StoredResource | undefined): TurnState {
  if (found?.state === undefined) return newTurnState({ sessionId: header.id, createdAt: header.createdAt });
  const { state } = found;
  return readTurnState(typeof state === "string" ? state : "", header.id);
}

/**
 * The next version of a turn state. The log keeps of it only where the agent stood: each would take as much as the turns.
 *
 * @throws LociError as `checkTurnState`
 */
export function turnStateWritten(key: SessionKey, state: TurnState, version: Version): ResourceWritten {
  const { turnNumber, progress } = state;
  return {
    type: "resourceWritten",
    family: turnStateFamily,
    kind: turnStateKinds.written,
    ref: turnStateRef(key),
    version,
    scope: key.scope,
    group: sessionRef(key),
    state: JSON.stringify(checkTurnState(state)),
    payload: { turnNumber, progress },
  };
}

/** As callers see it. @param version 0: nothing was saved yet */
export function turnStateView(key: SessionKey, state: TurnState, version: Version): KeptTurnState {
  return {
    state,
    isTerminal: isTerminal(state),
    ...(version === 0 ? {} : { etag: etagOf(turnStateRef(key), version) }),
  };
}
