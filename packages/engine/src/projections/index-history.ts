import { randomUUID } from "node:crypto";
import { LociError } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { ledgerIdentity } from "./ledger-identity.ts";

/** Where it is noted, with the indexes of a place, which ledger they follow. */
export interface HistoryNote {
  /** For people: what is to be removed when the ledger is gone for good. */
  readonly path: string;
  /** `undefined` when nothing is noted, or what is there cannot be read. */
  read(): Promise<string | undefined>;
  /** Replaces what is noted, whole. Resolves once it is durable. */
  write(value: string): Promise<void>;
  /** Whether there are rows of some tenant, also without a note: of a version that made none. */
  holdsRows(): Promise<boolean>;
}

/**
 * What a note says. A mark is random and stands in the ledger, too; it changes while the ledger does, so that a ledger which
 * was put back to an earlier state has one that the indexes do not know any more.
 */
interface Note {
  readonly ledger: string;
  /** The mark of the ledger; two while it is being changed. */
  readonly marks: readonly string[];
  /** Nothing was applied since the mark was made. */
  readonly isClosed: boolean;
  /** That the ledger has had any, which the files of indexes need not tell. Absent: they are to be asked. */
  readonly hasMemories?: boolean | undefined;
}

/**
 * How the indexes of a place stand to the ledger. `same`: they follow it, and were closed with it. `unclear`: they seem to,
 * but the last process ended without a word, or a version has written them that noted nothing. `other`: they follow another
 * ledger, or this one as it is not any more.
 */
export type HistoryState = "same" | "unclear" | "other";

/** Notes which state of which ledger the indexes of a place have seen, in both. */
export class IndexHistory {
  readonly #ledger: Pick<Ledger, "settings" | "tenants">;
  readonly #note: HistoryNote;
  readonly #setting: string;
  #writing: Promise<void> = Promise.resolve();

  /** @param setting where the ledger keeps the mark for this place */
  constructor(ledger: Pick<Ledger, "settings" | "tenants">, note: HistoryNote, setting: string) {
    this.#ledger = ledger;
    this.#note = note;
    this.#setting = setting;
  }

  /** @throws LociError `DATA_DIRECTORY_CORRUPT` for an empty ledger beside indexes of another one */
  async state(): Promise<HistoryState> {
    const identity = await ledgerIdentity(this.#ledger);
    const mark = await this.#ledger.settings.get(undefined, this.#setting);
    const note = parseNote(await this.#note.read());
    const isOwn = note === undefined || note.ledger === identity;
    if (!(await this.#hasMemories()) && (note === undefined ? mark === undefined : !isOwn))
      if (note?.hasMemories === true || (await this.#note.holdsRows())) throw emptyLedger(this.#note.path);
    if (note === undefined) return mark === undefined ? "unclear" : "other";
    if (!isOwn || mark === undefined || !note.marks.includes(mark)) return "other";
    return note.isClosed ? "same" : "unclear";
  }

  /** Makes a new mark: when the indexes are opened, and now and then while they are in use. */
  renew(): Promise<void> {
    return this.#write(false);
  }

  /** The last mark, once nothing is applied any more. */
  close(): Promise<void> {
    return this.#write(true);
  }

  async #hasMemories(): Promise<boolean> {
    return (await this.#ledger.tenants({ limit: 1 })).length > 0;
  }

  #write(isClosed: boolean): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#mark(isClosed));
    return this.#writing;
  }

  /** In three steps, so that after a stop between any two of them what both say still fits. */
  async #mark(isClosed: boolean): Promise<void> {
    const { settings } = this.#ledger;
    const ledger = await ledgerIdentity(this.#ledger);
    const before = await settings.get(undefined, this.#setting);
    const mark = randomUUID();
    const marks = before === undefined ? [mark] : [before, mark];
    const hasMemories = await this.#hasMemories();
    await this.#note.write(JSON.stringify({ ledger, marks, isClosed: false, hasMemories } satisfies Note));
    await settings.set(undefined, this.#setting, mark);
    await this.#note.write(JSON.stringify({ ledger, marks: [mark], isClosed, hasMemories } satisfies Note));
  }
}

function parseNote(value: string | undefined): Note | undefined {
  try {
    const note = JSON.parse(value ?? "") as Note;
    return typeof note.ledger === "string" && Array.isArray(note.marks) ? note : undefined;
  } catch {
    return undefined;
  }
}

function emptyLedger(path: string): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `The ledger is empty, but there are indexes of another one in ${path}. Its file may have been lost or replaced.`,
    resource: path,
    advice:
      "Put the ledger back, or restore a backup into a new directory. To begin anew without the memories, remove the " +
      "indexes first.",
  });
}
