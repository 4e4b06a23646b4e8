import { setImmediate } from "node:timers";
import type { CallOptions, TenantId } from "@loci/domain";
import type { AskedStatement } from "./folded-statement.ts";
import type { Settings } from "./transaction.ts";

/** Of whom and how statements read that are sent together. */
export interface ReadAccess {
  readonly tenant: TenantId;
  readonly options: CallOptions | undefined;
  /** For these statements alone. */
  readonly settings: Settings;
}

/** Answers several statements, in their order. */
export type ReadTogether = (
  access: ReadAccess,
  asked: readonly AskedStatement[],
) => Promise<readonly (readonly object[])[]>;

/** Most statements that go together. */
const mostTogether = 16;

interface Gathered {
  /** Of the first that has a call: one without shares its statement, and is asked alone should that call be cancelled. */
  access: ReadAccess;
  readonly asked: AskedStatement[];
  readonly answers: Promise<readonly (readonly object[])[]>;
}

/**
 * Holds statements back until the turn of the event loop is over, and sends those of one call together. When they fail
 * together each is asked alone, so that one that cannot be answered takes no other with it.
 */
export class GatheredReads {
  readonly #readTogether: ReadTogether;
  readonly #waiting: Gathered[] = [];

  constructor(readTogether: ReadTogether) {
    this.#readTogether = readTogether;
  }

  async ask(access: ReadAccess, statement: AskedStatement): Promise<readonly object[]> {
    const gathered =
      this.#waiting.find((waiting) => waiting.asked.length < mostTogether && isAlike(waiting.access, access)) ??
      this.#gather(access);
    if (gathered.access.options === undefined) gathered.access = access;
    const number = gathered.asked.push(statement) - 1;
    let answers: readonly (readonly object[])[];
    try {
      answers = await gathered.answers;
    } catch (error) {
      if (gathered.asked.length === 1 || access.options?.signal?.aborted === true) throw error;
      return (await this.#readTogether(access, [statement]))[0] ?? [];
    }
    return answers[number] ?? [];
  }

  #gather(access: ReadAccess): Gathered {
    const asked: AskedStatement[] = [];
    const { promise, resolve } = Promise.withResolvers<readonly (readonly object[])[]>();
    const gathered: Gathered = { access, asked, answers: promise };
    this.#waiting.push(gathered);
    setImmediate(() => {
      this.#waiting.splice(this.#waiting.indexOf(gathered), 1);
      resolve(this.#readTogether(gathered.access, asked));
    });
    return gathered;
  }
}

function isAlike(one: ReadAccess, other: ReadAccess): boolean {
  return (
    one.tenant === other.tenant &&
    isSameCall(one.options, other.options) &&
    JSON.stringify(one.settings) === JSON.stringify(other.settings)
  );
}

function isSameCall(one: CallOptions | undefined, other: CallOptions | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.signal === other.signal && one.deadline === other.deadline;
}
