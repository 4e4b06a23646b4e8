import type { IndexRow } from "../segments/index-row.ts";
import type { HeadIndex } from "../segments/payload.ts";
import type { TextContent } from "./text-content.ts";

type Row = IndexRow<TextContent>;

const none: ReadonlySet<Row> = new Set();

/** Words of rows that are not in a segment yet. */
export class TextHead implements HeadIndex<TextContent> {
  readonly #rowsByTerm = new Map<string, Set<Row>>();
  #totalLength = 0;

  /** Sum of the lengths of its rows. */
  get totalLength(): number {
    return this.#totalLength;
  }

  add(row: Row): void {
    this.#totalLength += row.content.length;
    for (const term of row.content.terms.keys()) {
      let rows = this.#rowsByTerm.get(term);
      if (rows === undefined) this.#rowsByTerm.set(term, (rows = new Set()));
      rows.add(row);
    }
  }

  remove(row: Row): void {
    this.#totalLength -= row.content.length;
    for (const term of row.content.terms.keys()) {
      const rows = this.#rowsByTerm.get(term);
      rows?.delete(row);
      if (rows?.size === 0) this.#rowsByTerm.delete(term);
    }
  }

  rowsWith(term: string): ReadonlySet<Row> {
    return this.#rowsByTerm.get(term) ?? none;
  }
}
