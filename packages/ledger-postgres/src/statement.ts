import { createHash } from "node:crypto";

/** A statement of SQL with numbered parameters. Values are never part of its text. */
export interface Statement<Row> {
  /** Under which each connection keeps its plan: follows from the text. */
  readonly name: string;
  readonly text: string;
  /** Columns of the type `bytea`. */
  readonly bytes?: readonly string[] | undefined;
  /** Only for the type. */
  readonly row?: Row;
}

/** @param bytes columns of the type `bytea` */
export function statement<Row = Record<string, never>>(text: string, bytes?: readonly string[]): Statement<Row> {
  const name = `loci_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  return { name, text, bytes };
}
