/** Characters of which UTF-16 and UTF-8 may have another order. */
const strangeOrder = /[\uD800-\uFFFF]/u;

/** Terms in the order of their UTF-8 bytes, as the database has them. Bytes are made only where the order may differ. */
export function inByteOrder(terms: Iterable<string>): string[] {
  const all = [...terms];
  if (!all.some((term) => strangeOrder.test(term))) return all.toSorted();
  return all
    .map((term) => ({ term, bytes: Buffer.from(term) }))
    .toSorted((left, right) => Buffer.compare(left.bytes, right.bytes))
    .map(({ term }) => term);
}

/** Whether a term comes behind another in that order. */
export type IsBehind = (term: string, other: string) => boolean;

/** @param texts those in which all terms stand that are to be compared */
export function behindAmong(texts: Iterable<string>): IsBehind {
  for (const text of texts)
    if (strangeOrder.test(text)) return (term, other) => Buffer.compare(Buffer.from(term), Buffer.from(other)) > 0;
  return (term, other) => term > other;
}
