import type { DatabaseSync } from "node:sqlite";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand } from "./query.ts";
import { blobOf } from "./vector-blob.ts";
import type { EncodedEmbedding } from "./write-operation.ts";

/** Writes embeddings of record. The first one of a text in a space stays: all later ones would be equal. */
export class EmbeddingWriter {
  readonly #names: InternedNames;
  readonly #insert: Command;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    this.#insert = prepareCommand(
      database,
      `INSERT INTO embeddings (tenant, space, content_hash, chunks, vectors) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
    );
  }

  write(tenant: number, embedding: EncodedEmbedding, values: Float32Array): void {
    const { contentHash, chunks, start, end } = embedding;
    this.#insert.run(tenant, this.#names.space(embedding.space), contentHash, chunks, blobOf(values, start, end));
  }
}
