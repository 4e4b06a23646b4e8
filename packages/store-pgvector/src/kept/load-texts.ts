import type { CopiedRow } from "../postgres/copied-row.ts";
import type { Transaction } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";
import { thisScope, thisTenant } from "./kept-scopes.ts";
import { numberOf, weightOfJoined } from "../text/stored-postings.ts";
import { termsOfWords } from "../text/stored-words.ts";
import type { KeptTexts } from "./kept-texts.ts";

interface Division {
  readonly division: number;
  readonly isApart: boolean;
  /** The number of the last text that lies on pages. */
  readonly paged: number;
}

/**
 * Reads all texts of a scope: the words of most from the pages of postings, where each word stands once for many texts. That takes a
 * third of what it takes to read them text by text.
 */
export async function loadTexts(
  transaction: Transaction,
  tables: TextTables,
  kept: KeptTexts,
  hasRoom: () => boolean,
): Promise<void> {
  const divisions = await transaction.query<Division>(
    `SELECT division, is_apart AS "isApart", paged_through AS paged FROM ${tables.divisions}
    WHERE tenant = ${thisTenant} AND scope = ${thisScope} ORDER BY division`,
  );
  for (const division of divisions) await loadDivision(transaction, tables, division, kept, hasRoom);
}

async function loadDivision(
  transaction: Transaction,
  { rows, postings }: TextTables,
  { division, isApart, paged }: Division,
  kept: KeptTexts,
  hasRoom: () => boolean,
): Promise<void> {
  const places = new Map<number, number>();
  const ofDivision = `WHERE tenant = ${thisTenant} AND division = ${division}`;
  const fresh: [place: number, words: string][] = [];
  const texts = `SELECT ref, version, number, length, CASE WHEN number > ${paged} THEN words END FROM ${rows} ${ofDivision} ORDER BY number`;
  await transaction.copy(texts, (row) => {
    if (!hasRoom()) return;
    const place = kept.addText(row.ref(0), row.number(1), isApart, row.number(3));
    if (row.isNull(4)) places.set(row.number(2), place);
    else fresh.push([place, row.text(4)]);
  });
  if (paged > 0) {
    const pages = `SELECT terms, ends, numbers, weights, segment FROM ${postings} ${ofDivision} ORDER BY segment, first_term, part`;
    const addPage = pageAdder(kept, places);
    await transaction.copy(pages, (row) => {
      if (hasRoom()) addPage(row);
    });
  }
  // They have the highest numbers, and the places of each word ascend.
  for (const [place, words] of fresh)
    for (const [term, frequency] of termsOfWords(words)) kept.addPosting(kept.postingsOf(term), place, frequency);
}

/** @param places of texts by their numbers */
function pageAdder(kept: KeptTexts, places: ReadonlyMap<number, number>): (row: CopiedRow) => void {
  let [ends, numbers, weights] = [new Int32Array(0), new Int32Array(0), new Int32Array(0)];
  return (row) => {
    ends = row.numbers(1, ends);
    numbers = row.numbers(2, numbers);
    const isJoined = row.isNull(3);
    if (!isJoined) weights = row.numbers(3, weights);
    const segment = row.number(4);
    let posting = 0;
    for (const [index, term] of row.texts(0).entries()) {
      const own = kept.postingsOf(term);
      for (const end = ends[index] as number; posting < end; posting++) {
        const one = numbers[posting] as number;
        const place = places.get(isJoined ? numberOf(one, segment) : one);
        const weight = isJoined ? weightOfJoined(one) : (weights[posting] as number);
        if (place !== undefined) kept.addPosting(own, place, weight >>> 16);
      }
    }
  };
}
