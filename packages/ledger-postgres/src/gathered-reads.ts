import { setImmediate } from "node:timers";
import type { CallOptions, TenantId } from "@loci/domain";
import type { AskedRead } from "./folded-read.ts";

/** For whom statements read that are sent together. */
export interface Reader {
  readonly tenant: TenantId;
  readonly call: CallOptions | undefined;
}

type Answers = readonly (readonly unknown[])[];

/** Most statements that go together. */
const mostTogether = 16;

interface Gathered {
  readonly reader: Reader;
  readonly asked: AskedRead[];
  readonly answers: Promise<Answers>;
}

/** Holds statements back until the turn of the event loop is over, so that those of one call go to the server together. */
export class GatheredReads {
  readonly #readTogether: (reader: Reader, asked: readonly AskedRead[]) => Promise<Answers>;
  readonly #waiting: Gathered[] = [];

  constructor(readTogether: (reader: Reader, asked: readonly AskedRead[]) => Promise<Answers>) {
    this.#readTogether = readTogether;
  }

  async ask(reader: Reader, read: AskedRead): Promise<readonly unknown[]> {
    const gathered =
      this.#waiting.find((waiting) => waiting.asked.length < mostTogether && isAlike(waiting.reader, reader)) ??
      this.#gather(reader);
    const number = gathered.asked.push(read) - 1;
    return (await gathered.answers)[number] ?? [];
  }

  #gather(reader: Reader): Gathered {
    const asked: AskedRead[] = [];
    const { promise: answers, resolve } = Promise.withResolvers<Answers>();
    const gathered = { reader, asked, answers };
    this.#waiting.push(gathered);
    setImmediate(() => {
      this.#waiting.splice(this.#waiting.indexOf(gathered), 1);
      resolve(this.#readTogether(reader, asked));
    });
    return gathered;
  }
}

function isAlike(one: Reader, other: Reader): boolean {
  return (
    one.tenant === other.tenant &&
    one.call?.signal === other.call?.signal &&
    one.call?.deadline === other.call?.deadline
  );
}
