import type { DatabaseSync } from "node:sqlite";
import { blobOf } from "@loci/ledger/sql";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand, prepareQuery, prepareStep, type Step } from "./query.ts";
import type { EncodedEmbedding } from "./write-operation.ts";

/**
 * Longest piece of a vector list, in bytes: five fill a page of 4 KiB to 95%. Whole, a vector of 1536 dimensions would
 * take two pages and leave a quarter of them empty.
 */
const pieceBytes = 768;

/** Writes embeddings of record. The first one of a text in a space stays: all later ones would be equal. */
export class EmbeddingWriter {
  readonly #names: InternedNames;
  readonly #insert: Command;
  readonly #insertPiece: Step;
  /** Never taken back: a rollback leaves a gap, which harms nothing. */
  #nextPiece: number;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    this.#insert = prepareCommand(
      database,
      `INSERT INTO embeddings (tenant, space, content_hash, chunks, first_piece, last_piece) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
    );
    this.#insertPiece = prepareStep(database, "INSERT INTO vector_pieces (id, bytes) VALUES (?, ?)");
    const last = prepareQuery<{ id: number | null }>(database, "SELECT max(id) AS id FROM vector_pieces").get();
    // Those below belong to tenants that come from other files, and go on while this file is written.
    this.#nextPiece = Math.max(0, last?.id ?? 0) + 1;
  }

  /** @returns whether it is the first of the text in the space, and so the one that stays */
  write(tenant: number, embedding: EncodedEmbedding, values: Float32Array): boolean {
    const { contentHash, chunks, start, end } = embedding;
    const pieces = Math.ceil(((end - start) * Float32Array.BYTES_PER_ELEMENT) / pieceBytes);
    const first = this.#nextPiece;
    const space = this.#names.space(embedding.space);
    const { changes } = this.#insert.run(tenant, space, contentHash, chunks, first, first + pieces - 1);
    if (Number(changes) === 0) return false;
    // Equal pieces pack better than full ones and a rest.
    const floatsPerPiece = Math.ceil((end - start) / pieces);
    for (let from = start; from < end; from += floatsPerPiece)
      this.#insertPiece(this.#nextPiece++, blobOf(values, from, Math.min(from + floatsPerPiece, end)));
    return true;
  }
}
