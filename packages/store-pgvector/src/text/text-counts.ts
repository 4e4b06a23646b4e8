import { type IndexChange, type TermFrequencies } from "@loci/store";

/** What rows add to a tenant's statistics. */
export class TextCounts {
  documents = 0;
  totalLength = 0;
  /** How many of the rows hold each term. */
  readonly terms: Map<string, number> = new Map();

  addRow(length: number): void {
    this.documents++;
    this.totalLength += length;
  }

  addTerm(term: string, documents: number): void {
    this.terms.set(term, (this.terms.get(term) ?? 0) + documents);
  }

  /** Takes away what other rows have counted. */
  subtract(other: TextCounts): void {
    this.documents -= other.documents;
    this.totalLength -= other.totalLength;
    for (const [term, documents] of other.terms) this.addTerm(term, -documents);
  }
}

export function countsOf(changes: readonly IndexChange[]): TextCounts {
  const counts = new TextCounts();
  for (const change of changes) {
    if (change.type === "delete") continue;
    counts.addRow(lengthOf(change.terms));
    for (const term of change.terms.keys()) counts.addTerm(term, 1);
  }
  return counts;
}

/** Terms, repetitions counted. */
export function lengthOf(terms: TermFrequencies): number {
  let length = 0;
  for (const frequency of terms.values()) length += frequency;
  return length;
}
