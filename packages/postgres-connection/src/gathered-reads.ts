import { setImmediate } from "node:timers";

/** Most statements that go together. */
const mostTogether = 16;

type Answers = readonly (readonly unknown[])[];

export interface GatheredReadsOptions<Access, Asked> {
  /** As whom both are to be read when they may be read together, else `undefined`. */
  readonly sharedAccess: (waiting: Access, access: Access) => Access | undefined;
  /** Answers several statements, in their order. */
  readonly readTogether: (access: Access, asked: readonly Asked[]) => Promise<Answers>;
  /** Asks each again by itself when they failed together, so that one that cannot be answered takes no other with it. Default false. */
  readonly asksAgainAlone?: boolean | undefined;
}

interface Gathered<Access, Asked> {
  access: Access;
  readonly asked: Asked[];
  readonly answers: Promise<Answers>;
}

/**
 * Holds statements back until the turn of the event loop is over, and sends those together that may be.
 *
 * @typeParam Access of whom and how is read
 * @typeParam Asked a statement with its values
 */
export class GatheredReads<Access, Asked> {
  readonly #options: GatheredReadsOptions<Access, Asked>;
  readonly #waiting: Gathered<Access, Asked>[] = [];

  constructor(options: GatheredReadsOptions<Access, Asked>) {
    this.#options = options;
  }

  async ask(access: Access, asked: Asked): Promise<readonly unknown[]> {
    const { readTogether, asksAgainAlone = false } = this.#options;
    const gathered = this.#joined(access) ?? this.#gather(access);
    const number = gathered.asked.push(asked) - 1;
    let answers: Answers;
    try {
      answers = await gathered.answers;
    } catch (error) {
      if (!asksAgainAlone || gathered.asked.length === 1) throw error;
      return (await readTogether(access, [asked]))[0] ?? [];
    }
    return answers[number] ?? [];
  }

  #joined(access: Access): Gathered<Access, Asked> | undefined {
    for (const gathered of this.#waiting) {
      if (gathered.asked.length === mostTogether) continue;
      const shared = this.#options.sharedAccess(gathered.access, access);
      if (shared === undefined) continue;
      gathered.access = shared;
      return gathered;
    }
    return undefined;
  }

  #gather(access: Access): Gathered<Access, Asked> {
    const asked: Asked[] = [];
    const { promise, resolve } = Promise.withResolvers<Answers>();
    const gathered: Gathered<Access, Asked> = { access, asked, answers: promise };
    this.#waiting.push(gathered);
    setImmediate(() => {
      this.#waiting.splice(this.#waiting.indexOf(gathered), 1);
      resolve(this.#options.readTogether(gathered.access, asked));
    });
    return gathered;
  }
}
