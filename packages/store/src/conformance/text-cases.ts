import { deepEqual, equal, ok } from "node:assert/strict";
import { Bm25, type Bm25Statistics, type NonEmpty, type TenantId, tenantId } from "@loci/domain";
import fc from "fast-check";
import type { IndexUpsert, TermFrequencies } from "../index-change.ts";
import type { TextHit, TextSearch } from "../text-index.ts";
import { apply, eventually, expectFound, expectRefusal } from "./index-context.ts";
import {
  alice,
  bob,
  otherTenant,
  refNumber,
  sampleDelete,
  sampleRow,
  sampleRows,
  tenant,
  nonEmpty,
} from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";
import type { TextContext, TextMethod } from "./text-context.ts";

const hostileTerms = [
  "__proto__",
  "constructor",
  "x' OR 1=1 --",
  '"',
  "`",
  "a*",
  "NEAR(",
  "OR",
  "{",
  "\u00E9",
  "e\u0301",
  " ",
  "\u{1F600}",
];

export const textCases: CaseFile<TextMethod, TextContext> = {
  covers: ["apply", "close", "frequencies", "maintain", "search", "statistics"],
  cases: [
    {
      method: "search",
      name: "ranks by BM25 over the tenant's live rows",
      run: async (context) => {
        let run = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(termsArbitrary, { maxLength: 40 }),
            fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "absent"), { minLength: 1, maxLength: 4 }),
            fc.integer({ min: 1, max: 45 }),
            async (texts, terms, limit) => {
              const who = tenantId(`random-${++run}`);
              const rows = texts.map((terms, index) => sampleRow(index + 1, { terms }));
              await apply(context, rows, { tenant: who });
              await expectRanked(context, rows, search(nonEmpty(terms), limit, who));
            },
          ),
          { seed: 1, numRuns: 60 },
        );
      },
    },
    {
      method: "search",
      name: "ranks with the statistics of the whole tenant, whatever scopes and filter leave out",
      run: async (context) => {
        const mine = [sampleRow(1, { terms: terms("a") }), sampleRow(2, { terms: terms("b") })];
        const rows = [...mine, ...sampleRows(50, 10, { scope: bob, terms: terms("a", "x") })];
        await apply(context, rows);
        await expectRanked(context, rows, search(["a", "b"], 9));
        await eventually(context, async () => {
          const hits = await context.index.search(search(["a", "b"], 9));
          deepEqual(
            hits.map(({ ref }) => ref),
            [refNumber(2), refNumber(1)],
          );
        });
      },
    },
    {
      method: "search",
      name: "tells length and frequencies in the order of the terms asked for",
      run: async (context) => {
        await apply(context, [
          sampleRow(1, {
            terms: new Map([
              ["a", 3],
              ["b", 1],
              ["c", 7],
            ]),
          }),
        ]);
        await eventually(context, async () =>
          deepEqual(fieldsOf(await context.index.search(search(["c", "absent", "a"], 5))), [
            { ref: refNumber(1), version: 1, length: 11, frequencies: [7, 0, 3] },
          ]),
        );
      },
    },
    {
      method: "search",
      name: "takes hostile terms as the terms they are",
      run: async (context) => {
        await apply(
          context,
          hostileTerms.map((term, index) => sampleRow(index + 1, { terms: terms(term, "x") })),
        );
        for (const [index, term] of hostileTerms.entries())
          await eventually(context, async () => {
            const hits = await context.index.search(search([term], 50));
            deepEqual(
              hits.map(({ ref }) => ref),
              [refNumber(index + 1)],
            );
          });
      },
    },
    {
      method: "search",
      name: "refuses no terms, and a term twice",
      run: async (context) => {
        await apply(context, sampleRows(1));
        for (const bad of [[], 0, ["a", "b", "a"]] as unknown as NonEmpty<string>[])
          await expectRefusal(() => context.index.search(search(bad, 1)), "INVALID_REQUEST");
      },
    },
    {
      method: "apply",
      name: "refuses frequencies that are no counts, and all that came with them",
      run: async (context) => {
        for (const frequency of [0, -1, 1.5, Number.NaN]) {
          const bad = sampleRow(2, { terms: new Map([["a", frequency]]) });
          await expectRefusal(() => context.index.apply(tenant, [sampleRow(1), bad], 2), "INVALID_REQUEST");
        }
        await expectFound(context, {}, []);
        await expectStatistics(context, tenant, ["canary"], statistics(0, 0, [0]));
      },
    },
    {
      method: "apply",
      name: "keeps its own copy of the terms",
      run: async (context) => {
        const own = new Map([["canary", 2]]);
        await apply(context, [sampleRow(1, { terms: own })]);
        own.set("canary", 9).set("other", 1);
        await eventually(context, async () =>
          deepEqual(fieldsOf(await context.index.search(search(["canary"], 1))), [
            { ref: refNumber(1), version: 1, length: 2, frequencies: [2] },
          ]),
        );
        await apply(context, [sampleDelete(1, 2)]);
        await expectStatistics(context, tenant, ["canary", "other"], statistics(0, 0, [0, 0]));
      },
    },
    {
      method: "frequencies",
      name: "answers for the rows it holds, in any scope, and leaves the others out",
      run: async (context) => {
        await apply(context, [
          sampleRow(1, {
            terms: new Map([
              ["a", 2],
              ["b", 1],
            ]),
          }),
          sampleRow(2, { terms: terms("c"), scope: bob, version: 3 }),
          sampleRow(3),
          sampleDelete(3, 2),
        ]);
        await apply(context, [sampleRow(9)], { tenant: otherTenant });
        const refs = [9, 3, 2, 1].map(refNumber);
        await eventually(context, async () => {
          const hits = await context.index.frequencies(tenant, refs, ["b", "a"]);
          deepEqual(
            fieldsOf(hits).toSorted((left, right) => (left.ref < right.ref ? -1 : 1)),
            [
              { ref: refNumber(1), version: 1, length: 3, frequencies: [1, 2] },
              { ref: refNumber(2), version: 3, length: 1, frequencies: [0, 0] },
            ],
          );
        });
        deepEqual(await context.index.frequencies(tenant, [], ["a"]), []);
        equal((await context.index.frequencies(tenant, refs, [])).length, 2);
        await expectRefusal(() => context.index.frequencies("" as TenantId, refs, ["a"]), "INVALID_REQUEST");
        const signal = AbortSignal.abort();
        await expectRefusal(() => context.index.frequencies(tenant, refs, ["a"], { signal }), "CANCELLED");
      },
    },
    {
      method: "maintain",
      name: "leaves what is found as it was, also when it purges",
      run: async (context) => {
        const asked = ["a", "b"];
        await apply(context, sampleRows(60, 1, { terms: terms("a") }));
        await apply(context, [sampleRow(1, { version: 2, terms: terms("b") }), sampleDelete(2, 2)]);
        for (const purge of [false, true]) {
          await context.index.maintain({ purge });
          await expectStatistics(context, tenant, asked, statistics(59, 59, [58, 1]));
        }
        await apply(context, [sampleRow(1, { terms: terms("a") }), sampleRow(70, { terms: terms("b") })]);
        await expectStatistics(context, tenant, asked, statistics(60, 60, [58, 2]));
        await expectRefusal(() => context.index.maintain({ signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "statistics",
      name: "counts live rows only: exact after updates, deletes and repetitions",
      run: async (context) => {
        const asked = ["a", "b", "absent"];
        await expectStatistics(context, tenant, asked, statistics(0, 0, [0, 0, 0]));
        await apply(context, sampleRows(5, 1, { terms: terms("a") }), { tenant: otherTenant });
        const first = [
          sampleRow(1, {
            terms: new Map([
              ["a", 3],
              ["b", 1],
            ]),
          }),
          sampleRow(2, { terms: terms("a"), scope: bob }),
          sampleRow(3, { terms: new Map() }),
        ];
        await apply(context, first);
        await expectStatistics(context, tenant, asked, statistics(3, 5, [2, 1, 0]));
        await apply(context, first);
        await expectStatistics(context, tenant, asked, statistics(3, 5, [2, 1, 0]));
        await apply(context, [sampleRow(1, { version: 2, terms: new Map([["b", 7]]) }), sampleRow(1)]);
        await expectStatistics(context, tenant, asked, statistics(3, 8, [1, 1, 0]));
        await apply(context, [sampleDelete(2, 2), sampleDelete(1, 1), sampleDelete(2, 2)]);
        await expectStatistics(context, tenant, asked, statistics(2, 7, [0, 1, 0]));
        await expectStatistics(context, otherTenant, asked, statistics(5, 5, [5, 0, 0]));
        await expectRefusal(() => context.index.statistics("" as TenantId, asked), "INVALID_REQUEST");
        await expectRefusal(() => context.index.statistics(tenant, asked, { deadline: 1 }), "DEADLINE_EXCEEDED");
      },
    },
    {
      method: "search",
      name: "ranks by the statistics it is given",
      run: async (context) => {
        await apply(context, [
          sampleRow(1, { terms: new Map([["a", 1]]) }),
          sampleRow(2, { terms: new Map([["b", 1]]) }),
        ]);
        const bestBy = async (documentFrequencies: readonly number[]): Promise<unknown> => {
          const given = { documents: 100, totalLength: 100, documentFrequencies };
          const hits = await context.index.search({ ...search(["a", "b"], 1), statistics: given });
          return hits.map(({ ref }) => ref);
        };
        await eventually(context, async () => deepEqual(await bestBy([1, 50]), [refNumber(1)]));
        await eventually(context, async () => deepEqual(await bestBy([50, 1]), [refNumber(2)]));
      },
    },
    {
      method: "statistics",
      name: "agrees with counting, after random changes",
      run: async (context) => {
        const change = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.option(termsArbitrary));
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
            const who = tenantId(`random-${++run}`);
            const live = new Map<number, TermFrequencies>();
            const log = changes.map(([number, terms], index) => {
              if (terms === null) live.delete(number);
              else live.set(number, terms);
              return terms === null
                ? sampleDelete(number, index + 1)
                : sampleRow(number, { version: index + 1, terms });
            });
            await apply(context, log, { tenant: who });
            const texts = [...live.values()];
            const expected = statistics(
              texts.length,
              texts.map(lengthOf).reduce(add, 0),
              ["a", "b"].map((term) => texts.filter((text) => text.has(term)).length),
            );
            await expectStatistics(context, who, ["a", "b"], expected);
          }),
          { seed: 1, numRuns: 60 },
        );
      },
    },
    {
      method: "close",
      name: "ends the index",
      run: async (context) => {
        const { index } = context;
        await apply(context, sampleRows(1));
        await index.close();
        await index.close();
        const works: readonly (() => Promise<unknown>)[] = [
          () => index.search(search(["canary"], 1)),
          () => index.apply(tenant, sampleRows(1), 50),
          () => index.checkpoint(tenant),
          () => index.frequencies(tenant, [], []),
          () => index.statistics(tenant, []),
          () => index.refs(tenant)[Symbol.asyncIterator]().next(),
        ];
        for (const work of works) await expectRefusal(work, "CLOSED");
      },
    },
    {
      method: "close",
      name: "keeps everything when the index is durable, else nothing",
      run: async (context) => {
        await apply(context, [...sampleRows(30), sampleDelete(2, 2), sampleRow(3, { version: 2 })], { through: 40 });
        await context.index.close();
        const { durable } = context.index;
        if (context.reopen === undefined) {
          ok(!durable, "a durable index needs a fixture that can reopen it");
          return;
        }
        const index = await context.reopen();
        equal(await index.checkpoint(tenant), durable ? 40 : 0);
        const rows = durable ? 29 : 0;
        deepEqual(await index.statistics(tenant, ["canary"]), {
          ...statistics(rows, rows, [rows]),
          checkpoint: durable ? 40 : 0,
        });
        equal((await index.search(search(["canary"], 50))).length, rows);
        await apply({ ...context, projection: index }, [sampleRow(3), sampleRow(2)]);
        equal((await index.search(search(["canary"], 50))).length, durable ? 29 : 2);
      },
    },
  ],
};

const termsArbitrary = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 })
  .map((words): TermFrequencies => terms(...words));

function terms(...words: readonly string[]): TermFrequencies {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function search(terms: NonEmpty<string>, limit: number, who: TenantId = tenant): TextSearch {
  return { tenant: who, scopes: [alice], terms, limit };
}

function statistics(documents: number, totalLength: number, documentFrequencies: readonly number[]): Bm25Statistics {
  return { documents, totalLength, documentFrequencies };
}

async function expectStatistics(
  context: TextContext,
  who: TenantId,
  terms: readonly string[],
  expected: Bm25Statistics,
): Promise<void> {
  await eventually(context, async () => {
    const checkpoint = await context.index.checkpoint(who);
    deepEqual(await context.index.statistics(who, terms), { ...expected, checkpoint });
  });
}

/** Compares with scoring every row. */
async function expectRanked(context: TextContext, rows: readonly IndexUpsert[], request: TextSearch): Promise<void> {
  const asked = request.terms;
  const ranking = new Bm25(
    statistics(
      rows.length,
      rows.map(({ terms }) => lengthOf(terms)).reduce(add, 0),
      asked.map((term) => rows.filter(({ terms }) => terms.has(term)).length),
    ),
  );
  const expected = rows
    .filter(({ scope, terms }) => scope.id === alice.id && asked.some((term) => terms.has(term)))
    .map(({ ref, version, terms }): TextHit => ({
      ref,
      version,
      length: lengthOf(terms),
      frequencies: asked.map((term) => terms.get(term) ?? 0),
    }))
    .map((hit) => ({ hit, score: ranking.score(hit.frequencies, hit.length) }))
    .toSorted((left, right) => right.score - left.score || (left.hit.ref < right.hit.ref ? -1 : 1))
    .slice(0, request.limit)
    .map(({ hit }) => hit);
  await eventually(context, async () => deepEqual(fieldsOf(await context.index.search(request)), expected));
}

/** An adapter may answer with instances of a class of its own. */
function fieldsOf(hits: readonly TextHit[]): readonly TextHit[] {
  return hits.map((hit) => ({ ...hit }));
}

function lengthOf(terms: TermFrequencies): number {
  return [...terms.values()].reduce(add, 0);
}

function add(left: number, right: number): number {
  return left + right;
}
