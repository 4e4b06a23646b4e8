import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import type { PostingPage } from "./posting-pages.ts";
import { fitTogether, joinedPosting, numberOf, weightOfJoined } from "./stored-postings.ts";

/** A page, and the segment it is of, named by its first number. */
export interface SegmentPage extends PostingPage {
  readonly division: number;
  readonly segment: number;
}

/** The texts of a segment that hold a term. */
export interface TermPlace {
  readonly division: number;
  readonly segment: number;
  readonly term: string;
}

/**
 * The SQL of the pages of a segment that hold a term, or would hold it, as `page`. The first of their terms is the last one
 * up to the term.
 *
 * @param place the SQL of tenant, division, segment and term
 */
export function pagesOfTerm(
  postings: string,
  { tenant, division, segment, term }: Readonly<Record<"tenant" | "division" | "segment" | "term", string>>,
): string {
  const ofSegment = (table: string): string =>
    `${table}.tenant = ${tenant} AND ${table}.division = ${division} AND ${table}.segment = ${segment}`;
  return `LATERAL (SELECT first_term FROM ${postings} AS before WHERE ${ofSegment("before")}
      AND before.first_term <= ${term} COLLATE "C" ORDER BY before.first_term DESC LIMIT 1) AS beginning
    CROSS JOIN LATERAL (SELECT * FROM ${postings} AS own WHERE ${ofSegment("own")}
      AND own.first_term = beginning.first_term OFFSET 0) AS page`;
}

/** Takes the pages out of the table that hold given terms. */
export async function takePages(
  { postings }: TextTables,
  { transaction, tenant }: RowWriting,
  places: readonly TermPlace[],
): Promise<readonly SegmentPage[]> {
  const pages = pagesOfTerm(postings, {
    tenant: "$1",
    division: "asked.division",
    segment: "asked.segment",
    term: "asked.term",
  });
  const taken = await transaction.query<StoredPage>(
    `WITH found AS (SELECT DISTINCT page.division, page.segment, page.first_term, page.part
      FROM json_to_recordset($2) AS asked (division integer, segment integer, term text) CROSS JOIN ${pages})
    DELETE FROM ${postings} AS page USING found
    WHERE page.tenant = $1 AND page.division = found.division AND page.segment = found.segment
      AND page.first_term = found.first_term AND page.part = found.part
    RETURNING ${storedPage}`,
    [tenant, JSON.stringify(places)],
  );
  return taken.map(pageOf);
}

/** Takes the pages of all segments of a division out of the table that begin at a number or behind it, in their order. */
export async function takeSegments(
  { postings }: TextTables,
  { transaction, tenant }: RowWriting,
  division: number,
  first: number,
): Promise<readonly SegmentPage[]> {
  const pages = await transaction.query<StoredPage>(
    `DELETE FROM ${postings} AS page WHERE tenant = $1 AND division = $2 AND segment >= $3 RETURNING ${storedPage}`,
    [tenant, division, first],
  );
  return pages.map(pageOf).toSorted((left, right) => left.segment - right.segment || left.part - right.part);
}

export async function insertPages(
  { postings }: TextTables,
  { transaction, tenant }: RowWriting,
  pages: readonly SegmentPage[],
): Promise<void> {
  if (pages.length === 0) return;
  await transaction.query(
    `INSERT INTO ${postings} (tenant, division, segment, first_term, part, terms, ends, numbers, weights)
    SELECT $1, division, segment, "firstTerm", part, terms, ends::integer[], numbers::integer[], weights::integer[]
    FROM json_to_recordset($2) AS page (division integer, segment integer, "firstTerm" text, part integer, terms text[],
      ends text, numbers text, weights text)`,
    [tenant, JSON.stringify(pages.map(stored))],
  );
}

/** A page with its numbers as PostgreSQL writes arrays: for both much quicker to read than those of JSON. */
interface StoredPage extends Omit<SegmentPage, "terms" | "ends" | "numbers" | "weights"> {
  readonly terms: readonly string[];
  readonly ends: string;
  readonly numbers: string;
  /** `null`: they are in the numbers, see `joinedPosting`. */
  readonly weights: string | null;
}

/** The SQL of a `StoredPage` of the row `page`. */
const storedPage = `page.division, page.segment, page.first_term AS "firstTerm", page.part, array_to_json(page.terms) AS terms,
  page.ends::text AS ends, page.numbers::text AS numbers, page.weights::text AS weights`;

function stored(page: SegmentPage): StoredPage {
  const written = (numbers: readonly number[]): string => `{${numbers.join(",")}}`;
  const { segment, numbers, weights } = page;
  if (!fitTogether(page, segment))
    return { ...page, ends: written(page.ends), numbers: written(numbers), weights: written(weights) };
  const joined = numbers.map((number, index) => joinedPosting(number, weights[index] as number, segment));
  return { ...page, ends: written(page.ends), numbers: written(joined), weights: null };
}

function pageOf(page: StoredPage): SegmentPage {
  const read = (numbers: string): readonly number[] => JSON.parse(`[${numbers.slice(1, -1)}]`) as number[];
  const [ends, numbers] = [read(page.ends), read(page.numbers)];
  if (page.weights !== null) return { ...page, ends, numbers, weights: read(page.weights) };
  const { segment } = page;
  return { ...page, ends, numbers: numbers.map((one) => numberOf(one, segment)), weights: numbers.map(weightOfJoined) };
}
