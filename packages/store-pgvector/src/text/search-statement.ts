import { Bm25, type Bm25Statistics, bm25Parameters, type Filter, type ScopeText } from "@loci/domain";
import type { TextSearch } from "@loci/store";
import { filterCondition } from "../filter-condition.ts";
import { Parameters } from "../postgres/parameters.ts";
import type { TextTables } from "../schema/tables.ts";
import { postingSql } from "./stored-postings.ts";
import { pagesOfTerm } from "./page-rows.ts";
import type { SelectedRows } from "../set-apart.ts";
import { frequencySql, soughtWord } from "./stored-words.ts";

/** One statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Of the words of a text. Up to there PostgreSQL takes longer to look for some in them than to send them all. */
const mostBytesSent = 500;

/**
 * The SQL of how often each word of the parameter stands in the row `text`, in the order of the parameter, as JSON: the numbers, or
 * the words of a short text, to be looked for in them by `termCounter`.
 */
export const frequenciesOf = (words: string): string =>
  `CASE WHEN octet_length(text.words) <= ${mostBytesSent} THEN to_json(text.words)
    ELSE to_json(ARRAY(SELECT ${frequencySql("text.words", "word")}
      FROM unnest(${words}::text[]) WITH ORDINALITY AS asked (word, place) ORDER BY place)) END AS frequencies`;

/**
 * Finds the best rows by BM25, as rows of `HitRow`. The database has to rank, or every posting of a common word would have to
 * be sent here. It adds up the terms of `Bm25` in the same order with the same operations on doubles, so the scores are equal
 * to the last bit and ties fall alike.
 *
 * The text depends on nothing but the tables and the form of the filter, so it can be prepared. It reads one tenant's rows.
 */
export function searchStatement(
  { rows, postings, divisions }: TextTables,
  { tenant, terms, limit }: Pick<TextSearch, "tenant" | "terms" | "limit">,
  { isApart, where }: SelectedRows,
  scopes: readonly ScopeText[],
  statistics: Bm25Statistics,
): Statement {
  const { inverseFrequencies, averageLength } = new Bm25(statistics);
  const { k1, b } = bm25Parameters;
  const parameters = new Parameters();
  const double = (value: number): string => `${parameters.add(value)}::float8`;
  const own = parameters.add(tenant);
  const asked = `${parameters.add(terms)}::text[]`;
  const words = parameters.add(terms.map(soughtWord));
  const inverse = `${parameters.add([...inverseFrequencies])}::float8[]`;
  const lengthPenalty = `${double(k1)} * (${double(1 - b)} + ${double(b)} * posting.length / ${double(averageLength)})`;
  const score = `inverse_frequency * posting.frequency * ${double(k1 + 1)} / (posting.frequency + ${lengthPenalty})`;
  const pages = pagesOfTerm(postings, {
    tenant: own,
    division: "known.division",
    segment: "piece.segment",
    term: "asked.term",
  });
  const posting = postingSql("number", "weight", "segment");
  const ofKind = isApart === undefined ? "" : isApart ? "AND is_apart" : "AND NOT is_apart";
  // A text by its division and its number there in one: quicker to compare than two.
  const rowOfKey = (
    table: string,
  ): string => `CROSS JOIN LATERAL (SELECT * FROM ${rows} AS row WHERE row.tenant = ${own}
      AND row.division = (${table}.key >> 32)::integer AND row.number = (${table}.key & 4294967295)::integer OFFSET 0) AS text`;
  const most = `${parameters.add(limit)}::bigint`;
  // Numbers are not in the order of refs, by which ties fall: so all that tie with the last one are looked up.
  const bestOfAll = `SELECT text.*, score FROM (SELECT key, score FROM scored ORDER BY score DESC FETCH FIRST (${most}) ROWS WITH TIES)
    AS scored ${rowOfKey("scored")}`;
  // From the best on, and no further than the last that is wanted: the join keeps the order.
  const bestOfSelected = (filter: Filter): string =>
    `SELECT text.*, score FROM (SELECT key, score FROM scored ORDER BY score DESC OFFSET 0) AS scored ${rowOfKey("scored")}
    WHERE ${filterCondition(filter, "text.field_values", parameters)}
    ORDER BY score DESC FETCH FIRST (${most}) ROWS WITH TIES`;
  const text = `WITH asked AS MATERIALIZED (SELECT term, word, inverse_frequency, place
      FROM unnest(${asked}, ${words}::text[], ${inverse}) WITH ORDINALITY AS asked (term, word, inverse_frequency, place)),
    known AS MATERIALIZED (SELECT division, division::bigint << 32 AS first_key, paged_through, segments FROM ${divisions}
      WHERE tenant = ${own} AND scope = ANY(${parameters.add(scopes)}::text[]) ${ofKind}),
    posting AS (
      SELECT first_key | ${posting.number} AS key, place, inverse_frequency, ${posting.frequency} AS frequency,
        ${posting.length} AS length
      FROM (SELECT known.first_key, piece.segment, asked.place, inverse_frequency,
          unnest(page.numbers[coalesce(page.ends[found.place - 1], 0) + 1 : page.ends[found.place]]) AS number,
          unnest(page.weights[coalesce(page.ends[found.place - 1], 0) + 1 : page.ends[found.place]]) AS weight
        FROM known CROSS JOIN unnest(known.segments) AS piece (segment) CROSS JOIN asked CROSS JOIN ${pages}
        CROSS JOIN LATERAL (SELECT array_position(page.terms, asked.term) AS place OFFSET 0) AS found) AS posting
      UNION ALL
      SELECT known.first_key | tail.number, asked.place, inverse_frequency, ${frequencySql("tail.words", "asked.word")}, tail.length
      FROM known CROSS JOIN LATERAL (SELECT number, length, words || '' AS words FROM ${rows} AS text
        WHERE text.tenant = ${own} AND text.division = known.division AND text.number > known.paged_through OFFSET 0) AS tail
      CROSS JOIN asked WHERE strpos(tail.words, asked.word) > 0),
    scored AS (SELECT key, sum(${score} ORDER BY place) AS score FROM posting GROUP BY key)
    SELECT ref, version, length, ${frequenciesOf(words)}
    FROM (${where === undefined ? bestOfAll : bestOfSelected(where)}) AS text ORDER BY score DESC, ref LIMIT ${most}`;
  return { text, values: parameters.values };
}
