import type { CapturedEntry, Instant, LoggedSession, MemoryRecord, Ref, Turn } from "@loci/domain";
import type { LedgerMemories, LedgerResources, StoredMemory } from "@loci/ledger";
import { turnsBackward, type TurnsOf } from "./read-turns.ts";
import type { StoredSession } from "./stored-session.ts";

/** When a turn was said. */
export type SpokenTurn = Pick<Turn, "at" | "number">;

/** What was captured from a session, and which memory it is. */
export interface CapturedMemory extends CapturedEntry {
  readonly ref: Ref;
}

const placesAtOnce = 500;

/** What the memories of a session's turns cite as their source. */
export function sourceOfSession({ header }: Pick<StoredSession, "header">): string {
  return `conversation:${header.id}`;
}

/** A session as a log of its days takes it. */
export function loggedOf(
  { header }: StoredSession,
  turns: readonly SpokenTurn[],
  captured: readonly CapturedEntry[],
): LoggedSession {
  return { id: header.id, title: header.title, turns: turns.map(({ at }) => at), captured };
}

/** The times of a session's turns since an instant, newest first. */
export async function spokenSince(
  services: { readonly ledger: LedgerResources },
  of: TurnsOf,
  from: Instant,
): Promise<readonly SpokenTurn[]> {
  const turns: SpokenTurn[] = [];
  for await (const chunk of turnsBackward(services, of)) {
    for (const { at, number } of chunk.turns) if (at >= from) turns.push({ at, number });
    if (of.session.times?.inOrder === true && (chunk.turns.at(-1)?.at ?? from) < from) break;
  }
  return turns;
}

/**
 * It was closed: something took its place, or it was asked to be forgotten. What ends by itself, such as a plan behind its day, is not: it was
 * known to end when it was written. A plan that is captured only behind its day, or imported then, cannot be told from what was forgotten, and counts as closed.
 */
function wasClosed({ supersededBy, validTo, updatedAt }: MemoryRecord): boolean {
  return supersededBy !== undefined || (validTo !== undefined && validTo <= updatedAt);
}

/** What was captured from these turns and was not closed since, in the order of its making. */
export async function capturedEntries(
  { ledger }: { readonly ledger: LedgerMemories },
  { tenant, session, signal }: TurnsOf,
  turns: readonly SpokenTurn[],
): Promise<readonly CapturedMemory[]> {
  const sourceId = sourceOfSession(session);
  const found: StoredMemory[] = [];
  for (let start = 0; start < turns.length; start += placesAtOnce) {
    const some = turns.slice(start, start + placesAtOnce);
    const places = some.map(({ number }) => ({ sourceId, position: number - 1 }));
    found.push(...(await ledger.atPositions(tenant, [session.header.scope], places, { signal })));
  }
  return found
    .map(({ memory }) => memory)
    .filter((memory) => memory.origin === "capture" || memory.origin === "correction")
    .filter((memory) => !wasClosed(memory))
    .toSorted((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
    .map(({ id, category, text, createdAt }) => ({ ref: id, category, text, at: createdAt }));
}
