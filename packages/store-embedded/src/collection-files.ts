import { createHash, randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddingSpace } from "@loci/domain";
import type { CollectionId } from "@loci/store";
import { replaceDurably, syncDirectory } from "./storage/durable-file.ts";
import { errorCode } from "./storage/storage-error.ts";

/** What is kept of a collection besides its vectors. */
export interface CollectionRecord {
  readonly space: EmbeddingSpace;
  /** Of its indexes, inside the tenants'. A collection that is dropped and made again gets another one. */
  readonly directoryName: string;
}

/** The files that say which collections there are. */
export class CollectionFiles {
  readonly #directory: string;

  /** @param directory of the store, which must exist */
  constructor(directory: string) {
    this.#directory = join(directory, "collections");
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }

  async read(id: CollectionId): Promise<CollectionRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(id), "utf8")) as CollectionRecord;
    } catch (error) {
      // What is no JSON was not written by `replaceDurably`: the collection is made again, and filled from the ledger.
      if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async make(id: CollectionId, space: EmbeddingSpace): Promise<CollectionRecord> {
    const record: CollectionRecord = { space: { ...space }, directoryName: `vectors-${randomUUID()}` };
    await replaceDurably(this.#path(id), Buffer.from(JSON.stringify(record)));
    return record;
  }

  async remove(id: CollectionId): Promise<void> {
    await rm(this.#path(id), { force: true });
    await syncDirectory(this.#directory);
  }

  /** With a hash, as some file systems take `Main` and `main` for one name. */
  #path(id: CollectionId): string {
    return join(this.#directory, `${id}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}.json`);
  }
}
