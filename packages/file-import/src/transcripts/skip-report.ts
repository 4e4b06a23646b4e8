import type { SkippedParts, SkipReason } from "./transcript.ts";

const shownLines = 10;

/** Counts what is left out of a transcript. */
export class SkipReport {
  readonly #byReason = new Map<SkipReason, { count: number; lines: number[] }>();

  add(reason: SkipReason, line: number): void {
    const entry = this.#byReason.get(reason);
    if (entry === undefined) {
      this.#byReason.set(reason, { count: 1, lines: [line] });
      return;
    }
    entry.count++;
    if (entry.lines.length < shownLines && entry.lines.at(-1) !== line) entry.lines.push(line);
  }

  /** By reason, in the order they came up. */
  get skipped(): readonly SkippedParts[] {
    return [...this.#byReason].map(([reason, entry]) => ({ reason, ...entry }));
  }
}
