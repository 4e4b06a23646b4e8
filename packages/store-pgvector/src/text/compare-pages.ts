import { memoryId, type Ref, type TenantId } from "@loci/domain";
import type { Statements } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";
import { postingSql } from "./stored-postings.ts";
import { wordRowsSql } from "./stored-words.ts";

/** Where pages of postings do not say what the rows of their texts say. */
export interface PageDamage {
  /** Texts of which pages lack a word, or have it otherwise: a search may miss them. */
  readonly lost: ReadonlySet<Ref>;
  /** Texts of which pages have a word too often. */
  readonly doubled: ReadonlySet<Ref>;
  /** One for each text that pages have words of though no row is there; of ids that no memory has, with a time of 0. */
  readonly leftOver: readonly Ref[];
}

interface Segment {
  readonly division: number;
  readonly segment: number;
}

interface Difference {
  readonly division: number;
  readonly number: number;
  /** `null`: there is no row. */
  readonly ref: Ref | null;
  readonly isDoubled: boolean;
}

/**
 * Reads all pages of a tenant and compares them with its texts, one segment after the other, each in one state. What lies
 * behind the pages is found by its row, and cannot differ.
 */
export async function comparePages(
  statements: Statements,
  { rows, divisions, postings }: TextTables,
  tenant: TenantId,
): Promise<PageDamage> {
  const segments = await statements.query<Segment>(
    `SELECT division, unnest(segments) AS segment FROM ${divisions} WHERE tenant = $1
    UNION SELECT division, segment FROM ${postings} WHERE tenant = $1 ORDER BY division, segment`,
    [tenant],
  );
  const [lost, doubled, leftOver] = [new Set<Ref>(), new Set<Ref>(), [] as Ref[]];
  for (const { division, segment } of segments) {
    // oxlint-disable-next-line no-await-in-loop -- Each takes as much memory of the server as a segment has postings.
    const found = await statements.query<Difference>(differences(rows, divisions, postings), [
      tenant,
      division,
      segment,
    ]);
    for (const { number, ref, isDoubled } of found)
      if (ref === null) leftOver.push(unknownRef(division, number));
      else (isDoubled ? doubled : lost).add(ref);
  }
  return { lost, doubled, leftOver };
}

/** Compares how many words each text has and a sum of their hashes, in which frequency and length are the seed. */
function differences(rows: string, divisions: string, postings: string): string {
  const posting = postingSql("posting", "weight", "$3::integer");
  return `WITH known AS MATERIALIZED (SELECT paged_through, (SELECT min(next) FROM unnest(segments) AS own (next)
      WHERE next > $3) AS behind, $3::integer = ANY(segments) AS is_listed FROM ${divisions}
      WHERE tenant = $1 AND division = $2),
    paged AS (SELECT ${posting.number} AS number, count(*) AS words,
        sum(hashtextextended(own.term, (${posting.frequency})::bigint << 16 | (${posting.length}))) AS hashes
      FROM ${postings} AS page CROSS JOIN unnest(page.terms) WITH ORDINALITY AS own (term, place)
      CROSS JOIN LATERAL unnest(page.numbers[coalesce(page.ends[own.place - 1], 0) + 1 : page.ends[own.place]],
        page.weights[coalesce(page.ends[own.place - 1], 0) + 1 : page.ends[own.place]]) AS one (posting, weight)
      WHERE page.tenant = $1 AND page.division = $2 AND page.segment = $3 GROUP BY 1),
    written AS (SELECT ref, number, own.words, hashes FROM known CROSS JOIN ${rows} AS text CROSS JOIN LATERAL (
        SELECT count(*) AS words, sum(hashtextextended(term, frequency::bigint << 16 | text.length)) AS hashes
        FROM ${wordRowsSql("text.words")} AS one) AS own
      WHERE text.tenant = $1 AND text.division = $2 AND is_listed AND number >= $3 AND number <= paged_through
        AND (behind IS NULL OR number < behind) AND own.words > 0)
    SELECT $2::integer AS division, number, ref, coalesce(paged.words > written.words, false) AS "isDoubled"
    FROM paged FULL JOIN written USING (number)
    WHERE paged.words IS DISTINCT FROM written.words OR paged.hashes IS DISTINCT FROM written.hashes`;
}

function unknownRef(division: number, number: number): Ref {
  const place = `${(division % 2 ** 16).toString(16).padStart(4, "0")}${number.toString(16).padStart(8, "0")}`;
  return memoryId(`00000000-0000-7000-8000-${place}`);
}
