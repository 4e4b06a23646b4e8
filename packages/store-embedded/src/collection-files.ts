import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
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

interface StoredRecord extends CollectionRecord {
  readonly checksum?: string | undefined;
}

/** `undefined` for anything but a whole record. One without a checksum is of a version that made none. */
function parseRecord(text: string): StoredRecord | undefined {
  try {
    const record = JSON.parse(text) as StoredRecord;
    return record.checksum === undefined || record.checksum === checksumOf(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf({ space, directoryName }: CollectionRecord): string {
  return crc32(JSON.stringify([space, directoryName]))
    .toString(16)
    .padStart(8, "0");
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
      // What was changed is not believed: the collection is made again, and filled from the ledger.
      const stored = parseRecord(await readFile(this.#path(id), "utf8"));
      if (stored === undefined) return undefined;
      const { checksum, ...record } = stored;
      if (checksum === undefined) await this.#write(id, record);
      return record;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async make(id: CollectionId, space: EmbeddingSpace): Promise<CollectionRecord> {
    const record: CollectionRecord = { space: { ...space }, directoryName: `vectors-${randomUUID()}` };
    await this.#write(id, record);
    await this.#removeForgotten();
    return record;
  }

  async #write(id: CollectionId, record: CollectionRecord): Promise<void> {
    await replaceDurably(this.#path(id), Buffer.from(JSON.stringify({ ...record, checksum: checksumOf(record) })));
  }

  /** Removes the indexes that no record names, of a collection whose record was damaged. */
  async #removeForgotten(): Promise<void> {
    const known = new Set<string>();
    for (const name of await readdir(this.#directory)) {
      if (!name.endsWith(".json")) continue;
      const record = parseRecord(await readFile(join(this.#directory, name), "utf8"));
      // Until that collection is opened, too, nobody knows what is its own.
      if (record === undefined) return;
      known.add(record.directoryName);
    }
    const store = dirname(this.#directory);
    for (const tenant of await readdir(store, { withFileTypes: true }))
      if (tenant.isDirectory())
        for (const name of await readdir(join(store, tenant.name)))
          if (name.startsWith("vectors-") && !known.has(name))
            await rm(join(store, tenant.name, name), { recursive: true, force: true });
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
