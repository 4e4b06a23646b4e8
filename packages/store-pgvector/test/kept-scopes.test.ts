import { Bm25, type Ref, type Scope, type Sequence } from "@loci/domain";
import type { IndexChange, IndexUpsert, TextIndex, VectorCollection } from "@loci/store";
import { countStatements, missingNativePostgres, rememberTexts } from "@loci/test-postgres";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PostgresTextIndex } from "../src/postgres-text-index.ts";
import { checkOptions, type PgvectorStoreOptions } from "../src/pgvector-store-options.ts";
import { PgvectorVectorStore } from "../src/pgvector-vector-store.ts";
import { setTimeout as pause } from "node:timers/promises";
import { Connections } from "../src/postgres/connections.ts";
import { openSchema } from "../src/schema/open-schema.ts";
import { openKeptIndexes, searchingKept, WatchedRoom } from "./kept-indexes.ts";
import { acme, alice, main, refNumber, row, spaceOf } from "./samples.ts";
import { TestServer } from "./test-store.ts";

const dimensions = 8;
const space = spaceOf(dimensions);
const bob: Scope = { kind: "user", id: "bob" };
const team: Scope = { kind: "team", id: "blue" };
const scopes = [alice, bob, team] as const;
const words = ["apple", "berry", "cherry", "date", "elder"] as const;

/** Of three servers at once, PGlite would turn one away. */
const hasOneConnection = missingNativePostgres() !== undefined;

rememberTexts();
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

interface Indexes {
  readonly vectors: VectorCollection;
  readonly texts: TextIndex;
}

async function keeping(options: PgvectorStoreOptions, mostBytes?: number, longestRead?: number): Promise<Indexes> {
  const { vectorStore, textIndex, rooms, close } = await openKeptIndexes(options, mostBytes);
  open.push(close);
  const vectors = searchingKept(await vectorStore.openCollection(main, space), rooms.vectors, longestRead);
  return { vectors, texts: searchingKept(textIndex, rooms.texts, longestRead) };
}

/** As a server of the version before, which notes nothing and keeps nothing. */
async function ofBefore(options: PgvectorStoreOptions): Promise<Indexes> {
  const checked = checkOptions({ ...options, keptBytes: 0 });
  const connections = new Connections(checked);
  open.push(() => connections.close());
  const textIndex = new PostgresTextIndex(connections, { ...checked, notesChanges: false, room: undefined });
  const vectorStore = new PgvectorVectorStore(connections, checked, undefined);
  const collection = await vectorStore.openCollection(main, space);
  const { PgvectorVectorCollection } = await import("../src/pgvector-vector-collection.ts");
  const { tables } = collection as InstanceType<typeof PgvectorVectorCollection>;
  const vectors = new PgvectorVectorCollection({
    id: main,
    connections,
    tables: { ...tables, notesChanges: false },
    space,
    capabilities: vectorStore.capabilities,
    exactRows: undefined,
    room: undefined,
    keepingPatience: 0,
  });
  return { vectors, texts: textIndex };
}

async function write({ vectors, texts }: Indexes, changes: readonly IndexChange[], through: Sequence): Promise<void> {
  await Promise.all([vectors.apply(acme, changes, through), texts.apply(acme, changes, through)]);
}

const unitVector = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions })
  .map((values) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
  });
const upsert = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  scope: fc.constantFrom(...scopes),
  isProcedure: fc.boolean(),
  vectors: fc.array(unitVector, { maxLength: 3 }),
  terms: fc.uniqueArray(fc.tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    selector: ([term]) => term,
  }),
});
const change = fc.oneof({ weight: 4, arbitrary: upsert }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) });
const writer = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(2) },
);
const step = fc.record({
  by: writer,
  changes: fc.oneof(
    { weight: 20, arbitrary: fc.uniqueArray(change, { maxLength: 4, selector: numberOf }) },
    { weight: 1, arbitrary: fc.constant("reset" as const) },
  ),
  /** Whether searches follow. */
  asks: fc.boolean(),
});

function numberOf(one: number | { readonly number: number }): number {
  return typeof one === "number" ? one : one.number;
}

/** Equals what another order of adding up gives. */
function nearlyEqual(cosine: number | undefined): unknown {
  return expect.closeTo(cosine ?? Number.NaN, 5);
}

function inOrder<Hit extends { readonly ref: Ref }>(hits: readonly Hit[]): readonly Hit[] {
  return hits.toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
}

async function answers(
  { vectors, texts }: Indexes,
  query: Float32Array,
  told: (cosine: number | undefined) => unknown = (cosine) => cosine,
): Promise<unknown> {
  const statistics = { documents: 12, totalLength: 60, documentFrequencies: [3, 2, 4] };
  const terms = ["apple", "cherry", "elder"] as const;
  const found: unknown[] = [];
  for (const where of [undefined, { field: "category", operator: "equals", value: "procedure" } as const])
    for (const limit of [2, 20]) {
      const request = { tenant: acme, scopes, where, limit };
      const [byWords, near] = await Promise.all([
        texts.search({ ...request, terms, statistics }),
        vectors.search({ ...request, vectors: [query, query.toReversed()], bounds: true }),
      ]);
      const bounds = near.map(({ ref, version, cosines }) => ({ ref, version, cosines: cosines.map(told) }));
      found.push(byWords, inOrder(bounds));
      expect(byWords).toEqual(
        byWords.toSorted((left, right) => {
          const score = (hit: typeof left): number => new Bm25(statistics).score(hit.frequencies, hit.length);
          return score(right) - score(left) || (left.ref < right.ref ? -1 : 1);
        }),
      );
    }
  found.push(inOrder(await texts.frequencies(acme, [1, 2, 3].map(refNumber), terms)));
  return found;
}

test.skipIf(hasOneConnection)(
  "what is kept answers as PostgreSQL does, whoever writes, also servers of the version before",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), unitVector, async (steps, query) => {
        const options = server.options();
        const [one, other] = [await keeping(options, undefined, 50), await keeping(options, undefined, 50)];
        const before = await ofBefore(options);
        const versions = new Map<number, number>();
        let through = 0;
        for (const taken of steps) {
          const by = [one, other, before][taken.by] as Indexes;
          if (taken.changes === "reset") {
            await Promise.all([by.vectors.reset?.(acme), by.texts.reset?.(acme)]);
            through = 0;
          } else {
            const changes = taken.changes.map((made): IndexChange => {
              const version = (versions.get(numberOf(made)) ?? 0) + 1;
              versions.set(numberOf(made), version);
              if (typeof made === "number") return { type: "delete", ref: refNumber(made), version };
              const { number, scope, isProcedure, vectors, terms } = made;
              const fields = isProcedure ? { category: "procedure" } : {};
              return row(number, {
                version,
                scope,
                fields,
                vectors,
                terms: new Map(terms),
              } satisfies Partial<IndexUpsert>);
            });
            await write(by, changes, ++through);
          }
          if (!taken.asks) continue;
          const expected = await answers(before, query, nearlyEqual);
          expect(await answers(one, query)).toEqual(expected);
          expect(await answers(other, query)).toEqual(expected);
        }
        for (const close of open.splice(0).toReversed()) await close();
      }),
      { seed: 7, numRuns: 10, endOnFailure: true },
    );
  },
  300_000,
);

test("a search of what is kept asks for changes alone, and reads what has changed alone", async () => {
  const options = server.options();
  const [one, other] = [await keeping(options), await keeping(options)];
  await write(
    other,
    Array.from({ length: 40 }, (_, number) => row(number + 1)),
    1,
  );
  const request = { tenant: acme, scopes: [alice], limit: 50 } as const;
  const statistics = { documents: 40, totalLength: 40, documentFrequencies: [40] };
  const search = async (): Promise<number> => {
    const [texts] = await Promise.all([
      one.texts.search({ ...request, terms: ["word"], statistics }),
      one.vectors.search({ ...request, vectors: [row(1).vectors[0] as Float32Array], bounds: true }),
    ]);
    return texts.length;
  };
  expect(await search()).toBe(40);
  const { statements, result } = await countStatements(search);
  expect(result).toBe(40);
  expect(statements.filter((text) => text.includes("text_recent"))).not.toEqual([]);
  expect(statements.filter((text) => /posting AS|<#>/u.test(text))).toEqual([]);
  await write(
    other,
    [row(41), { type: "delete", ref: refNumber(1), version: 2 }, { type: "delete", ref: refNumber(2), version: 2 }],
    2,
  );
  const after = await countStatements(search);
  expect(after.result).toBe(39);
  expect(after.statements.filter((text) => /posting AS|<#>/u.test(text))).toEqual([]);
});

test("texts are read from their pages as PostgreSQL searches them, of many segments and with gaps", async () => {
  const options = server.options();
  const [one, before] = [await keeping(options), await ofBefore(options)];
  // Of some the order by UTF-16 is not that by UTF-8.
  const word = (number: number): string => `${["w", "\uE000", "\u{1F600}", "é"][number % 4]}${number}`;
  const random = fc.sample(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 }), {
    numRuns: 1_500,
    seed: 3,
  });
  const written = random.map((numbers, place) => {
    const terms = new Map<string, number>();
    for (const number of numbers) terms.set(word(number), (terms.get(word(number)) ?? 0) + 1);
    const category = place % 9 === 0 ? "procedure" : "fact";
    return row(place + 1, { scope: scopes[place % 3] as Scope, fields: { category }, terms });
  });
  let through = 0;
  for (let start = 0; start < written.length; start += 300)
    await one.texts.apply(acme, written.slice(start, start + 300), ++through);
  const changed = written
    .filter((_, place) => place % 7 === 0)
    .map((own, place): IndexChange =>
      place % 2 === 0
        ? { type: "delete", ref: own.ref, version: 2 }
        : { ...own, version: 2, terms: new Map([[word(1), 3]]) },
    );
  await one.texts.apply(acme, changed, ++through);
  const terms = ["a", word(1), word(2), word(23), word(40), "w", word(60), "\uFFFD"] as const;
  const statistics = { documents: 1_500, totalLength: 9_000, documentFrequencies: terms.map(() => 150) };
  for (const where of [undefined, { field: "category", operator: "equals", value: "procedure" } as const])
    for (const limit of [10, 2_000]) {
      const request = { tenant: acme, scopes, where, limit, terms, statistics };
      const asksForAll = async (): Promise<boolean> => {
        const { statements } = await countStatements(() => one.texts.search(request));
        return statements.some((text) => text.includes("posting AS"));
      };
      await expect.poll(asksForAll, { timeout: 5_000 }).toBe(false);
      const found = await one.texts.search(request);
      expect(found).toEqual(await before.texts.search(request));
      expect(found.length).toBeGreaterThan(9);
    }
  // So much goes that what is kept closes its gaps.
  const request = { tenant: acme, scopes, limit: 2_000, terms, statistics };
  const size = 100;
  for (let start = 0; start < 1_000; start += size) {
    const gone = written.slice(start, start + size);
    await one.texts.apply(
      acme,
      gone.map(({ ref }) => ({ type: "delete", ref, version: 3 })),
      ++through,
    );
    const { result, statements } = await countStatements(() => one.texts.search(request));
    expect(statements.some((text) => text.includes("posting AS"))).toBe(false);
    expect(result).toEqual(await before.texts.search(request));
  }
});

test("a batch of very many changes is not noted row by row", async () => {
  const options = server.options();
  const [one, other] = [await keeping(options), await keeping(options)];
  const request = { tenant: acme, scopes: [alice], limit: 2_000, terms: ["word"] } as const;
  const statistics = { documents: 1, totalLength: 1, documentFrequencies: [1] };
  await write(other, [row(1)], 1);
  expect(await one.texts.search({ ...request, statistics })).toHaveLength(1);
  await write(
    other,
    Array.from({ length: 900 }, (_, number) => row(number + 2)),
    2,
  );
  expect(await one.texts.search({ ...request, statistics })).toHaveLength(901);
});

test("a scope is read once it was searched often enough, and none of the searches long after the one before", async () => {
  const checked = { ...checkOptions(server.options()), keepingPatience: 0.3 };
  const connections = new Connections(checked);
  const notesChanges = await openSchema(connections, { ...checked, holds: "words and vectors" });
  let now = 0;
  const room = new WatchedRoom({ mostBytes: 2 ** 20, now: () => now });
  const texts = new PostgresTextIndex(connections, { ...checked, notesChanges, room });
  open.push(async () => {
    await texts.close();
    await connections.close();
  });
  await texts.apply(acme, [row(1)], 1);
  const statistics = { documents: 1, totalLength: 1, documentFrequencies: [1] };
  const search = () => texts.search({ tenant: acme, scopes: [alice], limit: 9, terms: ["word"], statistics });
  for (const later of [0, 1, 600_000, 1]) {
    now += later;
    await search();
  }
  await pause(50);
  expect(room.uses).toBe(0);
  await search();
  await expect.poll(() => room.uses).toBe(1);
});

test.skipIf(hasOneConnection).each([
  [3, false],
  [120, true],
])("a scope beside which %i rows change before each search is given up: %s", async (changes, isGivenUp) => {
  const options = server.options();
  const [one, other] = [await keeping(options), await ofBefore(options)];
  const writer = await keeping(options);
  await writer.texts.apply(acme, [row(1)], 1);
  const statistics = { documents: 1, totalLength: 1, documentFrequencies: [1] };
  const request = { tenant: acme, scopes: [alice], limit: 9, terms: ["word"], statistics } as const;
  expect(await one.texts.search(request)).toHaveLength(1);
  await writer.texts.apply(
    acme,
    Array.from({ length: changes }, (_, number) => row(number + 2, { scope: bob })),
    2,
  );
  expect(await one.texts.search(request)).toEqual(await other.texts.search(request));
  const { statements } = await countStatements(() => one.texts.search(request));
  expect(statements.some((text) => text.includes("posting AS"))).toBe(isGivenUp);
});

test("what has no room is searched in PostgreSQL", async () => {
  const options = server.options();
  const one = await keeping(options, 2_000);
  await write(
    one,
    Array.from({ length: 40 }, (_, number) => row(number + 1)),
    1,
  );
  const statistics = { documents: 40, totalLength: 40, documentFrequencies: [40] };
  const search = () => one.texts.search({ tenant: acme, scopes: [alice], limit: 50, terms: ["word"], statistics });
  expect(await search()).toHaveLength(40);
  const { statements } = await countStatements(search);
  expect(statements.filter((text) => text.includes("posting AS"))).not.toEqual([]);
});

test("what a server of the version before writes between two notes is seen", async () => {
  const options = server.options();
  const one = await keeping(options);
  const before = await ofBefore(options);
  const statistics = { documents: 3, totalLength: 3, documentFrequencies: [3] };
  const search = () => one.texts.search({ tenant: acme, scopes: [alice], limit: 50, terms: ["word"], statistics });
  await write(one, [row(1)], 1);
  expect(await search()).toHaveLength(1);
  await write(before, [row(2)], 2);
  await write(one, [row(3)], 3);
  expect(await search()).toHaveLength(3);
});

test("indexes of the version before get their tables of notes from whoever may make them", async () => {
  const options = server.options();
  const dropped = `DROP TABLE "${options.schema}".text_recent, "${options.schema}".vectors_1_recent`;
  const made = await server.open(options);
  const collection = await made.store.vectorStore.openCollection(main, space);
  await Promise.all([collection.apply(acme, [row(1)], 1), made.store.textIndex.apply(acme, [row(1)], 1)]);
  await made.destroy();
  await server.execute(dropped);
  const one = await keeping(options);
  await write(one, [row(2)], 2);
  const statistics = { documents: 2, totalLength: 2, documentFrequencies: [2] };
  const search = () => one.texts.search({ tenant: acme, scopes: [alice], limit: 50, terms: ["word"], statistics });
  expect(await search()).toHaveLength(2);
  const { statements } = await countStatements(search);
  expect(statements.filter((text) => text.includes("posting AS"))).toEqual([]);
});

test("what a standby without the last writes has in their place is seen", async () => {
  const options = server.options();
  const one = await keeping(options);
  const statistics = { documents: 3, totalLength: 3, documentFrequencies: [3] };
  const search = () => one.texts.search({ tenant: acme, scopes: [alice], limit: 50, terms: ["word"], statistics });
  const tables = ["texts", "text_divisions", "text_terms", "text_checkpoints", "text_recent"];
  const copies = tables.map(
    (table) => `CREATE TABLE "${options.schema}".copy_of_${table} AS SELECT * FROM "${options.schema}".${table}`,
  );
  await write(one, [row(1)], 1);
  await server.execute(copies.join(";"));
  await write(one, [row(2)], 2);
  expect(await search()).toHaveLength(2);
  for (const table of tables)
    await server.execute(
      `DELETE FROM "${options.schema}".${table}; INSERT INTO "${options.schema}".${table} SELECT * FROM "${options.schema}".copy_of_${table}`,
    );
  // Here the checkpoint's row was written by another transaction than the note says.
  await server.execute(
    `UPDATE "${options.schema}".text_recent SET writer = (SELECT xmin::text::xid8 FROM "${options.schema}".text_checkpoints)`,
  );
  for (const number of [3, 4]) await one.texts.apply(acme, [row(number)], number - 1);
  expect((await search()).map(({ ref }) => ref)).toEqual([1, 3, 4].map(refNumber));
});
