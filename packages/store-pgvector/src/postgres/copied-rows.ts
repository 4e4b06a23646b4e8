import type { ClientBase, Connection } from "pg";
import { Query } from "pg";
import type { CopiedRow } from "./copied-row.ts";
import { GrowingRow } from "./copied-row.ts";

/** Behind eleven bytes that are always the same: flags, and the length of what else stands before the rows. */
const signatureBytes = 11;
const headerBytes: number = signatureBytes + 8;
const countBytes = 2;
const lengthBytes = 4;
/** In place of how many columns a row has. */
const endOfRows = -1;

const nothing: Buffer = Buffer.alloc(0);

/** What `pg` calls for each piece, though its types do not say so. */
interface PieceTaker {
  handleCopyData: (piece: { readonly chunk: Buffer }) => void;
}

/**
 * Sends the rows of a statement in their binary form: `pg` reads those of a usual answer as text, so that bytes come as digits, and each
 * row becomes an object.
 *
 * @param text of a SELECT without parameters
 * @param take is given one row after the other while they come, each only until it returns. What it throws fails the whole, once all
 *   have come
 */
export async function copyRows(client: ClientBase, text: string, take: (row: CopiedRow) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new Query({ text: `COPY (${text}) TO STDOUT (FORMAT binary)` }, (error: Error | null | undefined) =>
    error === null || error === undefined ? resolve() : reject(error),
  );
  const rows = new CopiedRows(take);
  let failed: { readonly error: unknown } | undefined;
  (query as unknown as PieceTaker).handleCopyData = ({ chunk }) => {
    if (failed !== undefined) return;
    try {
      rows.add(chunk);
    } catch (error) {
      failed = { error };
    }
  };
  client.query(query as unknown as { submit: (connection: Connection) => void });
  await promise;
  if (failed !== undefined) throw failed.error;
}

/** Takes what is received apart, however it was cut into pieces (https://www.postgresql.org/docs/current/sql-copy.html). */
export class CopiedRows {
  readonly #take: (row: CopiedRow) => void;
  readonly #row = new GrowingRow();
  #rest = nothing;
  #isBehindHeader = false;

  constructor(take: (row: CopiedRow) => void) {
    this.#take = take;
  }

  add(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let place = 0;
    if (!this.#isBehindHeader && bytes.length >= headerBytes) {
      place = headerBytes + bytes.readInt32BE(headerBytes - lengthBytes);
      this.#isBehindHeader = true;
    }
    while (this.#isBehindHeader && place < bytes.length) {
      const end = this.#takeRow(bytes, place);
      if (end === undefined) break;
      place = end;
    }
    // A piece is part of what the connection reads next.
    this.#rest = place < bytes.length ? Buffer.from(bytes.subarray(place)) : nothing;
  }

  /** @returns where the row ends; `undefined` where it is not all there */
  #takeRow(bytes: Buffer, start: number): number | undefined {
    if (start + countBytes > bytes.length) return undefined;
    const count = bytes.readInt16BE(start);
    if (count === endOfRows) return bytes.length;
    const row = this.#row.begin(bytes);
    let place = start + countBytes;
    for (let column = 0; column < count; column++) {
      if (place + lengthBytes > bytes.length) return undefined;
      const length = bytes.readInt32BE(place);
      row.addColumn(place + lengthBytes, length);
      place += lengthBytes + Math.max(0, length);
    }
    if (place > bytes.length) return undefined;
    this.#take(row);
    return place;
  }
}
