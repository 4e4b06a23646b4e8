import { Client, type Connection, Query } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CopiedRow } from "../src/postgres/copied-row.ts";
import { CopiedRows, copyRows } from "../src/postgres/copied-rows.ts";
import { refNumber } from "./samples.ts";
import { onceFree, TestServer } from "./test-store.ts";

const rows = `SELECT * FROM (VALUES
  ('${refNumber(1)}'::uuid, -5, 9007199254740991::bigint, true, 'ä€𝄞', ARRAY['b', 'ä€𝄞', ''], ARRAY[1, -2, 3], '\\x0a0b0c'::bytea),
  ('${refNumber(2)}'::uuid, 7, -1::bigint, false, '', '{}'::text[], '{}'::int[], NULL)) AS row`;
const expected = [
  [refNumber(1), -5, 9_007_199_254_740_991, true, "ä€𝄞", ["b", "ä€𝄞", ""], [1, -2, 3], "0b0c"],
  [refNumber(2), 7, -1, false, "", [], [], null],
];

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await TestServer.start();
  client = await onceFree(async () => {
    const made = new Client({ connectionString: server.database.connectionString });
    await made.connect();
    return made;
  });
});
afterAll(async () => {
  await client.end();
  await server.database.drop();
});

function read(row: CopiedRow): unknown {
  const bytes = Buffer.alloc(2);
  if (!row.isNull(7)) row.copyTo(bytes, 7, 1);
  const numbers = row.numbers(6, new Int32Array(1)).slice(0, row.texts(5).length);
  const last = row.isNull(7) ? null : bytes.toString("hex");
  return [row.ref(0), row.number(1), row.number(2), row.isTrue(3), row.text(4), row.texts(5), [...numbers], last];
}

test("rows are read in their binary form", async () => {
  const found: unknown[] = [];
  await copyRows(client, rows, (row) => found.push(read(row)));
  expect(found).toEqual(expected);
});

test("rows are the same however what comes is cut", async () => {
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const query = new Query({ text: `COPY (${rows}) TO STDOUT (FORMAT binary)` }, (error: Error | null | undefined) =>
      error === null || error === undefined ? resolve() : reject(error),
    );
    Object.assign(query, { handleCopyData: ({ chunk }: { chunk: Buffer }) => pieces.push(Buffer.from(chunk)) });
    client.query(query as unknown as { submit: (connection: Connection) => void });
  });
  const all = Buffer.concat(pieces);
  for (let size = 1; size <= all.length; size++) {
    const found: unknown[] = [];
    const copied = new CopiedRows((row) => found.push(read(row)));
    for (let start = 0; start < all.length; start += size) copied.add(all.subarray(start, start + size));
    expect(found).toEqual(expected);
  }
});

test("what is thrown for a row fails the whole, and the connection goes on", async () => {
  let taken = 0;
  const failing = copyRows(client, "SELECT generate_series(1, 1000)", () => {
    taken++;
    throw new Error("No room.");
  });
  await expect(failing).rejects.toThrow("No room.");
  expect(taken).toBe(1);
  await expect(copyRows(client, "SELECT 1 / 0", () => undefined)).rejects.toThrow("division by zero");
  await expect(copyRows(client, "SELECT NULL::int", (row) => void row.number(0))).rejects.toThrow("Column 0");
  expect((await client.query<{ one: number }>("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});
