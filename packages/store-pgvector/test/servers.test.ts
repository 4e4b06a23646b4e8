import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { openPgvectorStore } from "@loci/store-pgvector";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Connections } from "../src/postgres/connections.ts";
import type { Statements } from "../src/postgres/transaction.ts";
import { acme, alice, axis, listed, main, other, row, spaceOf } from "./samples.ts";
import { TestServer } from "./test-store.ts";

// Several connections, cancelling and roles are what PGlite does not have.
const isMissing = missingNativePostgres() !== undefined;

describe.skipIf(isMissing)("several servers on one database", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start("native");
  });
  afterAll(() => server.database.drop());

  test("make schema and collection once, whoever is first", async () => {
    const options = server.options();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPgvectorStore(options)));
    const collections = await Promise.all(stores.map((store) => store.vectorStore.openCollection(main, spaceOf(8))));
    await collections[0]?.apply(acme, [row(1)], 1);
    for (const collection of collections) expect(await collection.count(acme)).toBe(1);
    expect(await server.execute(`SELECT count(*)::integer AS n FROM "${options.schema}".collections`)).toEqual([
      { n: 1 },
    ]);
    for (const store of stores) await store.close();
  });

  test("that apply the same changes at once leave each row once, of the newest version", async () => {
    const options = server.options();
    const stores = await Promise.all([1, 2, 3].map(() => openPgvectorStore(options)));
    const collections = await Promise.all(stores.map((store) => store.vectorStore.openCollection(main, spaceOf(8))));
    const projections = [...collections, ...stores.map((store) => store.textIndex)];
    const batches = Array.from({ length: 10 }, (_, batch) => ({
      through: batch + 1,
      changes: [row(1, { version: batch + 1 }), row(2 + batch), row(2 + batch, { version: 2 })],
    }));
    await Promise.all(
      projections.flatMap((projection) =>
        batches.map(({ changes, through }) => projection.apply(acme, changes, through)),
      ),
    );
    for (const projection of projections) {
      expect(await projection.checkpoint(acme)).toBe(10);
      const rows = await listed(projection, acme);
      expect(new Set(rows.map(({ ref }) => ref)).size).toBe(rows.length);
      // Batches that came after a later one were ignored, as a drainer without its lease is.
      expect(rows.find(({ ref }) => ref === row(1).ref)?.version).toBe(10);
    }
    const [first] = stores.map((store) => store.textIndex);
    if (first === undefined) throw new Error("No store is open.");
    const statistics = await first.statistics(acme, ["word"]);
    const texts = await listed(first, acme);
    expect(statistics).toEqual({
      checkpoint: await first.checkpoint(acme),
      documents: texts.length,
      totalLength: texts.length,
      documentFrequencies: [texts.length],
    });
    for (const store of stores) await store.close();
  });

  test("of which one had the index begin again: the other, which does not know of it, leaves no gap", async () => {
    const options = server.options();
    const [late, other] = await Promise.all([openPgvectorStore(options), openPgvectorStore(options)]);
    const [lateVectors, vectors] = await Promise.all(
      [late, other].map((store) => store.vectorStore.openCollection(main, spaceOf(8))),
    );
    if (lateVectors === undefined || vectors === undefined) throw new Error("No collection is open.");
    for (const [behind, ahead] of [
      [lateVectors, vectors],
      [late.textIndex, other.textIndex],
    ] as const) {
      const [first, second, third] = [row(1), row(2), row(3)];
      await behind.apply(acme, [first], 1, { after: 0 });
      await behind.apply(acme, [second], 2, { after: 1 });
      await ahead.reset?.(acme);
      await ahead.apply(acme, [first], 1, { after: 0 });
      // Its lease is lost, which it has not heard of yet.
      await expect(behind.apply(acme, [third], 3, { after: 2 })).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
      expect(await behind.checkpoint(acme)).toBe(1);
      await ahead.apply(acme, [second], 2, { after: 1 });
      await behind.apply(acme, [third], 3, { after: 2 });
      expect(await listed(ahead, acme)).toHaveLength(3);
    }
    await late.close();
    await other.close();
  });

  test("that put texts on pages at the same time lose no posting, and count none twice", async () => {
    const options = server.options();
    const stores = await Promise.all([1, 2].map(() => openPgvectorStore(options)));
    const size = 60;
    for (let through = size; through <= 20 * size; through += size) {
      const changes = Array.from({ length: size }, (_, number) => row(through - size + number));
      // Both have the batch, as when a lease has gone over. And texts that are there already change.
      const again = [row(through - size, { version: 2, terms: new Map([["again", 1]]) })];
      await Promise.all(stores.map(({ textIndex }) => textIndex.apply(acme, [...changes, ...again], through)));
    }
    const search = { tenant: acme, scopes: [alice], limit: 10_000 } as const;
    for (const { textIndex } of stores) {
      expect(await textIndex.search({ ...search, terms: ["word"] })).toHaveLength(20 * (size - 1));
      expect(await textIndex.search({ ...search, terms: ["again"] })).toHaveLength(20);
      const statistics = await textIndex.statistics(acme, ["word", "again"]);
      expect(statistics).toMatchObject({ documents: 20 * size, documentFrequencies: [20 * (size - 1), 20] });
    }
    const [pages] = await server.execute(
      `SELECT sum(cardinality(numbers))::integer AS postings, count(DISTINCT segment)::integer AS segments
      FROM "${options.schema}".text_postings`,
    );
    expect(pages?.["segments"]).toBeLessThan(8);
    // The others are behind the last segment, fewer than need pages.
    expect(pages?.["postings"]).toBeGreaterThan(20 * size - 200);
    for (const store of stores) await store.close();
  });

  test("a collection that another one dropped is gone, also for who has it open", async () => {
    const options = server.options();
    const [left, right] = await Promise.all([openPgvectorStore(options), openPgvectorStore(options)]);
    const collection = await left.vectorStore.openCollection(main, spaceOf(8));
    await right.vectorStore.dropCollection(main);
    await expect(collection.count(acme)).rejects.toMatchObject({ reason: "COLLECTION_NOT_FOUND" });
    const search = collection.search({ tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 1 });
    await expect(search).rejects.toMatchObject({ reason: "COLLECTION_NOT_FOUND" });
    const anew = await left.vectorStore.openCollection(main, spaceOf(4));
    expect(await anew.count(acme)).toBe(0);
    await left.close();
    await right.close();
  });

  test("takes no more connections than it may, however much is asked at once", async () => {
    const connected = async (): Promise<number> => {
      const [found] = await server.execute(
        "SELECT count(*)::integer AS n FROM pg_stat_activity WHERE application_name = 'loci' AND datname = current_database()",
      );
      return Number(found?.["n"]);
    };
    // Those of stores that were closed may take a moment to go.
    await expect.poll(connected).toBe(0);
    const { store, options, destroy } = await server.open({ maxConnections: 2 });
    const collection = await store.vectorStore.openCollection(main, spaceOf(8));
    await collection.apply(acme, [row(1)], 1);
    const search = (): Promise<unknown> =>
      collection.search({ tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 1 });
    const running = Array.from({ length: 50 }, search);
    let most = 0;
    for (let look = 0; look < 5; look++) most = Math.max(most, await connected());
    await Promise.all(running);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(options.maxConnections).toBe(2);
    await destroy();
  });
});

describe.skipIf(isMissing)("a call that is over", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start("native");
  });
  afterAll(() => server.database.drop());

  const isSleeping = async (): Promise<boolean> => {
    const query =
      "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%SELECT pg_sleep%' AND pid <> pg_backend_pid()";
    return (await server.execute(query)).length > 0;
  };

  test("cancels its statement on the server, and gives the connection back for the next", async () => {
    const connections = new Connections({
      ...server.database,
      schema: "loci_indexes",
      maxConnections: 2,
      connectTimeout: 20_000,
    });
    const controller = new AbortController();
    const running = connections.transaction(acme, { signal: controller.signal }, (transaction) =>
      transaction.query("SELECT pg_sleep(30)"),
    );
    while (!(await isSleeping())) await pause(10);
    controller.abort();
    await expect(running).rejects.toMatchObject({ reason: "CANCELLED" });
    while (await isSleeping()) await pause(10);
    const late = connections.transaction(acme, { deadline: Date.now() + 100 }, (transaction) =>
      transaction.query("SELECT pg_sleep(30)"),
    );
    await expect(late).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
    const [tenant] = await connections.transaction(other, undefined, (transaction) =>
      transaction.query("SELECT current_setting('loci.tenant') AS tenant"),
    );
    expect(tenant).toEqual({ tenant: "acme-corp" });
    await connections.close();
  });

  test("keeps no setting of a statement for the next, whether that worked or not", async () => {
    const connections = new Connections({
      ...server.database,
      schema: "loci_indexes",
      maxConnections: 1,
      connectTimeout: 20_000,
    });
    const settings = { maintenance_work_mem: "77MB" };
    const memory = "current_setting('maintenance_work_mem')";
    const runWith = (text: string): Promise<void> =>
      connections.alone("told", undefined, (statements) => statements.runWith(settings, text));
    await runWith(`CREATE TABLE told AS SELECT ${memory} AS own`);
    await expect(runWith("SELECT 1 / 0")).rejects.toMatchObject({ reason: "INTERNAL" });
    const told = await connections.transaction(undefined, undefined, (transaction) =>
      transaction.query(`SELECT own, ${memory} AS now FROM told`),
    );
    expect(told).toEqual([{ own: "77MB", now: "64MB" }]);
    await connections.close();
  });

  test("has upkeep of one table take turns, also after some that failed or was cancelled", async () => {
    const connections = new Connections({
      ...server.database,
      schema: "loci_indexes",
      maxConnections: 4,
      connectTimeout: 20_000,
    });
    let running = 0;
    const work = async (statements: Statements): Promise<void> => {
      expect(++running).toBe(1);
      await statements.query("SELECT pg_sleep(0.02)");
      running--;
    };
    await Promise.all([1, 2, 3].map(() => connections.alone("upkeep", undefined, work)));
    const failing = connections.alone("upkeep", undefined, (statements) => statements.query("SELECT 1 / 0"));
    await expect(failing).rejects.toMatchObject({ reason: "INTERNAL" });
    const controller = new AbortController();
    const sleeping = connections.alone("upkeep", { signal: controller.signal }, (statements) =>
      statements.query("SELECT pg_sleep(30)"),
    );
    while (!(await isSleeping())) await pause(10);
    const waiting = connections.alone("upkeep", undefined, work);
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ reason: "CANCELLED" });
    await waiting;
    await connections.close();
  });

  test("begins upkeep again that PostgreSQL has ended for another server's", async () => {
    const connections = new Connections({
      ...server.database,
      schema: "loci_indexes",
      maxConnections: 2,
      connectTimeout: 20_000,
    });
    let attempts = 0;
    const done = await connections.alone("upkeep", undefined, async (statements) => {
      if (++attempts < 3)
        await statements.query("DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$");
      return "done";
    });
    expect([done, attempts]).toEqual(["done", 3]);
    await connections.close();
  });

  test("cancels a single statement that reads, too", async () => {
    const connections = new Connections({
      ...server.database,
      schema: "loci_indexes",
      maxConnections: 2,
      connectTimeout: 20_000,
    });
    const controller = new AbortController();
    const running = connections.reader(acme, { signal: controller.signal }).query("SELECT pg_sleep($1)", [30]);
    while (!(await isSleeping())) await pause(10);
    controller.abort();
    await expect(running).rejects.toMatchObject({ reason: "CANCELLED" });
    while (await isSleeping()) await pause(10);
    const late = connections.reader(acme, { deadline: Date.now() + 100 }).query("SELECT pg_sleep($1)", [30]);
    await expect(late).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
    await connections.close();
  });

  test("while it waits for another server writes nothing, and the next one does", async () => {
    const { store, options, destroy } = await server.open();
    await store.textIndex.apply(acme, [row(1)], 1);
    const blocker = new Client({ connectionString: options.connectionString });
    await blocker.connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM "${options.schema}".text_checkpoints FOR UPDATE`);
    const waiting = store.textIndex.apply(acme, [row(2)], 2, { deadline: Date.now() + 200 });
    await expect(waiting).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
    await blocker.query("COMMIT");
    await blocker.end();
    expect(await store.textIndex.checkpoint(acme)).toBe(1);
    await store.textIndex.apply(acme, [row(2)], 2);
    expect(await store.textIndex.checkpoint(acme)).toBe(2);
    await destroy();
  });
});

describe.skipIf(isMissing)("a server that cannot be reached", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start("native");
  });
  afterAll(() => server.database.drop());

  test("is said to be unavailable at the start, and opened once it is there", async () => {
    const proxy = await startProxy(server.database.connectionString);
    const options = { ...server.options(), connectionString: proxy.connectionString, connectTimeout: 20_000 };
    await proxy.stop();
    await expect(openPgvectorStore(options)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
      code: "UNAVAILABLE",
    });
    await proxy.start();
    const store = await openPgvectorStore(options);
    await store.close();
    await proxy.stop();
  });

  test("is said to be unavailable later on, and used again by itself", async () => {
    const proxy = await startProxy(server.database.connectionString);
    const options = { ...server.options(), connectionString: proxy.connectionString, connectTimeout: 20_000 };
    const { textIndex, close } = await openPgvectorStore(options);
    await textIndex.apply(acme, [row(1)], 1);
    const search = (): Promise<unknown> =>
      textIndex.search({ tenant: acme, scopes: [alice], terms: ["word"], limit: 5 });
    await proxy.stop();
    await expect(search()).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
    await expect(textIndex.apply(acme, [row(2)], 2)).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
    await proxy.start();
    expect(await search()).toHaveLength(1);
    await textIndex.apply(acme, [row(2)], 2);
    expect(await search()).toHaveLength(2);
    await close();
    await proxy.stop();
  });
});

/** A way to a server that can be cut: what goes through it is lost, and nobody new is let in. */
async function startProxy(connectionString: string): Promise<{
  readonly connectionString: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let proxy: Server;
  let port = 0;
  const start = async (): Promise<void> => {
    proxy = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [socket, peer] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => peer.destroy());
        socket.on("close", () => peer.destroy());
        socket.pipe(peer);
      }
    });
    proxy.listen(port, "127.0.0.1");
    await once(proxy, "listening");
    port = (proxy.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    proxy.close();
    await once(proxy, "close");
  };
  await start();
  const through = new URL(connectionString);
  through.port = String(port);
  return { connectionString: through.href, start, stop };
}
