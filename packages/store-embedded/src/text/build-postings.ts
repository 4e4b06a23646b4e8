import type { Pace } from "../segments/pace.ts";
import { PostingsBuilder } from "./postings-builder.ts";
import { termBytes } from "./term-table.ts";
import type { TextContent } from "./text-content.ts";
import { type TextPart, TextPayload } from "./text-payload.ts";

/** Turns rows into postings. */
export function makeTextPayload(rows: readonly TextContent[]): TextPayload {
  const byTerm = new Map<string, { readonly rows: number[]; readonly frequencies: number[] }>();
  for (const [row, { terms }] of rows.entries())
    for (const [term, frequency] of terms) {
      let list = byTerm.get(term);
      if (list === undefined) byTerm.set(term, (list = { rows: [], frequencies: [] }));
      list.rows.push(row);
      list.frequencies.push(frequency);
    }
  const builder = new PostingsBuilder();
  const terms = [...byTerm].map(([term, list]) => ({ bytes: termBytes(term), list }));
  for (const { bytes, list } of terms.toSorted((left, right) => Buffer.compare(left.bytes, right.bytes))) {
    builder.begin(bytes);
    for (const [index, row] of list.rows.entries()) builder.add(row, list.frequencies[index] as number);
    builder.end();
  }
  return new TextPayload(
    Uint32Array.from(rows, ({ length }) => length),
    builder.finish(),
  );
}

/** Merges postings term by term, in the order of the terms. */
export async function mergeTextPayloads(parts: readonly TextPart[], rows: number, pace: Pace): Promise<TextPayload> {
  const lengths = new Uint32Array(rows);
  for (const { payload, rowMap } of parts)
    for (const [row, newRow] of rowMap.entries()) if (newRow >= 0) lengths[newRow] = payload.lengths[row] as number;
  const builder = new PostingsBuilder();
  const cursors = parts.map((part) => new TermCursor(part));
  const frequencyOf = new Uint32Array(rows);
  for (;;) {
    const term = leastTerm(cursors);
    if (term === undefined) break;
    if (pace.isPauseDue()) await pace.pause();
    const found: number[] = [];
    for (const cursor of cursors) if (cursor.term?.equals(term) === true) cursor.take(found, frequencyOf);
    builder.begin(term);
    for (const row of Uint32Array.from(found).toSorted()) builder.add(row, frequencyOf[row] as number);
    builder.end();
  }
  return new TextPayload(lengths, builder.finish());
}

/** Goes through the terms of one source. */
class TermCursor {
  readonly #part: TextPart;
  #place = -1;
  term: Buffer | undefined;

  constructor(part: TextPart) {
    this.#part = part;
    this.#advance();
  }

  /** Adds the new rows of the current term, notes its frequency in each, and goes on to the next term. */
  take(found: number[], frequencyOf: Uint32Array): void {
    const { payload, rowMap } = this.#part;
    const { starts, rows, frequencies } = payload.postings;
    const end = starts[this.#place + 1] as number;
    for (let posting = starts[this.#place] as number; posting < end; posting++) {
      const newRow = rowMap[rows[posting] as number] as number;
      if (newRow < 0) continue;
      found.push(newRow);
      frequencyOf[newRow] = frequencies[posting] as number;
    }
    this.#advance();
  }

  #advance(): void {
    const { terms } = this.#part.payload.postings;
    this.#place++;
    this.term = this.#place < terms.size ? terms.bytesOf(this.#place) : undefined;
  }
}

function leastTerm(cursors: readonly TermCursor[]): Buffer | undefined {
  let least: Buffer | undefined;
  for (const { term } of cursors)
    if (term !== undefined && (least === undefined || Buffer.compare(term, least) < 0)) least = term;
  return least;
}
