import { rm } from "node:fs/promises";
import { LociError } from "@loci/domain";
import type { IndexPlaces } from "@loci/engine";
import { besideOf } from "./history-note.ts";
import { type IndexChoice, type IndexName, indexNameOf } from "./index-choice.ts";
import { adapterOf, removeIndexes } from "./open-indexes.ts";
import type { OpenedIndexes } from "./opened-indexes.ts";
import type { Words } from "./words/words.ts";

/** What is beside the indexes. */
interface Where {
  /** The data directory. */
  readonly directory: string;
  readonly words: Words;
}

/** The indexes a data directory can have: each in files or tables of its own, open while it is in use. */
export class DirectoryPlaces implements IndexPlaces {
  readonly active: IndexName;
  readonly available: readonly IndexName[];
  readonly #choices: readonly IndexChoice[];
  readonly #where: Where;
  readonly #openIndexes: (choice: IndexChoice) => Promise<OpenedIndexes>;
  readonly #opened = new Map<IndexName, Promise<OpenedIndexes>>();

  /** @param choices one of each name */
  constructor(
    active: string,
    choices: readonly IndexChoice[],
    where: Where,
    openIndexes: (choice: IndexChoice) => Promise<OpenedIndexes>,
  ) {
    this.#choices = choices;
    this.available = choices.map(indexNameOf);
    this.active = indexNameOf(this.#choice(active));
    this.#where = where;
    this.#openIndexes = openIndexes;
  }

  open(name: string): Promise<OpenedIndexes> {
    const choice = this.#choice(name);
    const known = indexNameOf(choice);
    let opened = this.#opened.get(known);
    if (opened === undefined) {
      opened = this.#openIndexes(choice);
      this.#opened.set(known, opened);
      opened.catch(() => this.#opened.delete(known));
    }
    return opened;
  }

  async close(name: string): Promise<void> {
    const known = indexNameOf(this.#choice(name));
    const opened = this.#opened.get(known);
    this.#opened.delete(known);
    await (await opened)?.close();
  }

  async drop(name: string): Promise<void> {
    await this.close(name);
    const choice = this.#choice(name);
    await removeIndexes(choice, this.#where);
    await rm(besideOf(indexNameOf(choice), this.#where.directory), { force: true });
  }

  unproven(name: string): readonly string[] {
    return adapterOf(this.#choice(name)).notErased;
  }

  async closeAll(): Promise<void> {
    for (const name of this.#opened.keys()) await this.close(name);
  }

  #choice(name: string): IndexChoice {
    const choice = this.#choices.find((known) => indexNameOf(known) === name);
    if (choice !== undefined) return choice;
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The indexes are in ${JSON.stringify(name.slice(0, 60))}, which is not configured.`,
      advice: `Configure it, or choose one of ${this.available.join(", ")} as the index.`,
    });
  }
}
