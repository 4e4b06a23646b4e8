import { dailyLog, furthestZone } from "@loci/core";
import {
  type DayLog,
  formatScope,
  type Instant,
  type Ref,
  type Scope,
  type Sequence,
  type TenantId,
} from "@loci/domain";
import { type LedgerLog, type LedgerMemories, type LedgerResources, memoriesFamily, sessionFamily } from "@loci/ledger";
import { KeyedLock } from "../calls/keyed-lock.ts";
import { dayNames, shownDays } from "./day-names.ts";
import {
  capturedEntries,
  type CapturedMemory,
  loggedOf,
  sourceOfSession,
  spokenSince,
  type SpokenTurn,
} from "./logged-session.ts";
import { readTurns } from "./read-turns.ts";
import { sessionsSpokenIn } from "./sessions-spoken-in.ts";
import type { StoredSession } from "./stored-session.ts";

export interface RecentDaysOptions {
  /** Turns whose times are kept of all scopes. Those used longest ago go first, and the one in use stays. Default 500,000. */
  readonly maxTurns?: number | undefined;
}

/** Of whom, and up to when. */
export interface RecentDaysOf {
  readonly tenant: TenantId;
  readonly scope: Scope;
  readonly now: Instant;
  /** An IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Services {
  readonly ledger: LedgerLog & LedgerMemories & LedgerResources;
}

/** What is known of a session's turns since the first of the days. */
interface Spoken {
  readonly session: StoredSession;
  readonly turns: readonly SpokenTurn[];
  readonly captured: readonly CapturedMemory[];
}

/** What is known of a scope. */
interface Known {
  /** The first of the days, which a later day does not begin with. */
  readonly from: Instant;
  /** What the log said when it was read. */
  readonly heads: { readonly sessions: Sequence; readonly memories: Sequence };
  readonly spoken: ReadonlyMap<Ref, Spoken>;
}

interface Kept {
  known: Known | undefined;
  turns: number;
}

/** After more changes of memories than these, what was captured is looked up anew. */
const mostChanges = 200;

/**
 * What was talked about in the sessions of a scope today and on the six days before: the log of each day, as
 * `sessions.dailyLog` gives it, of those that have any. Kept from one context to the next: only what came since is read.
 */
export class RecentDays {
  readonly #maxTurns: number;
  /** By tenant and scope, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  readonly #reads = new KeyedLock();
  #turns = 0;
  #turnsRead = 0;

  constructor({ maxTurns = 500_000 }: RecentDaysOptions = {}) {
    this.#maxTurns = maxTurns;
  }

  /** How many turns were read so far. */
  get turnsRead(): number {
    return this.#turnsRead;
  }

  /** Newest first. Of a time that has passed since nothing is shown that came later. */
  async of(services: Services, of: RecentDaysOf): Promise<readonly DayLog[]> {
    const key = `${of.tenant} ${formatScope(of.scope)}`;
    const kept = this.#kept.get(key) ?? { known: undefined, turns: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const { timeZone = "UTC" } = of;
    const days = dayNames(of.now, timeZone, shownDays);
    // Wherever midnight is: one memory of a scope serves all zones in which it is the same day.
    const from = Date.parse(`${days.at(-1) as string}T00:00:00Z`) - furthestZone;
    // Those who ask at the same time wait for each other, so that no turn is read twice.
    await this.#reads.run(key, () => this.#read(key, kept, { services, of, from }));
    const logged = [...(kept.known?.spoken.values() ?? [])].map(({ session, turns, captured }) =>
      loggedOf(
        session,
        turns.filter(({ at }) => at <= of.now),
        captured.filter(({ at }) => at <= of.now),
      ),
    );
    return days.map((date) => ({ date, text: dailyLog(date, logged, timeZone) })).filter(({ text }) => text !== "");
  }

  async #read(
    key: string,
    kept: Kept,
    { services, of, from }: { readonly services: Services; readonly of: RecentDaysOf; readonly from: Instant },
  ): Promise<void> {
    const { tenant, signal } = of;
    const { ledger } = services;
    const known = kept.known?.from === from ? kept.known : undefined;
    // Before anything is read: what comes meanwhile is seen again by the next.
    const heads = {
      sessions: await ledger.head(tenant, { families: [sessionFamily] }),
      memories: await ledger.head(tenant, { families: [memoriesFamily] }),
    };
    if (known?.heads.sessions === heads.sessions && known.heads.memories === heads.memories) return;
    const changed = known && (await changedSince(services, of, known));
    const spoken = new Map<Ref, Spoken>();
    for await (const session of sessionsSpokenIn(services, of, { from })) {
      const before = known?.spoken.get(session.ref);
      const its = { tenant, session, signal };
      const isSame = before?.session.since === session.since;
      const isChanged = changed?.has(sourceOfSession(session)) ?? true;
      const turns = isSame
        ? await this.#longer(services, its, { before, from })
        : await spokenSince(services, its, from);
      if (!isSame) this.#turnsRead += turns.length;
      const captured = isSame && !isChanged ? before.captured : await capturedEntries(services, its, turns);
      spoken.set(session.ref, { session, turns, captured });
    }
    kept.known = { from, heads, spoken };
    this.#count(key, kept);
  }

  /** With the turns that came since. */
  async #longer(
    services: Services,
    of: Parameters<typeof readTurns>[1],
    { before, from }: { readonly before: Spoken; readonly from: Instant },
  ): Promise<readonly SpokenTurn[]> {
    const first = before.session.header.lastTurn + 1;
    if (first > of.session.header.lastTurn) return before.turns;
    const { turns } = await readTurns(services, of, { first });
    this.#turnsRead += turns.length;
    const times = turns.filter(({ at }) => at >= from).map(({ at, number }): SpokenTurn => ({ at, number }));
    return [...times.toReversed(), ...before.turns];
  }

  #count(key: string, kept: Kept): void {
    if (this.#kept.get(key) !== kept) return;
    // A scope without any takes its place, too.
    let turns = 1;
    for (const one of kept.known?.spoken.values() ?? []) turns += one.turns.length;
    this.#turns += turns - kept.turns;
    kept.turns = turns;
    for (const [oldest, unused] of this.#kept) {
      if (this.#turns <= this.#maxTurns || unused === kept) return;
      this.#kept.delete(oldest);
      this.#turns -= unused.turns;
      unused.turns = 0;
    }
  }
}

/** The sources of the memories that have changed. `undefined`: too many of them, and any may have. */
async function changedSince(
  { ledger }: Services,
  { tenant, signal }: RecentDaysOf,
  { heads, spoken }: Known,
): Promise<ReadonlySet<string> | undefined> {
  const families = [memoriesFamily];
  const entries = await ledger.changes(tenant, heads.memories, mostChanges, { families, signal });
  if (entries.length === mostChanges) return undefined;
  const refs = new Set(entries.map(({ ref }) => ref));
  const sources = new Set<string>();
  for (const { memory } of (await ledger.memories(tenant, [...refs], { signal })).values())
    if (memory.provenance !== undefined) sources.add(memory.provenance.sourceId);
  // What was removed for good says no more where it came from.
  for (const { session, captured } of spoken.values())
    if (captured.some(({ ref }) => refs.has(ref))) sources.add(sourceOfSession(session));
  return sources;
}
