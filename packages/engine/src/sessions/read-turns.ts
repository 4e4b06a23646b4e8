import type { TenantId, Turn, Version } from "@loci/domain";
import { type LedgerResources, type LogEntry, sessionFamily } from "@loci/ledger";
import { type HeaderPayload, type StoredSession, sessionKinds, type TurnsPayload } from "./stored-session.ts";

/** Which turns of a session, by number: from `first` (default 1) to `last` (default the last), or so many of the newest. */
export type TurnRange =
  | { readonly first?: number | undefined; readonly last?: number | undefined }
  | { readonly newest: number };

export interface TurnsRead {
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** How many entries of the ledger it took. */
  readonly rowsRead: number;
}

/** Whose turns are read, of which session as it was when it was read itself: later turns are none of it. */
export interface TurnsOf {
  readonly tenant: TenantId;
  readonly session: StoredSession;
  readonly signal?: AbortSignal | undefined;
}

type Services = { readonly ledger: LedgerResources };

/** Most entries of one read, and what one should hold in memory: entries of 100 large turns are large. */
const mostEntries = 64;
const firstEntries = 8;
const bytesOfRead = 2 * 1024 * 1024;

/**
 * Reads turns of a session by their numbers. What it costs depends on how many are wanted, not on how long the session is:
 * it begins at the nearer end, or looks its place up in a few steps.
 */
export async function readTurns(services: Services, of: TurnsOf, range: TurnRange): Promise<TurnsRead> {
  const { lastTurn } = of.session.header;
  const last = Math.min("newest" in range ? lastTurn : (range.last ?? lastTurn), lastTurn);
  const first = Math.max("newest" in range ? lastTurn - range.newest + 1 : (range.first ?? 1), 1);
  const turns: Turn[] = [];
  let rowsRead = 0;
  if (first > last) return { turns, rowsRead };
  const isBackwards = lastTurn - last < first - 1;
  const wanted = last - first + 1;
  const chunks = isBackwards
    ? turnsBackward(services, of, { last, wanted })
    : turnsForward(services, of, { first, wanted });
  for await (const chunk of chunks) {
    rowsRead += chunk.rowsRead;
    turns.push(...chunk.turns.filter(({ number }) => number >= first && number <= last));
    const end = chunk.turns.at(-1);
    if (end !== undefined && (isBackwards ? end.number <= first : end.number >= last)) break;
  }
  return { turns: isBackwards ? turns.toReversed() : turns, rowsRead };
}

/** Turns from one on, oldest first, a stretch at a time, as long as they are asked for. */
export async function* turnsForward(
  services: Services,
  of: TurnsOf,
  { first = 1, wanted }: { readonly first?: number | undefined; readonly wanted?: number | undefined } = {},
): AsyncGenerator<TurnsRead> {
  const { lastTurn } = of.session.header;
  // The entry that it began with has none.
  const place = first <= 1 ? { version: of.session.since + 1, rowsRead: 0 } : await placeOfTurn(services, of, first);
  let rowsRead = place.rowsRead;
  for await (const entries of stretches(services, of, { order: "oldestFirst", from: place.version, wanted })) {
    rowsRead += entries.length;
    const turns = entries.flatMap(turnsOf).filter(({ number }) => number >= first && number <= lastTurn);
    yield { turns, rowsRead };
    rowsRead = 0;
  }
}

/** Turns from one back, newest first, a stretch at a time, as long as they are asked for. */
export async function* turnsBackward(
  services: Services,
  of: TurnsOf,
  { last, wanted }: { readonly last?: number | undefined; readonly wanted?: number | undefined } = {},
): AsyncGenerator<TurnsRead> {
  const { header, version } = of.session;
  const from = Math.min(last ?? header.lastTurn, header.lastTurn);
  const place = from === header.lastTurn ? { version, rowsRead: 0 } : await placeOfTurn(services, of, from);
  let rowsRead = place.rowsRead;
  for await (const entries of stretches(services, of, { order: "newestFirst", from: place.version, wanted })) {
    rowsRead += entries.length;
    const turns = entries.flatMap((entry) => turnsOf(entry).toReversed()).filter(({ number }) => number <= from);
    yield { turns, rowsRead };
    rowsRead = 0;
  }
}

interface Stretch {
  readonly order: "oldestFirst" | "newestFirst";
  /** The version to begin with. */
  readonly from: Version;
  /** How many turns are wanted: an entry that has any has at least one. */
  readonly wanted: number | undefined;
}

/** The entries of a session from a version on, more at a time the more are asked for. */
async function* stretches(
  { ledger }: Services,
  { tenant, session: { ref, version, since }, signal }: TurnsOf,
  { order, from, wanted = firstEntries }: Stretch,
): AsyncGenerator<readonly LogEntry[]> {
  let [after, before]: [Version, Version] = order === "oldestFirst" ? [from - 1, version + 1] : [since - 1, from + 1];
  for (let limit = Math.min(wanted, firstEntries); after + 1 < before;) {
    const query = { family: sessionFamily, ref, after, before, order, limit };
    const entries = await ledger.resources.entries(tenant, query, { signal });
    if (entries.length > 0) yield entries;
    const end = entries.at(-1);
    if (end === undefined || entries.length < limit) return;
    if (order === "oldestFirst") after = end.version;
    else before = end.version;
    const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 1);
    limit = Math.max(1, Math.min(limit * 2, mostEntries, Math.floor((bytesOfRead * entries.length) / bytes)));
  }
}

/** The version whose entry holds a turn, found by halving: turns of later entries have greater numbers. */
async function placeOfTurn(
  { ledger }: Services,
  { tenant, session: { ref, version, since }, signal }: TurnsOf,
  number: number,
): Promise<{ readonly version: Version; readonly rowsRead: number }> {
  let [least, most] = [since + 1, version];
  let rowsRead = 0;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    const query = { family: sessionFamily, ref, after: middle - 1, before: middle + 1, limit: 1 } as const;
    const [entry] = await ledger.resources.entries(tenant, { ...query, order: "oldestFirst" }, { signal });
    rowsRead++;
    if (entry !== undefined && lastTurnAt(entry) < number) least = middle + 1;
    else most = middle;
  }
  return { version: least, rowsRead };
}

function turnsOf({ kind, payload }: LogEntry): readonly Turn[] {
  return kind === sessionKinds.turnsAppended ? (payload as TurnsPayload).turns : [];
}

/** How many turns the session had with an entry. */
export function lastTurnAt(entry: LogEntry): number {
  if (entry.kind === sessionKinds.written) return (entry.payload as HeaderPayload).header.lastTurn;
  return turnsOf(entry).at(-1)?.number ?? 0;
}

function sizeOf(entry: LogEntry): number {
  return turnsOf(entry).reduce((sum, { content }) => sum + content.length, 0);
}
