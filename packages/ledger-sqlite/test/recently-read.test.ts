import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { RecentlyRead } from "../src/recently-read.ts";
import { batchOf, hashOfMemory, refNumber, sampleBatch, sampleMemory, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

test("values that are asked for stay; all together never weigh more than allowed", () => {
  const values = new RecentlyRead<string, number>(100, () => 1);
  values.set("a", "wanted", -1);
  for (let number = 0; number < 1000; number++) {
    values.set(`owner ${number % 3}`, `${number}`, number);
    if (number % 20 === 0) values.get("a", "wanted");
  }
  expect(values.get("a", "wanted")).toBe(-1);
  const left = Array.from({ length: 1000 }, (_, number) => values.get(`owner ${number % 3}`, `${number}`)).filter(
    (found) => found !== undefined,
  );
  expect(left.length).toBeGreaterThan(40);
  expect(left.length).toBeLessThanOrEqual(100);
  values.clear();
  expect(values.get("a", "wanted")).toBeUndefined();
});

test("what is deleted is gone, and weighs nothing any more", () => {
  const values = new RecentlyRead<string, number>(10, (value) => value);
  values.set("a", "kept", 1);
  for (let time = 0; time < 100; time++) {
    values.set("a", "changing", 3);
    values.delete("a", "changing");
    values.delete("b", "kept");
    expect(values.get("a", "changing")).toBeUndefined();
  }
  values.set("b", "heavy", 4);
  values.set("b", "next", 1);
  expect(values.get("a", "kept")).toBe(1);
  values.delete("a", "kept");
  expect([values.get("a", "kept"), values.get("b", "heavy"), values.get("b", "next")]).toEqual([undefined, 4, 1]);
});

test("vectors of any bytes come back the same, however often they are read", async () => {
  const ledger = await openSqliteLedger({ directory });
  const bytes = Uint8Array.from({ length: 4 * 1536 }, (_, at) => (at < 600 ? 0 : at < 1800 ? 255 : (at * 7) % 256));
  const vectors = [new Float32Array(bytes.buffer, 0, 768), new Float32Array(bytes.buffer, 3072, 768)] as const;
  const batch = sampleBatch([sampleMemory(1)], [1]);
  await ledger.commit({ ...batch, embeddings: [{ space, contentHash: hashOfMemory(1), vectors }] });
  for (let time = 0; time < 3; time++) {
    const found = (await ledger.embeddings(tenant, space, [hashOfMemory(1)])).get(hashOfMemory(1)) ?? [];
    const read = found.map((vector) => [...new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)]);
    expect(read).toEqual([[...bytes.subarray(0, 3072)], [...bytes.subarray(3072)]]);
  }
  await ledger.close();
});

test("what was read before is not what is read after a change, its use or a purge", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2));
  const refs = [refNumber(1), refNumber(2)];
  const read = async (): Promise<unknown> =>
    [...(await ledger.memories(tenant, refs)).values()].map(({ memory, usage }) => [memory.text, usage.accessCount]);
  for (let time = 0; time < 2; time++)
    expect(await read()).toEqual([
      ["memory 1", 0],
      ["memory 2", 0],
    ]);
  await ledger.commit(sampleBatch([sampleMemory(1, { version: 2, text: "changed" })], [3]));
  await ledger.recordUsage(tenant, [{ ref: refNumber(2), at: 9 }]);
  expect(await read()).toEqual([
    ["changed", 0],
    ["memory 2", 1],
  ]);
  expect((await ledger.embeddings(tenant, space, [hashOfMemory(2)])).size).toBe(1);
  await ledger.purge(tenant, { refs: [refNumber(2)] });
  expect((await ledger.embeddings(tenant, space, [hashOfMemory(2)])).size).toBe(0);
  const stored = await ledger.memories(tenant, refs);
  expect(stored.get(refNumber(2))?.memory.text).not.toBe("memory 2");
  await ledger.close();
});
