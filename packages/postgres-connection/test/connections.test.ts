import { LociError } from "@loci/domain";
import {
  clientConfiguration,
  connectWithin,
  type FoldedRow,
  foldStatements,
  PreparedStatements,
  Sessions,
  sqlStateOf,
} from "@loci/postgres-connection";
import { openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await openTestDatabase();
  pool = new Pool({ ...clientConfiguration(database.connectionString), max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("folded statements answer each with its own rows and values, and say for whom and where they ran", async () => {
  const client = await pool.connect();
  await client.query("SELECT set_config('loci.tenant', 'acme', false)");
  const numbers =
    "SELECT number, $2::float8 AS exact FROM generate_series(1, $1::integer) AS number ORDER BY number DESC";
  const asked = [
    { text: numbers, values: [2, 0.1 + 0.2] },
    { text: "SELECT 1 AS never WHERE false", values: [] },
    { text: "SELECT $1::text AS own", values: ["it's $2"] },
  ];
  const [row] = (await client.query<FoldedRow>(foldStatements(asked))).rows;
  const { rows } = await client.query<{ process: number }>("SELECT pg_backend_pid() AS process");
  client.release();
  expect(row).toEqual({
    tenant: "acme",
    process: rows[0]?.process,
    rows0: [2, 1].map((number) => ({ number, exact: 0.1 + 0.2 })),
    rows1: [],
    rows2: [{ own: "it's $2" }],
  });
});

test("a call does not wait longer for a connection than it lasts, and what comes later is the next one's", async () => {
  const taken = await pool.connect();
  const over = new AbortController();
  const waiting = connectWithin(pool, [new AbortController().signal, over.signal]);
  const next = connectWithin(pool, []);
  over.abort(new LociError("CANCELLED", { message: "The call is over.", advice: "None." }));
  await expect(waiting).rejects.toThrow("The call is over.");
  await expect(connectWithin(pool, [over.signal])).rejects.toThrow("The call is over.");
  taken.release();
  (await next).release();
  expect(pool.idleCount).toBe(1);
});

test("a connection that comes at the moment a call ends is the call's or goes back, never both", async () => {
  for (let later = 0; later < 8; later++) {
    let givenBack = 0;
    const connecting = Promise.withResolvers<unknown>();
    const poolOfOne = { connect: () => connecting.promise } as unknown as Pool;
    const controller = new AbortController();
    const waiting = connectWithin(poolOfOne, [controller.signal]).then(
      () => "given",
      () => "refused",
    );
    connecting.resolve({ release: () => givenBack++ });
    for (let turn = 0; turn < later; turn++) await Promise.resolve();
    controller.abort(new LociError("CANCELLED", { message: "It is over." }));
    const outcome = await waiting;
    await new Promise(setImmediate);
    expect({ later, outcome, givenBack }).toEqual({ later, outcome, givenBack: outcome === "given" ? 0 : 1 });
  }
});

test("a connection keeps so many statements, whose names follow from their texts, until names are lost on the way", async () => {
  const [one, other] = [new Client(), new Client()];
  const prepared = new PreparedStatements(2);
  const name = prepared.nameOf(one, "SELECT 1");
  if (name !== undefined) prepared.worked(one, "SELECT 1", name);
  expect(prepared.nameOf(one, "SELECT 1")).toBe(name);
  expect(prepared.nameOf(other, "SELECT 1")).toBe(name);
  expect(prepared.nameOf(one, "SELECT 2")).not.toBe(name);
  expect(prepared.nameOf(one, "SELECT 3")).toBeUndefined();
  expect([prepared.failed(new Error("another")), prepared.nameOf(one, "SELECT 1")]).toEqual([false, name]);
  const lost = await refusal("EXECUTE there_is_none");
  expect([prepared.failed(lost), prepared.nameOf(one, "SELECT 1")]).toEqual([true, undefined]);
});

test("a session is set to a tenant until it is forgotten, or sessions turn out to be handed out", () => {
  const client = new Client();
  const sessions = new Sessions();
  sessions.isSet(client, { tenant: "acme" as never, process: 7 });
  const processes = (): unknown => ["acme", "other"].map((tenant) => sessions.processOf(client, tenant as never));
  expect(processes()).toEqual([7, undefined]);
  sessions.forget(client);
  expect(processes()).toEqual([undefined, undefined]);
  sessions.isSet(client, { tenant: "acme" as never, process: 7 });
  sessions.areHandedOut();
  expect([processes(), sessions.areKept]).toEqual([[undefined, undefined], false]);
  expect(new Sessions(false).areKept).toBe(false);
});

test("errors say why PostgreSQL refused, those made from them too, and nothing that was not its own", async () => {
  const refused = await refusal("SELECT 1 / 0");
  expect(sqlStateOf(refused)).toBe("22012");
  const made = new LociError("INTERNAL", { message: "Refused.", advice: "None.", cause: refused });
  expect(sqlStateOf(made)).toBe("22012");
  const others = [
    Object.assign(new Error("gone"), { code: "EPIPE" }),
    new LociError("CLOSED", { message: "Closed.", advice: "None." }),
  ];
  expect(others.map(sqlStateOf)).toEqual([undefined, undefined]);
});

test("what is no connection string is refused without being quoted", () => {
  const attempt = (): unknown => clientConfiguration("postgresql://loci:secret@[::1/loci");
  expect(attempt).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION" }) as Error);
  expect(attempt).not.toThrow(/secret/u);
});

async function refusal(text: string): Promise<unknown> {
  return pool.query(text).then(
    () => undefined,
    (error: unknown) => error,
  );
}
