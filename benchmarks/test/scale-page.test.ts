import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LoadReport } from "../src/load/load-report.ts";
import type { MeasuredConfiguration } from "../src/load/measure-configuration.ts";
import { inWords, limitsOf, scaledMix } from "../src/load/scale/scale-limits.ts";
import { scalePage } from "../src/load/scale/scale-page.ts";

const report = JSON.parse(readFileSync(join(import.meta.dirname, "../data/load.json"), "utf8")) as LoadReport;

/** The words of a page: how wide its columns and lines are is the formatter's business. */
function wordsOf(markdown: string): string {
  return markdown.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ").trim();
}

test("the guide says what the figures in the repository say", () => {
  const page = join(import.meta.dirname, "../../docs/guides/from-one-machine-to-a-billion-memories.md");
  expect(wordsOf(readFileSync(page, "utf8")), "run npm run scale").toBe(wordsOf(scalePage(report)));
});

test("the figures are of servers that answered what they were asked", () => {
  expect(report.configurations.map(({ configuration }) => configuration.name)).toEqual(
    expect.arrayContaining(["sqlite", "postgres", "postgres-2"]),
  );
  for (const { kinds, fill } of report.configurations) {
    expect(Object.keys(kinds)).toEqual(["recall", "assemble", "remember", "update", "turn"]);
    for (const cost of Object.values(kinds)) expect(cost.calls).toBeGreaterThan(30);
    expect(fill.bytes).toBeGreaterThan(256);
  }
});

const measured: MeasuredConfiguration = {
  configuration: { name: "made-up", description: "made up", servers: 1, ledger: "postgres" },
  fill: { memories: 1_000, bytes: 4_000, servers: 1, database: 1, tables: [] },
  kinds: {
    recall: { calls: 100, servers: 10, database: 20, statements: 6, transactions: 1, syncs: 0 },
    remember: { calls: 100, servers: 5, database: 5, statements: 10, transactions: 2, syncs: 2 },
  },
  mixed: { steps: [] },
};

test("a mix is multiplied by its shares", () => {
  expect(scaledMix(measured, { recall: 2, remember: 1 }, 1_000)).toEqual({
    callsPerSecond: 1_500,
    serverCores: 12.5,
    databaseCores: 22.5,
    statementsPerSecond: 11_000,
    syncsPerSecond: 1_000,
  });
});

test("what gives way first stands first", () => {
  const limits = limitsOf(measured, { recall: 2, remember: 1 });
  expect(limits.map(({ share }) => share)).toEqual(limits.map(({ share }) => share).toSorted((a, b) => a - b));
  expect(limits[0]).toEqual({
    what: "one core for a server, recalls alone",
    reached: "50 recalls a second",
    share: 0.05,
  });
  expect(limits.find(({ what }) => what.startsWith("a disk of"))?.reached).toBe("4 billion memories");
});

test("numbers are said in words", () => {
  expect([0.123, 12.34, 1_234.5, 4_230_000, 15_700_000_000].map(inWords)).toEqual([
    "0.12",
    "12.3",
    "1,230",
    "4.2 million",
    "16 billion",
  ]);
});
