import { Buffer } from "node:buffer";
import type { FoldedRow } from "@loci/postgres-connection";
import type { Statement } from "./statement.ts";

/** A statement that reads, with its values. */
export interface AskedRead {
  readonly wanted: Statement<unknown>;
  readonly values: readonly unknown[];
}

/** PostgreSQL tells bytes in JSON as it does in text: in hexadecimal digits behind `\x`. */
const bytePrefix = 2;

/** The rows of each statement, as the one row has them that their folded statement answered with. */
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
