import { createHash } from "node:crypto";
import { formatScope, type Loci, LociError } from "@loci/domain";
import type { FinishedRun } from "./finished-run.ts";
import { keepableTurns } from "./keepable-turns.ts";
import { KeptSession } from "./kept-session.ts";
import { RecentMap } from "./recent-map.ts";
import { type RunPart, runInParts } from "./run-parts.ts";

const mostSessions = 256;
const mostRuns = 1_024;
/** So many turns before a run tell it from others: where a history is cut, all runs have the same position. */
const mostNamed = 4;
/** So many runs of a session wait for Loci to be there again. */
const mostMissed = 64;

interface RunToKeep {
  readonly key: string;
  readonly parts: readonly RunPart[];
}

interface SessionRuns {
  readonly session: KeptSession;
  /** The last run of the session that is being kept, or was. */
  newest: Promise<void>;
  /** Runs that could not be kept because Loci was away, oldest first: they are kept before the next one. */
  missed: readonly RunToKeep[];
}

/** Keeps finished runs, each once, those of one session in the order in which they were finished. */
export class KeptRuns {
  readonly #loci: Pick<Loci, "sessions">;
  readonly #learns: boolean;
  readonly #sessions = new RecentMap<SessionRuns>(mostSessions);
  readonly #runs = new RecentMap<Promise<void>>(mostRuns);

  constructor(loci: Pick<Loci, "sessions">, learns: boolean) {
    this.#loci = loci;
    this.#learns = learns;
  }

  /**
   * `undefined` for a run that is kept already, and for a conversation that is not. A run that could not be kept can be kept again, and is
   * with the next one of its session if Loci was away.
   */
  keep(run: FinishedRun): Promise<void> | undefined {
    const { session } = run.conversation;
    if (session === undefined || run.turns.length === 0) return undefined;
    const { conversation, position } = run;
    const turns = keepableTurns(run.turns);
    const before = keepableTurns(run.before ?? []);
    const name = JSON.stringify([formatScope(conversation.scope), session]);
    const key = createHash("sha256")
      .update(JSON.stringify([name, position, before.slice(-mostNamed), turns]))
      .digest("base64");
    if (this.#runs.get(key) !== undefined) return undefined;
    const runs = this.#sessions.get(name) ?? {
      session: new KeptSession(this.#loci.sessions, { ...conversation, session }, this.#learns),
      newest: Promise.resolve(),
      missed: [],
    };
    // Also behind one that could not be kept.
    const parts = runInParts(turns, before);
    const kept = runs.newest.catch(() => undefined).then(() => this.#keepWithMissed(runs, { key, parts }));
    runs.newest = kept;
    this.#sessions.set(name, runs);
    this.#runs.set(key, kept);
    kept.catch(() => this.#runs.delete(key, kept));
    return kept;
  }

  /** @throws what went wrong first; runs that Loci was not there for wait for the next time */
  async #keepWithMissed(runs: SessionRuns, run: RunToKeep): Promise<void> {
    const { session, missed } = runs;
    const toKeep = missed.some(({ key }) => key === run.key) ? missed : [...missed, run];
    const problems: unknown[] = [];
    runs.missed = [];
    for (const [place, { key, parts }] of toKeep.entries())
      try {
        await session.append(parts, { isLate: missed.length > 0 });
        if (key !== run.key) this.#runs.set(key, Promise.resolve());
      } catch (error) {
        problems.push(error);
        if (!isAway(error)) continue;
        runs.missed = toKeep.slice(place).slice(-mostMissed);
        break;
      }
    if (problems.length > 0) throw problems[0];
  }
}

function isAway(error: unknown): boolean {
  return LociError.is(error) && (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED");
}
