import { createHash } from "node:crypto";
import { formatScope, type Loci } from "@loci/domain";
import { type FinishedRun, keepableTurns } from "./finished-run.ts";
import { KeptSession } from "./kept-session.ts";
import { RecentMap } from "./recent-map.ts";

const mostSessions = 256;
const mostRuns = 1_024;
/** So many turns before a run tell it from others: where a history is cut, all runs have the same position. */
const mostNamed = 4;

interface SessionRuns {
  readonly session: KeptSession;
  /** The last run of the session that is being kept, or was. */
  newest: Promise<void>;
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

  /** `undefined` for a run that is kept already, and for a conversation that is not. A run that could not be kept can be kept again. */
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
    };
    // Also behind one that could not be kept.
    const kept = runs.newest.catch(() => undefined).then(() => runs.session.append(turns, before));
    runs.newest = kept;
    this.#sessions.set(name, runs);
    this.#runs.set(key, kept);
    kept.catch(() => this.#runs.delete(key, kept));
    return kept;
  }
}
