import type { Ref } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import { addCounts } from "./add-counts.ts";
import { forgetPostings } from "./forget-postings.ts";
import { GatheredPostings, longestText } from "./gather-postings.ts";
import { insertPages, type SegmentPage, takeSegments } from "./page-rows.ts";
import { pagesOf } from "./posting-pages.ts";
import { TextCounts, lengthOf } from "./text-counts.ts";
import { formerTexts, type TextRow, textsBetween, writeTextRows } from "./text-rows.ts";
import {
  type DivisionKey,
  divisionKeyOf,
  readTextDivisions,
  type TextDivisions,
  writeTextDivisions,
} from "./text-divisions.ts";
import { beginningOfSegment, longTextNumbers, needsPages, type TextDivision, withSegment } from "./text-segments.ts";

/**
 * Replaces rows, their postings, and what they add to the tenant's statistics. A new text is its row at first; when there are
 * enough of them in a division, they get pages of postings together. A text whose words are as before keeps its postings.
 */
export async function writeTexts(tables: TextTables, writing: RowWriting): Promise<void> {
  const former = await formerTexts(tables, writing);
  const { kept, added, removed } = differences(writing, former);
  const keys = new Set([...kept, ...added, ...removed].map(({ key }) => key));
  const divisions = await readTextDivisions(tables, writing.transaction, writing.tenant, keys);
  const before = new Map(divisions);
  const texts = numbered(added, divisions);
  const numbers = new Map([...kept, ...texts].map(({ ref, number }) => [ref, number]));
  await writeTextRows(tables, writing, numbers, divisions);
  await forgetPostings(tables, writing, removed, before);
  await addPages(tables, writing, texts, before, divisions);
  const changed = new Map([...divisions].filter(([key, state]) => state !== before.get(key)));
  if (changed.size > 0) await writeTextDivisions(tables, writing.transaction, writing.tenant, changed);
  const counts = new TextCounts();
  for (const text of texts) counts.add(text);
  for (const text of removed) counts.subtract(text);
  await addCounts(tables, writing, counts);
}

/** A text without its number yet. */
type NewText = Omit<TextRow, "number">;

interface Differences {
  /** Texts of which only other things changed. */
  readonly kept: readonly TextRow[];
  readonly added: readonly NewText[];
  readonly removed: readonly TextRow[];
}

function differences({ changes }: RowWriting, former: ReadonlyMap<Ref, TextRow>): Differences {
  const [kept, added]: [TextRow[], NewText[]] = [[], []];
  for (const change of changes) {
    if (change.type === "delete") continue;
    const known = former.get(change.ref);
    if (known !== undefined && hasSameWords(change, known)) kept.push(known);
    else added.push(newText(change));
  }
  const keptRefs = new Set(kept.map(({ ref }) => ref));
  return { kept, added, removed: [...former.values()].filter(({ ref }) => !keptRefs.has(ref)) };
}

function newText(change: IndexUpsert): NewText {
  const { ref, terms } = change;
  return { ref, key: divisionKeyOf(change), length: lengthOf(terms), terms };
}

function hasSameWords(change: IndexUpsert, known: TextRow): boolean {
  const { terms } = change;
  if (divisionKeyOf(change) !== known.key || terms.size !== known.terms.size) return false;
  for (const [term, frequency] of terms) if (known.terms.get(term) !== frequency) return false;
  return true;
}

/** Gives each text the next number of its division. */
function numbered(added: readonly NewText[], divisions: TextDivisions): readonly TextRow[] {
  return added.map((text) => {
    const division = divisionOf(divisions, text.key);
    const isLong = text.length > longestText;
    const number = division.lastNumber + 1;
    divisions.set(text.key, {
      ...division,
      lastNumber: number,
      tailLength: division.tailLength + (isLong ? 0 : text.length),
    });
    return { ...text, number: isLong ? longTextNumbers + number : number };
  });
}

/** Puts the texts of divisions that have grown on pages, with those of segments that are merged. */
async function addPages(
  tables: TextTables,
  writing: RowWriting,
  texts: readonly TextRow[],
  before: TextDivisions,
  divisions: TextDivisions,
): Promise<void> {
  const pages: SegmentPage[] = [];
  for (const [key, state] of divisions) {
    if (!needsPages(state)) continue;
    const { division } = state;
    const segment = beginningOfSegment(state);
    const gathered = new GatheredPostings();
    if (segment <= state.pagedThrough)
      for (const page of await takeSegments(tables, writing, division, segment)) gathered.addPage(page);
    const { pagedThrough, lastNumber } = divisionOf(before, key);
    const tail = await textsBetween(tables, writing, [key, division], pagedThrough + 1, lastNumber);
    for (const text of tail) gathered.addText(text);
    for (const text of texts) if (text.key === key && text.number < longTextNumbers) gathered.addText(text);
    for (const page of pagesOf(gathered.sorted(), segment)) pages.push({ ...page, division, segment });
    divisions.set(key, withSegment(state, segment));
  }
  await insertPages(tables, writing, pages);
}

function divisionOf(divisions: TextDivisions, key: DivisionKey): TextDivision {
  const division = divisions.get(key);
  if (division === undefined) throw new Error(`The division ${key} was not read.`);
  return division;
}
