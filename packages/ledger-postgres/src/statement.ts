import { createHash } from "node:crypto";

/** A statement of SQL with numbered parameters. Values are never part of its text. */
export interface Statement<Row> {
  /** Under which each connection keeps its plan: follows from the text. */
  readonly name: string;
  readonly text: string;
  /** Only for the type. */
  readonly row?: Row;
}

export function statement<Row = Record<string, never>>(text: string): Statement<Row> {
  const name = `loci_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  return { name, text };
}
