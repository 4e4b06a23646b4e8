import { randomUUID } from "node:crypto";
import { connectLoci } from "@loci/client";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const scope = "user:alice";

describe.skipIf(missingNativePostgres() !== undefined)("two servers on one PostgreSQL", () => {
  let database: TestDatabase;
  let servers: readonly TestServer[];
  let began: number;

  beforeAll(async () => {
    database = await openTestDatabase("native");
    const role = `service_${randomUUID().slice(0, 8)}`;
    await database.execute(`CREATE ROLE ${role}`);
    process.env["LOCI_TEST_DATABASE_URL"] = database.connectionString;
    const place = { variable: "LOCI_TEST_DATABASE_URL" };
    const ledger = { postgres: { connectionString: place, ownerConnectionString: place, role } };
    const maintenance = [{ job: { type: "expire" } as const, everyMinutes: 1 / 60 }];
    began = performance.now();
    servers = await Promise.all([1, 2].map(() => startTestServer({ configuration: { ledger, maintenance } })));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    await database.drop();
  });

  test("what was written through either is read through either at once", async () => {
    const [first, second] = servers.map(({ address, apiKey }) => connectLoci({ address, apiKey }));
    if (first === undefined || second === undefined) throw new Error("no servers");
    for (const [index, [writer, reader]] of [[first, second] as const, [second, first] as const].entries()) {
      const text = `The password of the vault number ${index} is in the orchard.`;
      const memory = await writer.memories.remember({ text, scope });
      expect(await reader.memories.get(memory.id)).toEqual(memory);
      const question = { query: `vault number ${index}`, scopes: [scope] } as const;
      expect((await reader.recall(question)).hits.map((hit) => hit.memory.id)).toContain(memory.id);
      const changed = await reader.memories.update(memory.id, { text: `${text} No more.` }, { etag: memory.etag });
      expect((await writer.memories.get(memory.id)).text).toBe(changed.text);
      await expect(writer.memories.update(memory.id, { text: "late" }, { etag: memory.etag })).rejects.toMatchObject({
        reason: "VERSION_CONFLICT",
      });
      await writer.memories.forget(memory.id);
      expect((await reader.recall(question)).hits.map((hit) => hit.memory.id)).not.toContain(memory.id);
    }
    await Promise.all([first.settled(), second.settled()]);
    await Promise.all([first.close(), second.close()]);
  });

  test("what is written through either is told to those who watch the other, and a watch goes on at the other", async () => {
    const [first, second] = servers.map(({ address, apiKey }) => connectLoci({ address, apiKey }));
    if (first === undefined || second === undefined) throw new Error("no servers");
    const request = { scopes: ["user:watched"] } as const;
    const watch = first.memories.watch(request)[Symbol.asyncIterator]();
    const before = (await watch.next()).value;
    const { id } = await second.memories.remember({ text: "Written elsewhere.", scope: "user:watched" });
    expect((await watch.next()).value).toMatchObject({ type: "written", memory: { id } });
    await watch.return?.();
    await first.memories.forget(id);
    for await (const change of second.memories.watch({ ...request, since: before?.cursor })) {
      expect(change).toMatchObject({ type: "removed", id });
      break;
    }
    await Promise.all([first.close(), second.close()]);
  });

  test("a scheduled job runs once when it is due, on one of them", async () => {
    const runs = (): number =>
      servers.flatMap(({ log }) => log()).filter(({ event, job }) => event === "maintenance" && job === "expire")
        .length;
    const before = runs();
    await expect.poll(runs).toBeGreaterThan(before + 2);
    // Each second one; of two servers that each ran it, it would be twice as many.
    expect(runs()).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 1_000));
    for (const { log } of servers) expect(log().map(({ event }) => event)).not.toContain("maintenance failed");
  });

  test("neither logs the connection string", () => {
    const { password } = new URL(database.connectionString);
    for (const server of servers) expect(server.logText()).not.toContain(password);
  });
});
