import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import { insertPages, type TermPlace, takePages } from "./page-rows.ts";
import type { PostingPage } from "./posting-pages.ts";
import type { TextRow } from "./text-rows.ts";
import type { TextDivisions } from "./text-divisions.ts";
import { segmentOf } from "./text-segments.ts";

/**
 * Takes the postings of removed texts off their pages at once, so that nothing is left of a forgotten text, also not a word
 * that only it had.
 *
 * @param divisions as they were when the texts were there
 */
export async function forgetPostings(
  tables: TextTables,
  writing: RowWriting,
  removed: readonly TextRow[],
  divisions: TextDivisions,
): Promise<void> {
  const places = new Map<string, TermPlace>();
  const forgotten = new Map<string, Set<number>>();
  for (const { key: name, number, terms } of removed) {
    const state = divisions.get(name);
    const segment = state === undefined ? undefined : segmentOf(state, number);
    if (state === undefined || segment === undefined) continue;
    const { division } = state;
    const key = JSON.stringify([division, segment]);
    forgotten.set(key, (forgotten.get(key) ?? new Set()).add(number));
    for (const term of terms.keys()) places.set(JSON.stringify([division, segment, term]), { division, segment, term });
  }
  if (places.size === 0) return;
  const pages = await takePages(tables, writing, [...places.values()]);
  const left = pages.flatMap((page) => {
    const { division, segment } = page;
    const rest = withoutTexts(page, forgotten.get(JSON.stringify([division, segment])) ?? new Set());
    return rest === undefined ? [] : [{ ...rest, division, segment }];
  });
  await insertPages(tables, writing, left);
}

/** What is left of a page without the postings of some texts, given by their numbers. Nothing when all of it went. */
export function withoutTexts(page: PostingPage, forgotten: ReadonlySet<number>): PostingPage | undefined {
  const left = { terms: [] as string[], ends: [] as number[], numbers: [] as number[], weights: [] as number[] };
  let posting = 0;
  for (const [place, term] of page.terms.entries()) {
    const before = left.numbers.length;
    for (const end = page.ends[place] ?? posting; posting < end; posting++) {
      const number = page.numbers[posting] as number;
      if (forgotten.has(number)) continue;
      left.numbers.push(number);
      left.weights.push(page.weights[posting] as number);
    }
    if (left.numbers.length === before) continue;
    left.terms.push(term);
    left.ends.push(left.numbers.length);
  }
  const [firstTerm] = left.terms;
  return firstTerm === undefined ? undefined : { ...left, firstTerm, part: page.part };
}
