import { formatScope, type Ref } from "@loci/domain";
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
import { readTextScopes, type TextScopes, writeTextScopes } from "./text-scopes.ts";
import { beginningOfSegment, emptyTextScope, longTextNumbers, needsPages, withSegment } from "./text-segments.ts";

/**
 * Replaces rows, their postings, and what they add to the tenant's statistics. A new text is its row at first; when there are
 * enough of them in a scope, they get pages of postings together. A text whose words are as before keeps its postings.
 */
export async function writeTexts(tables: TextTables, writing: RowWriting): Promise<void> {
  const former = await formerTexts(tables, writing);
  const { kept, added, removed } = differences(writing, former);
  const scopes = await readTextScopes(
    tables,
    writing.transaction,
    writing.tenant,
    new Set([...added, ...removed].map(({ scope }) => scope)),
  );
  const before = new Map(scopes);
  const texts = numbered(added, scopes);
  await writeTextRows(tables, writing, new Map([...kept, ...texts].map(({ ref, number }) => [ref, number])));
  await forgetPostings(tables, writing, removed, before);
  await addPages(tables, writing, texts, before, scopes);
  const changed = new Map([...scopes].filter(([scope, state]) => state !== before.get(scope)));
  if (changed.size > 0) await writeTextScopes(tables, writing.transaction, writing.tenant, changed);
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

function newText({ ref, scope, terms }: IndexUpsert): NewText {
  return { ref, scope: formatScope(scope), length: lengthOf(terms), terms };
}

function hasSameWords({ scope, terms }: IndexUpsert, known: TextRow): boolean {
  if (formatScope(scope) !== known.scope || terms.size !== known.terms.size) return false;
  for (const [term, frequency] of terms) if (known.terms.get(term) !== frequency) return false;
  return true;
}

/** Gives each text the next number of its scope. */
function numbered(added: readonly NewText[], scopes: TextScopes): readonly TextRow[] {
  return added.map((text) => {
    const scope = scopes.get(text.scope) ?? emptyTextScope;
    const isLong = text.length > longestText;
    const number = scope.lastNumber + 1;
    scopes.set(text.scope, {
      ...scope,
      lastNumber: number,
      tailLength: scope.tailLength + (isLong ? 0 : text.length),
    });
    return { ...text, number: isLong ? longTextNumbers + number : number };
  });
}

/** Puts the texts of scopes that have grown on pages, with those of segments that are merged. */
async function addPages(
  tables: TextTables,
  writing: RowWriting,
  texts: readonly TextRow[],
  before: TextScopes,
  scopes: TextScopes,
): Promise<void> {
  const pages: SegmentPage[] = [];
  for (const [scope, state] of scopes) {
    if (!needsPages(state)) continue;
    const segment = beginningOfSegment(state);
    const gathered = new GatheredPostings();
    if (segment <= state.pagedThrough)
      for (const page of await takeSegments(tables, writing, scope, segment)) gathered.addPage(page);
    const { pagedThrough, lastNumber } = before.get(scope) ?? emptyTextScope;
    for (const text of await textsBetween(tables, writing, scope, pagedThrough + 1, lastNumber)) gathered.addText(text);
    for (const text of texts) if (text.scope === scope && text.number < longTextNumbers) gathered.addText(text);
    for (const page of pagesOf(gathered.sorted())) pages.push({ ...page, scope, segment });
    scopes.set(scope, withSegment(state, segment));
  }
  await insertPages(tables, writing, pages);
}
