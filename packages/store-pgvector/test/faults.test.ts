import type { NonEmpty, Ref } from "@loci/domain";
import { openPgvectorStore, removePgvectorStore } from "@loci/store-pgvector";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acme, alice, axis, listed, main, row, spaceOf } from "./samples.ts";
import { onceFree, TestServer } from "./test-store.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

/** Lets other connections in where there is one: PGlite's goes to whoever has it. */
const oneByOne = { maxConnections: 1 };

describe("what does not fit", () => {
  test("a full disk is said to be one, and nothing of the call was applied", async () => {
    const { store, options, destroy } = await server.open(oneByOne);
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    for (const projection of [collection, store.textIndex]) await projection.apply(acme, [row(1)], 1);
    await store.close();
    await server.execute(
      `CREATE FUNCTION "${options.schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: secret text' USING ERRCODE = '53100'; END $$`,
    );
    for (const table of ["vectors_1", "texts"])
      await server.execute(
        `CREATE TRIGGER no_space BEFORE INSERT ON "${options.schema}".${table} FOR EACH ROW EXECUTE FUNCTION "${options.schema}".refuse()`,
      );
    const full = await onceFree(() => openPgvectorStore(options));
    const again = await full.vectorStore.openCollection(main, spaceOf(8));
    for (const projection of [again, full.textIndex]) {
      const refused = projection.apply(acme, [row(2), { type: "delete", ref: row(1).ref, version: 2 }], 3);
      await expect(refused).rejects.toMatchObject({ reason: "DISK_FULL", code: "RESOURCE_EXHAUSTED" });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("secret") as string });
      expect(await projection.checkpoint(acme)).toBe(1);
      expect(await listed(projection, acme)).toEqual([{ ref: row(1).ref, version: 1 }]);
    }
    expect(await full.textIndex.statistics(acme, ["word"])).toEqual({
      checkpoint: 1,
      documents: 1,
      totalLength: 1,
      documentFrequencies: [1],
    });
    await full.close();
    await destroy();
  });

  test.each(["25006", "25P03", "40P01", "53300", "57P01"])(
    "SQLSTATE %s passes: the call may be repeated",
    async (code) => {
      const { store, options, destroy } = await server.open(oneByOne);
      await store.textIndex.apply(acme, [row(1)], 1);
      await store.close();
      await server.execute(
        `CREATE FUNCTION "${options.schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'secret text' USING ERRCODE = '${code}'; END $$`,
      );
      await server.execute(
        `CREATE TRIGGER not_now BEFORE INSERT ON "${options.schema}".texts FOR EACH ROW EXECUTE FUNCTION "${options.schema}".refuse()`,
      );
      const again = await onceFree(() => openPgvectorStore(options));
      await expect(again.textIndex.apply(acme, [row(2)], 2)).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
      expect(await again.textIndex.checkpoint(acme)).toBe(1);
      await again.close();
      await destroy();
    },
  );

  test.skipIf(missingNativePostgres() !== undefined)(
    "tables that are dropped while they are in use are said to be, and what to do",
    async () => {
      const { store, options, destroy } = await server.open();
      await store.textIndex.apply(acme, [row(1)], 1);
      await server.execute(`DROP SCHEMA "${options.schema}" CASCADE`);
      for (const refused of [store.textIndex.apply(acme, [row(2)], 2), store.textIndex.statistics(acme, ["word"])])
        await expect(refused).rejects.toMatchObject({
          reason: "INVALID_CONFIGURATION",
          message: expect.stringContaining("not there any more") as string,
          advice: expect.stringContaining("start the server again") as string,
        });
      await destroy();
    },
  );

  test("a table whose vectors have other dimensions is not used", async () => {
    const { store, options, destroy } = await server.open(oneByOne);
    await store.vectorStore.openCollection(main, spaceOf(8));
    await store.close();
    await server.execute(`ALTER TABLE "${options.schema}".vectors_1 ALTER COLUMN embedding TYPE vector(4)`);
    const again = await onceFree(() => openPgvectorStore(options));
    await expect(again.vectorStore.openCollection(main, spaceOf(8))).rejects.toMatchObject({
      reason: "EMBEDDING_SPACE_MISMATCH",
    });
    await again.vectorStore.dropCollection(main);
    expect(await (await again.vectorStore.openCollection(main, spaceOf(8))).count(acme)).toBe(0);
    await again.close();
    await destroy();
  });

  test("tables of another version, of another ledger or of somebody else are left alone", async () => {
    const { store, options, destroy } = await server.open({ ...oneByOne, owner: "first" });
    await store.close();
    await expect(onceFree(() => openPgvectorStore({ ...options, owner: "second" }))).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "schema",
    });
    await server.execute(`UPDATE "${options.schema}".schema_version SET version = 99`);
    await expect(onceFree(() => openPgvectorStore(options))).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_TOO_NEW",
      message: expect.stringContaining("version 99") as string,
      advice: expect.stringContaining("Start the newer version") as string,
    });
    await server.execute(`UPDATE "${options.schema}".schema_version SET version = -1`);
    await expect(onceFree(() => openPgvectorStore(options))).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
    await destroy();

    await server.execute("CREATE SCHEMA theirs");
    await server.execute("CREATE TABLE theirs.texts (mine integer)");
    await expect(onceFree(() => openPgvectorStore({ ...options, schema: "theirs" }))).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
    });
    expect(await server.execute("SELECT count(*)::integer AS n FROM theirs.texts")).toEqual([{ n: 0 }]);
  });

  test("options that cannot be are refused, without the password", async () => {
    const good = server.options(oneByOne);
    for (const bad of [
      { connectionString: "hunter2" },
      { schema: 'x"; DROP SCHEMA public' },
      { schema: "" },
      { exactRows: 0.5 },
      { maxConnections: 0 },
      { index: "ivfflat" as "hnsw" },
    ]) {
      const opening = openPgvectorStore({ ...good, ...bad });
      await expect(opening).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
      await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining("hunter2") as string });
    }
  });
});

describe("rows that others wrote into the tables", () => {
  test("are refused unless they look like ours, and then listed for verification", async () => {
    const { store, options, destroy } = await server.open(oneByOne);
    await store.vectorStore.openCollection(main, spaceOf(8));
    await store.close();
    const plant = (tenant: string, ref: string, version: number): Promise<unknown> =>
      server.execute(
        `INSERT INTO "${options.schema}".vectors_1 (tenant, ref, version, scope, field_values, chunk, embedding)
        VALUES ($1, $2, $3, 'user:alice', '{}', 0, '[1,0,0,0,0,0,0,0]')`,
        [tenant, ref, version],
      );
    // No memory id, no version, no tenant.
    await expect(plant("acme", "00000000-0000-4000-8000-000000000001", 1)).rejects.toMatchObject({ code: "23514" });
    await expect(plant("acme", row(7).ref, 0)).rejects.toMatchObject({ code: "23514" });
    await expect(plant("", row(7).ref, 1)).rejects.toMatchObject({ code: "23514" });
    await plant("acme", row(7).ref, 3);
    const again = await onceFree(() => openPgvectorStore(options));
    const collection = await again.vectorStore.openCollection(main, spaceOf(8));
    expect(await listed(collection, acme)).toEqual([{ ref: row(7).ref, version: 3 }]);
    await again.close();
    await destroy();
  });
});

describe("what was removed", () => {
  const secret = "quetzalcoatlus";

  test("a deleted row leaves its ref and version, and nothing else", async () => {
    const { store, options, destroy } = await server.open(oneByOne);
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    const own = row(1, { fields: { "metadata.note": secret }, terms: new Map([[secret, 2]]) });
    // As many as get postings.
    const changes = [own, ...Array.from({ length: 200 }, (_, number) => row(2 + number))];
    for (const projection of [collection, store.textIndex]) {
      await projection.apply(acme, changes, 2);
      await projection.apply(acme, [{ type: "delete", ref: row(1).ref, version: 2 }], 3);
    }
    await store.close();
    for (const table of ["vectors_1", "texts", "text_postings", "text_terms"]) {
      const rows = await server.execute(`SELECT * FROM "${options.schema}".${table}`);
      const isSecretLeft = JSON.stringify(rows).includes(secret);
      expect({ table, isEmpty: rows.length === 0, isSecretLeft }).toEqual({
        table,
        isEmpty: false,
        isSecretLeft: false,
      });
    }
    await destroy();
  });

  test("removing the store takes its schema, or what is ours in it", async () => {
    const { store, options } = await server.open(oneByOne);
    await store.vectorStore.openCollection(main, spaceOf(8));
    await store.close();
    await server.execute(`CREATE TABLE "${options.schema}".theirs (n integer)`);
    await onceFree(() => removePgvectorStore(options));
    const left = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'";
    expect(await server.execute(left, [`"${options.schema}"`])).toEqual([{ relname: "theirs" }]);
    await server.execute(`DROP TABLE "${options.schema}".theirs`);
    await (await onceFree(() => openPgvectorStore(options))).close();
    await onceFree(() => removePgvectorStore(options));
    await onceFree(() => removePgvectorStore(options));
    expect(await server.execute("SELECT 1 FROM pg_namespace WHERE nspname = $1", [options.schema])).toEqual([]);
  });
});

describe("text", () => {
  test("is found by thousands of terms at once, and rows may have none", async () => {
    const { store, destroy } = await server.open();
    const terms = Array.from({ length: 4_000 }, (_, number) => `term${number}`) as unknown as NonEmpty<string>;
    const rows = [
      row(1, { terms: new Map([["term3999", 70_000]]) }),
      row(2, { terms: new Map() }),
      row(3, { terms: new Map(terms.map((term) => [term, 1])) }),
    ];
    await store.textIndex.apply(acme, rows, 3);
    const hits = await store.textIndex.search({ tenant: acme, scopes: [alice], terms, limit: 10 });
    expect(hits.map(({ ref }) => ref)).toEqual([row(3).ref, row(1).ref]);
    expect(hits[1]?.frequencies.at(-1)).toBe(70_000);
    await destroy();
  });

  test("of refs that are none is refused before the database sees them", async () => {
    const { store, destroy } = await server.open();
    const strange = store.textIndex.frequencies(acme, ["x' OR 1=1 --" as Ref], ["word"]);
    await expect(strange).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER" });
    const search = {
      tenant: acme,
      scopes: [alice],
      vectors: [axis(0, 8)] as NonEmpty<Float32Array>,
      limit: 1,
    } as const;
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    expect(await collection.search(search)).toEqual([]);
    await destroy();
  });
});
