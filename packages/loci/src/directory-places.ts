import { LociError } from "@loci/domain";
import type { IndexPlaces } from "@loci/engine";
import { type IndexKind, indexKinds, type OpenIndexes, removeIndexes } from "./open-indexes.ts";

/** The kinds of index of one data directory: each in files of its own, open while it is in use. */
export class DirectoryPlaces implements IndexPlaces {
  readonly active: IndexKind;
  readonly available: readonly IndexKind[] = indexKinds;
  readonly #directory: string;
  readonly #openIndexes: (kind: IndexKind) => Promise<OpenIndexes>;
  readonly #opened = new Map<IndexKind, Promise<OpenIndexes>>();

  constructor(active: string, directory: string, openIndexes: (kind: IndexKind) => Promise<OpenIndexes>) {
    this.active = kindOf(active);
    this.#directory = directory;
    this.#openIndexes = openIndexes;
  }

  open(name: string): Promise<OpenIndexes> {
    const kind = kindOf(name);
    let opened = this.#opened.get(kind);
    if (opened === undefined) {
      opened = this.#openIndexes(kind);
      this.#opened.set(kind, opened);
      opened.catch(() => this.#opened.delete(kind));
    }
    return opened;
  }

  async close(name: string): Promise<void> {
    const kind = kindOf(name);
    const opened = this.#opened.get(kind);
    this.#opened.delete(kind);
    await (await opened)?.close();
  }

  async drop(name: string): Promise<void> {
    await this.close(name);
    await removeIndexes(kindOf(name), this.#directory);
  }

  async closeAll(): Promise<void> {
    for (const kind of [...this.#opened.keys()]) await this.close(kind);
  }
}

function kindOf(name: string): IndexKind {
  const kind = indexKinds.find((known) => known === name);
  if (kind !== undefined) return kind;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The indexes are in ${JSON.stringify(name.slice(0, 60))}, which this version of Loci does not know.`,
    advice: `Choose one of ${indexKinds.join(", ")} as the index.`,
  });
}
