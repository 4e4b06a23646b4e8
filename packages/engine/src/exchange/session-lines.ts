import { readTurnState } from "@loci/core";
import { formatScope, type Instant, LociError, type Ref, type TurnState } from "@loci/domain";
import { type LogEntry, sessionFamily, type StoredResource } from "@loci/ledger";
import { capturedThrough } from "../capture/captured-through.ts";
import { sessionKinds, sessionOf, type StoredSession, type TurnsPayload } from "../sessions/stored-session.ts";
import type { LineContent, LineSource } from "./line-source.ts";

/** Which session something belongs to. One of the same name that was begun at another time is another one. */
export interface SessionPlace {
  readonly scope: string;
  readonly id: string;
  readonly createdAt: Instant;
}

/**
 * A session has a line where it begins, which says how it is now, and a line for each turn where it was appended. One that was deleted
 * has none.
 */
export async function sessionLines(
  source: LineSource,
  entry: LogEntry,
  resource: StoredResource,
): Promise<readonly LineContent[]> {
  const session = sessionOf(resource);
  if (session === undefined) return [];
  if (entry.version === session.since) return [await headerLine(source, session)];
  if (entry.kind !== sessionKinds.turnsAppended || entry.version < session.since) return [];
  const place = placeOf(session);
  return (entry.payload as TurnsPayload).turns.map((turn) => ({ type: "turn", fields: { session: place, ...turn } }));
}

async function headerLine({ ledger, tenant, signal }: LineSource, session: StoredSession): Promise<LineContent> {
  const { scope, lastTurn, openToolCalls: _open, ...header } = session.header;
  const captured = await capturedThrough(ledger, tenant, session, signal);
  const { isProjectForeign } = session;
  const foreign = isProjectForeign === undefined ? {} : { isProjectForeign };
  return { type: "session", fields: { ...header, ...foreign, scope: formatScope(scope), turns: lastTurn, captured } };
}

/** Where an agent stands. One that cannot be read any more has none: nobody could take it back. */
export async function turnStateLines(
  { ledger, tenant, signal }: LineSource,
  entry: LogEntry,
  { version, state, group = "" }: StoredResource,
): Promise<readonly LineContent[]> {
  if (entry.version !== version || typeof state !== "string") return [];
  const ref = group as Ref;
  const found = (await ledger.resources.get(tenant, sessionFamily, [ref], { signal })).get(ref);
  const session = found && sessionOf(found);
  if (session === undefined) return [];
  const kept = readable(state, session.header.id);
  return kept === undefined ? [] : [{ type: "turnState", fields: { session: placeOf(session), state: kept } }];
}

function readable(state: string, id: string): TurnState | undefined {
  try {
    return readTurnState(state, id);
  } catch (error) {
    if (LociError.is(error) && error.reason === "TURN_STATE_CORRUPT") return undefined;
    throw error;
  }
}

export function placeOf({ header: { scope, id, createdAt } }: StoredSession): SessionPlace {
  return { scope: formatScope(scope), id, createdAt };
}
