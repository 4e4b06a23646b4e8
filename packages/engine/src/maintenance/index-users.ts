import { throwIfAborted } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { pause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { FormerIndexes } from "../projections/index-record.ts";
import type { IndexSet } from "../projections/index-set.ts";

export interface IndexUsersTimes {
  /** How often a server says that it is still there, in milliseconds. Default 10,000. */
  readonly sign: number;
  /** How long a server may be silent before it counts as gone, in milliseconds. Default 30,000. */
  readonly silence: number;
  /** How long to wait for servers that still use indexes, in milliseconds. Default 60,000. */
  readonly patience: number;
}

type UsedIndexes = Pick<IndexSet, "place" | "collection">;

const prefix = "index-user:";
const defaultTimes: IndexUsersTimes = { sign: 10_000, silence: 30_000, patience: 60_000 };
const pollDelay = 250;

/**
 * Which indexes each of the servers uses that share a ledger: noted in its settings, so that nobody removes what another
 * one still searches. Clocks need not agree: a server that is gone is one whose note does not change while it is watched.
 */
export class IndexUsers {
  readonly server: string;
  readonly #settings: Ledger["settings"];
  readonly #reportProblem: ReportProblem;
  readonly #times: IndexUsersTimes;
  #used: UsedIndexes | undefined;
  #signs = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    { settings }: Pick<Ledger, "settings">,
    server: string,
    reportProblem: ReportProblem,
    times: IndexUsersTimes = defaultTimes,
  ) {
    this.server = server;
    this.#settings = settings;
    this.#reportProblem = reportProblem;
    this.#times = times;
  }

  /** Notes what this server uses, and says from then on that it is there. */
  async start(used: UsedIndexes): Promise<void> {
    await this.use(used);
    this.#timer = setInterval(() => void this.#sign(), this.#times.sign).unref();
  }

  /** Notes that this server uses these indexes now, and those before no more. What fails is tried again with the next sign. */
  async use({ place, collection }: UsedIndexes): Promise<void> {
    this.#used = { place, collection };
    await this.#sign();
  }

  /** Waits until no other server uses the indexes. False when one still does after the time. */
  async released(former: FormerIndexes, signal: AbortSignal): Promise<boolean> {
    const began = performance.now();
    const watched = new Map<string, { readonly note: string; readonly since: number }>();
    for (;;) {
      const users = await this.#othersOf(former);
      if (users.size === 0) return true;
      const now = performance.now();
      for (const [name, note] of users) {
        const known = watched.get(name);
        if (known?.note !== note) watched.set(name, { note, since: now });
        else if (now - known.since >= this.#times.silence) await this.#settings.set(undefined, name, undefined);
      }
      if (now - began >= this.#times.patience) return false;
      await pause(pollDelay, signal);
      throwIfAborted(signal);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#note(undefined);
  }

  /** One after the other, so that the newest stands. */
  #sign(): Promise<void> {
    this.#writing = this.#writing.then(() => {
      // A server that was started again must not look like the silent one it was before.
      return this.#note(JSON.stringify({ ...this.#used, sign: `${process.pid}.${++this.#signs}` }));
    });
    return this.#writing;
  }

  async #note(note: string | undefined): Promise<void> {
    try {
      await this.#settings.set(undefined, prefix + this.server, note);
    } catch (error) {
      this.#reportProblem(error, "noting which indexes are in use");
    }
  }

  /** The notes of other servers that name the indexes. */
  async #othersOf({ place, collection }: FormerIndexes): Promise<ReadonlyMap<string, string>> {
    const notes = new Map(await this.#settings.list(undefined, prefix));
    notes.delete(prefix + this.server);
    for (const [name, note] of notes) {
      const used = JSON.parse(note) as UsedIndexes;
      if (used.place !== place || (collection !== undefined && used.collection !== collection)) notes.delete(name);
    }
    return notes;
  }
}
