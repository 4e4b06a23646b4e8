import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { memoryId } from "@loci/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TenantIndex } from "../src/segments/tenant-index.ts";
import { textKind } from "../src/text/text-kind.ts";
import type { TextTenantIndex } from "../src/worker/search-texts.ts";

const rowsPerSegment = 200;
let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "embedded-")), "index");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dirname(directory), { recursive: true, force: true });
});

function open(): TextTenantIndex {
  return new TenantIndex(directory, textKind, {
    maxHeadRows: rowsPerSegment,
    reportProblem: (problem) => {
      throw problem;
    },
  });
}

test("an index that was closed while it had segments to merge goes on when it has been open for a while", async () => {
  const before = open();
  for (let segment = 1; segment <= 2; segment++) {
    const changes = Array.from({ length: rowsPerSegment }, (_, row) => ({
      ref: memoryId(`00000000-0000-7000-800${segment}-${row.toString(16).padStart(12, "0")}`),
      version: 1,
      scope: "global" as const,
      fields: {},
      content: { terms: new Map([["word", 1]]), length: 1 },
    }));
    await before.apply(changes, segment * rowsPerSegment);
    while (before.segments.length < segment) await setImmediate();
  }
  await before.close();

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const short = open();
  vi.advanceTimersByTime(1_000);
  expect(short.isIdle).toBe(true);
  expect(short.segments.length).toBe(2);
  await short.close();
  // Closed in time: nothing is begun any more.
  vi.advanceTimersByTime(10_000);
  expect(short.isIdle).toBe(true);

  const long = open();
  vi.advanceTimersByTime(10_000);
  while (!long.isIdle) await setImmediate();
  expect(long.segments.map(({ liveRows }) => liveRows)).toEqual([2 * rowsPerSegment]);
  await long.close();
});
