import { expect, test } from "vitest";
import type { CallFigure } from "../src/measure/measure-calls.ts";
import { measureInTurns } from "../src/measure/measure-calls.ts";
import { storesSection } from "../src/stores/stores-section.ts";
import { formatStores } from "../src/stores/stores-table.ts";
import type { StoreFigures, StoresReport } from "../src/stores/store-figures.ts";

const calls = (time: number, server?: number): CallFigure => {
  const spread = { minimum: time, p50: time, p99: time };
  const own = { cpu: spread, wall: spread, calls: 1 };
  return server === undefined ? own : { ...own, server: { minimum: server, p50: server, p99: server } };
};

function figures(store: StoreFigures["store"], further: Partial<StoreFigures["search"]>): StoreFigures {
  return {
    store,
    fill: {
      ingest: { perSecond: 4321, perCpuSecond: 8765 },
      vectors: { perSecond: 5432, perCpuSecond: 9876 },
      maintainSeconds: 1,
      disk: 1e6,
    },
    search: {
      capabilities: {
        similarity: "exact",
        filterOperators: ["equals"],
        visibility: "immediate",
        durable: true,
        maxDimensions: 2000,
        maxLimit: 100,
      },
      memory: 10,
      candidates: calls(777),
      broad: calls(1),
      agreement: 1,
      broadAgreement: 0.99,
      update: calls(1),
      ...further,
    },
    load: [1, 2],
  };
}

const report = (...stores: readonly StoreFigures[]): StoresReport => ({
  time: "2026-01-01T00:00:00.000Z",
  processor: "a processor",
  cores: 2,
  node: "24.0.0",
  rows: 1000,
  dimensions: 256,
  stores,
});

test("the overhead counts the CPU time of both processes, and is held to 15%", () => {
  const table = formatStores(
    report(
      figures("pgvector", { overhead: { bare: calls(1, 9), ours: calls(2, 9.5), exact: calls(3, 10) } }),
      figures("lancedb", { overhead: { bare: calls(10), ours: calls(12), exact: calls(10) } }),
    ),
  );
  expect(table).toContain("10.0 ms → 11.5 ms: +15%, met");
  expect(table).toContain("10.0 ms → 12.0 ms: +20%, missed");
  expect(table).toContain(
    "| the same with exact cosines | 10.0 ms → 13.0 ms: +30%, missed | 10.0 ms → 10.0 ms: +0%, met |",
  );
});

test("of Pinecone only what it was asked is told: an emulator's times say nothing about it", () => {
  const traffic = { requests: 1, sentBytes: 2000, receivedBytes: 3000 };
  const emulated = report(figures("pinecone", { traffic: { search: traffic, update: traffic } }));
  for (const text of [formatStores(emulated), storesSection(emulated)]) {
    expect(text).not.toMatch(/777 ms|4,321|5,432/u);
    expect(text).toContain("1.00 / 2.00 kB / 3.00 kB");
  }
  expect(formatStores(report(figures("embedded", {})))).toMatch(/777 ms[^]*99\.0%/u);
});

test("calls in turns see the same numbers in the same order, each measured by itself", async () => {
  const seen: string[] = [];
  let serverTime = 0;
  const measured = await measureInTurns(
    [1, 2],
    [(number) => seen.push(`a${number}`), (number) => (serverTime += seen.push(`b${number}`))],
    () => serverTime,
  );
  expect(seen).toEqual(["a1", "b1", "a2", "b2"]);
  expect(measured.map(({ server }) => server?.minimum)).toEqual([0, 2]);
});
