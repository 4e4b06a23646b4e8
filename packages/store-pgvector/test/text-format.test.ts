import type { Filter, FilterField } from "@loci/domain";
import { openPgvectorStore } from "@loci/store-pgvector";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme, alice, axis, main, row, spaceOf } from "./samples.ts";
import { onceFree, TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

const isProcedure = { field: "category", operator: "equals", value: "procedure" } as const;
const search = { tenant: acme, scopes: [alice], terms: ["word"], limit: 5 } as const;

/** Columns of the tables of the words as Loci made them in older versions, by version. */
const formerTables: Readonly<Record<number, readonly string[]>> = {
  // A row for each term of each text.
  1: [
    "texts (tenant text, ref uuid, version bigint, scope text, fields jsonb, length integer, terms jsonb)",
    "text_postings (tenant text, term text, scope text, ref uuid, frequency integer, length integer)",
    "text_terms (tenant text, term text, documents bigint)",
    "text_checkpoints (tenant text PRIMARY KEY, sequence bigint, documents bigint, total_length bigint)",
  ],
  // Pages, but texts and procedures of a scope together.
  2: [
    "texts (tenant text, ref uuid, version bigint, scope text, fields jsonb, number integer, length integer, terms jsonb)",
    "text_scopes (tenant text, scope text, last_number integer, paged_through integer, tail_length integer, segments integer[])",
    `text_postings (tenant text, scope text, segment integer, first_term text, part integer, terms text[], ends integer[],
      numbers integer[], weights integer[])`,
    "text_terms (tenant text, term text, documents bigint)",
    "text_checkpoints (tenant text PRIMARY KEY, sequence bigint, documents bigint, total_length bigint)",
  ],
  // Fields and words of each row by name.
  3: [
    "texts (tenant text, ref uuid, version bigint, scope text, fields jsonb, division integer, number integer, length integer, terms jsonb)",
    `text_divisions (tenant text, scope text, is_apart boolean, division integer, last_number integer, paged_through integer,
      tail_length integer, segments integer[])`,
    `text_postings (tenant text, division integer, segment integer, first_term text, part integer, terms text[], ends integer[],
      numbers integer[], weights integer[])`,
    "text_terms (tenant text, term text, documents bigint)",
    "text_checkpoints (tenant text PRIMARY KEY, sequence bigint, documents bigint, total_length bigint)",
  ],
};

/** The fields of a row of vectors as they were before they had places. */
const formerFields: Readonly<Record<number, string>> = {
  1: `{"category": "fact", "origin": "import", "metadata.area": "billing"}`,
  2: `{"category": "procedure"}`,
};

/** Makes a schema what a former version had left. @param hasVectors whether it has a collection */
async function makeFormer(server: TestServer, schema: string, version: number, hasVectors = true): Promise<void> {
  const tables = ["texts", "text_divisions", "text_postings", "text_terms", "text_checkpoints"];
  await server.execute(`DROP TABLE ${tables.map((table) => `"${schema}".${table}`).join(", ")}`);
  for (const columns of formerTables[version] ?? []) await server.execute(`CREATE TABLE "${schema}".${columns}`);
  if (version < 3) await server.execute(`ALTER TABLE IF EXISTS "${schema}".vectors_1 DROP COLUMN IF EXISTS is_apart`);
  await server.execute(`ALTER TABLE IF EXISTS "${schema}".vectors_1 RENAME COLUMN field_values TO fields`);
  for (const [number, fields] of Object.entries(formerFields))
    if (hasVectors)
      await server.execute(`UPDATE "${schema}".vectors_1 SET fields = $1 WHERE ref = $2`, [
        fields,
        row(Number(number)).ref,
      ]);
  await server.execute(`INSERT INTO "${schema}".text_checkpoints VALUES ('acme', 7, 1, 1)`);
  await server.execute(`UPDATE "${schema}".schema_version SET version = ${version}`);
}

test.each([1, 2, 3])(
  "tables of version %i are noticed, and the words begin again beside the vectors there are",
  async (version) => {
    const { store, options } = await server.open({ maxConnections: 1, owner: "this ledger" });
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    await collection.apply(acme, [row(1), row(2, { fields: { category: "procedure" } })], 7);
    await store.textIndex.apply(acme, [row(1)], 7);
    await store.close();
    await makeFormer(server, options.schema ?? "", version);

    const renewed = await onceFree(() => openPgvectorStore(options));
    // The drainer, which asks where the index stands, brings everything once more.
    expect(await renewed.textIndex.checkpoint(acme)).toBe(0);
    expect(await renewed.textIndex.search(search)).toEqual([]);
    await renewed.textIndex.apply(acme, [row(1)], 7);
    expect(await renewed.textIndex.search(search)).toMatchObject([{ ref: row(1).ref }]);
    const vectors = await renewed.vectorStore.openCollection(main, spaceOf(8));
    expect(await vectors.checkpoint(acme)).toBe(7);
    const found = await vectors.search({ tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 5 });
    expect(found.map(({ ref }) => ref)).toEqual([row(1).ref, row(2).ref]);
    const procedures = { tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 5, where: isProcedure } as const;
    expect((await vectors.search(procedures)).map(({ ref }) => ref)).toEqual([row(2).ref]);
    expect((await vectors.search({ ...procedures, where: { not: isProcedure } })).map(({ ref }) => ref)).toEqual([
      row(1).ref,
    ]);
    // Fields that older rows have by name are asked as those of new rows are, and what they lack is not what is usual.
    await vectors.apply(
      acme,
      [row(3, { fields: { category: "fact", trust: "trusted", "metadata.area": "sales" } })],
      8,
    );
    const matching = async (where: Filter): Promise<readonly number[]> => {
      const hits = await vectors.search({ tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 5, where });
      return [1, 2, 3].filter((number) => hits.some(({ ref }) => ref === row(number).ref));
    };
    const equals = (field: FilterField, value: string): Filter => ({ field, operator: "equals", value });
    expect(await matching(equals("category", "fact"))).toEqual([1, 3]);
    expect(await matching(equals("origin", "import"))).toEqual([1]);
    expect(await matching(equals("trust", "trusted"))).toEqual([3]);
    expect(await matching(equals("metadata.area", "billing"))).toEqual([1]);
    expect(await matching({ field: "metadata.area", operator: "notEquals", value: "billing" })).toEqual([3]);
    expect(await matching({ field: "tags", operator: "contains", value: "x" })).toEqual([]);
    await renewed.close();

    const again = await onceFree(() => openPgvectorStore(options));
    expect(await again.textIndex.checkpoint(acme)).toBe(7);
    await again.close();
    const left = "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1";
    const names = (await server.execute(`${left} AND relname = 'text_scopes'`, [options.schema])).map(Object.values);
    expect(names).toEqual([]);
  },
);

test.skipIf(missingNativePostgres() !== undefined)("are left alone by a role that does not own them", async () => {
  const native = await TestServer.start("native");
  const { store, options } = await native.open();
  await store.close();
  await makeFormer(native, options.schema ?? "", 2, false);
  const role = `reader_${new URL(options.connectionString).pathname.slice(1)}`;
  await native.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'only for this test'`);
  await native.execute(`GRANT USAGE ON SCHEMA "${options.schema}" TO ${role}`);
  await native.execute(`GRANT ALL ON ALL TABLES IN SCHEMA "${options.schema}" TO ${role}`);
  const url = new URL(options.connectionString);
  url.username = role;
  url.password = "only for this test";
  await expect(openPgvectorStore({ ...options, connectionString: url.href })).rejects.toMatchObject({
    reason: "INVALID_CONFIGURATION",
    message: expect.stringContaining("older Loci") as string,
    advice: expect.stringContaining("postgres") as string,
  });
  await native.execute(`DROP OWNED BY ${role}`);
  await native.execute(`DROP ROLE ${role}`);
  await native.database.drop();
});
