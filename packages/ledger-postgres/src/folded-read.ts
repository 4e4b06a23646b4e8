import { Buffer } from "node:buffer";
import type { Statement } from "./statement.ts";

/** A statement that reads, with its values. */
export interface AskedRead {
  readonly wanted: Statement<unknown>;
  readonly values: readonly unknown[];
}

/** The one row that folded statements answer with. */
export type FoldedRow = {
  /** Whom the server took the statements to be for: what row-level security compared with. */
  readonly tenant: string | null;
} & { readonly [Rows in `rows${number}`]: readonly object[] };

const parameter = /\$(\d+)/gu;
/** PostgreSQL tells bytes in JSON as it does in text: in hexadecimal digits behind `\x`. */
const bytePrefix = 2;

/**
 * The text of several statements as one, which sees one state of the database. Their rows come as JSON, in the order of
 * their statement: 64-bit integers as numbers, bytes as hexadecimal digits.
 */
export function foldedText(asked: readonly AskedRead[]): string {
  let before = 0;
  const columns = asked.map(({ wanted, values }, number) => {
    const first = before;
    before += values.length;
    const text = wanted.text.replaceAll(parameter, (_, place: string) => `$${first + Number(place)}`);
    return `(SELECT coalesce(json_agg(one), '[]'::json) FROM (${text}) AS one) AS rows${number}`;
  });
  return `SELECT ${["current_setting('loci.tenant', true) AS tenant", ...columns].join(", ")}`;
}

/** The rows of each statement. */
export function unfolded(row: FoldedRow, asked: readonly AskedRead[]): readonly (readonly unknown[])[] {
  return asked.map(({ wanted: { bytes = [] } }, number) => {
    const rows = row[`rows${number}`] ?? [];
    return bytes.length === 0 ? rows : rows.map((one) => withBytes(one, bytes));
  });
}

function withBytes(row: object, columns: readonly string[]): object {
  const decoded: Record<string, unknown> = { ...row };
  for (const column of columns) decoded[column] = bytesOf(decoded[column]);
  return decoded;
}

function bytesOf(value: unknown): unknown {
  return typeof value === "string" ? Buffer.from(value.slice(bytePrefix), "hex") : value;
}
