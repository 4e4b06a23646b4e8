import type { NonEmpty, Scope } from "@loci/domain";
import type { IndexChange, TextIndex } from "@loci/store";
import { openMemoryTextIndex } from "@loci/store-memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme, alice, listed, other, refNumber, row } from "./samples.ts";
import { TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

const scopes: NonEmpty<Scope> = [alice, { kind: "user", id: "bob" }, { kind: "project", id: "garden" }];
/** In every text, in some, and in few, whose order by UTF-16 is not that by UTF-8. */
const words = [
  "all",
  "a",
  "b",
  "c",
  "d",
  "e",
  "f",
  "g",
  "\u{1F600}",
  "\uE000",
  "\uFFFD",
  "é",
  "z z",
  "\t",
  "a\\sb",
  "a b",
  "\\\\s",
  "2",
  "'",
  "{",
  ",",
  '"',
  "\\",
];
const asked: NonEmpty<string> = [
  "b",
  "\uE000",
  "all",
  "nowhere",
  "\u{1F600}",
  "rare-7",
  "\\",
  '"',
  "z z",
  "\t",
  "a\\sb",
  "2",
];

/** Numbers that look random and are the same in every run. */
class Numbers {
  #state = 7;

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}

function termsOf(numbers: Numbers, number: number): ReadonlyMap<string, number> {
  const terms = new Map([["all", 1 + numbers.below(3)]]);
  for (let count = numbers.below(8); count > 0; count--)
    terms.set(words[numbers.below(words.length)] as string, 1 + numbers.below(4));
  // Of long texts PostgreSQL sends numbers, not words.
  if (number % 16 === 0) for (let count = 0; count < 80; count++) terms.set(`long-${count}`, 1 + (count % 3));
  return terms.set(`rare-${number % 40}`, 1);
}

/** Both indexes find the same, to the last bit of what scores are made of, for the engine's numbers and for their own. */
async function expectAgreement(index: TextIndex, model: TextIndex): Promise<void> {
  const statistics = await model.statistics(acme, asked);
  expect(await index.statistics(acme, asked)).toEqual(statistics);
  const where = { field: "metadata.kind", operator: "equals", value: 1 } as const;
  const isProcedure = { field: "category", operator: "equals", value: "procedure" } as const;
  const search = { tenant: acme, terms: asked, statistics };
  for (const request of [
    { ...search, scopes: [alice] as const, limit: 3 },
    { ...search, scopes, limit: 100_000 },
    { ...search, scopes: [alice] as const, limit: 100_000, where },
    { ...search, scopes, limit: 3, where, statistics: undefined },
    { ...search, scopes, limit: 7, where: isProcedure },
    { ...search, scopes, limit: 7, where: { not: isProcedure } },
    { ...search, scopes, limit: 7, where: { and: [where, isProcedure] } },
    { ...search, scopes, limit: 7, where: { or: [where, isProcedure] } },
    { ...search, scopes, limit: 7, where: { and: [{ not: isProcedure }, isProcedure] } },
    { ...search, scopes, limit: 7, where: { ...isProcedure, operator: "in", value: ["procedure", "fact"] } as const },
  ])
    expect(await index.search(request)).toEqual(await model.search(request));
  const refs = Array.from({ length: 40 }, (_, number) => refNumber(number * 17));
  const byRef = (hits: Awaited<ReturnType<TextIndex["frequencies"]>>): unknown =>
    hits.toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
  expect(byRef(await index.frequencies(acme, refs, asked))).toEqual(byRef(await model.frequencies(acme, refs, asked)));
  const refsOf = async (of: TextIndex): Promise<unknown> =>
    (await listed(of, acme)).toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
  expect(await refsOf(index)).toEqual(await refsOf(model));
}

test.each([1, 3])(
  "in %i tables: what lies on pages, in many segments and behind them is found as in memory, whatever changes",
  async (textPartitions) => {
    const { store, options, destroy } = await server.open({ maxConnections: 1, textPartitions });
    const model = openMemoryTextIndex();
    const numbers = new Numbers();
    const versions = new Map<number, number>();
    let through = 0;
    const apply = async (changes: readonly IndexChange[]): Promise<void> => {
      through += changes.length;
      for (const index of [store.textIndex, model]) await index.apply(acme, changes, through);
    };
    const change = (number: number): IndexChange => {
      const version = (versions.get(number) ?? 0) + 1;
      versions.set(number, version);
      if (version > 1 && numbers.below(3) === 0) return { type: "delete", ref: refNumber(number), version };
      // Once in a while only the fields are new, or only the scope.
      const terms = numbers.below(4) === 0 ? new Map([["all", 1]]) : termsOf(numbers, number);
      const scope = scopes[numbers.below(2) * numbers.below(3)] as Scope;
      const category = ["procedure", "fact", "note"][numbers.below(3)] as string;
      return row(number, { version, scope, terms, fields: { "metadata.kind": numbers.below(2), category } });
    };
    await store.textIndex.apply(other, [row(1, { terms: new Map([["all", 3]]) })], 1);
    // A length that no posting can hold.
    await apply([
      row(9_999, {
        terms: new Map([
          ["all", 40_000],
          ["b", 30_000],
        ]),
        fields: { "metadata.kind": 1 },
      }),
    ]);
    for (const size of [1, 700, 40, 150, 150, 5, 600]) {
      await apply(Array.from({ length: size }, () => change(numbers.below(1_500))));
      await expectAgreement(store.textIndex, model);
    }
    await apply([{ type: "delete", ref: refNumber(9_999), version: 2 }]);
    await expectAgreement(store.textIndex, model);
    const everything = [...versions].map(([number, version]) => {
      return { type: "delete", ref: refNumber(number), version: version + 1 } as const;
    });
    await apply(everything.slice(0, -1));
    await expectAgreement(store.textIndex, model);
    await apply(everything.slice(-1));
    await expectAgreement(store.textIndex, model);
    await store.close();
    // Of what was forgotten no page and no word is left; the other tenant has one text.
    const left = `SELECT (SELECT count(*) FROM "${options.schema}".text_postings)::integer AS pages,
    (SELECT array_agg(words) FROM "${options.schema}".text_terms) AS terms`;
    expect(await server.execute(left)).toEqual([{ pages: 0, terms: [" all "] }]);
    await destroy();
  },
);

test("of texts that tie at the end of an answer the first refs are given, whatever was written first", async () => {
  const { store, destroy } = await server.open({ maxConnections: 1 });
  const changes = Array.from({ length: 300 }, (_, number) => row(300 - number));
  await store.textIndex.apply(acme, changes, 300);
  for (const where of [undefined, { not: { field: "category", operator: "equals", value: "fact" } } as const]) {
    const hits = await store.textIndex.search({ tenant: acme, scopes: [alice], terms: ["word"], limit: 3, where });
    expect(hits.map(({ ref }) => ref)).toEqual([1, 2, 3].map(refNumber));
  }
  await destroy();
});
