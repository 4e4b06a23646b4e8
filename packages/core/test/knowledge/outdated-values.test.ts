import type { MemoryRecord, OutdatedMark } from "@loci/domain";
import { expect, test } from "vitest";
import { outdatedValues } from "../../src/index.ts";
import { exampleHit, exampleId } from "../assembly/example-input.ts";

function value(number: number, createdAt: number, fields: Partial<MemoryRecord> = {}): MemoryRecord {
  const { memory } = exampleHit(number, "a value", { createdAt });
  return { ...memory, slot: "theme", ...fields };
}

/** Over as a whole. */
function over(since: number, ...by: readonly number[]): OutdatedMark {
  return { since, isInPart: false, replacedBy: by.map(exampleId) };
}

test("of the values of a slot all but the newest are outdated, since that one holds", () => {
  const values = [value(1, 10), value(2, 30), value(3, 20), value(4, 5, { slot: "editor" })];
  expect(outdatedValues(values)).toEqual(
    new Map([
      [exampleId(1), over(30, 2)],
      [exampleId(3), over(30, 2)],
    ]),
  );
});

test("which is newer is told by since when they hold, or else by when they were said", () => {
  expect(outdatedValues([value(1, 40, { validFrom: 10 }), value(2, 20)])).toEqual(
    new Map([[exampleId(1), over(20, 2)]]),
  );
  expect(outdatedValues([value(1, 20), value(2, 20)]).size).toBe(0);
});

test("all that are the newest are named, each once", () => {
  const values = [value(3, 30), value(1, 10), value(2, 30), value(2, 30)];
  expect(outdatedValues(values)).toEqual(new Map([[exampleId(1), over(30, 2, 3)]]));
});

test("values of another scope or without a slot outdate nothing, nor does one that was captured", () => {
  const other = { kind: "user", id: "bob" } as const;
  expect(outdatedValues([value(1, 10), value(2, 20, { scope: other })]).size).toBe(0);
  expect(outdatedValues([value(1, 10, { slot: undefined }), value(2, 20, { slot: undefined })]).size).toBe(0);
  expect(outdatedValues([value(1, 10), value(2, 20, { origin: "capture" })]).size).toBe(0);
  expect(outdatedValues([value(1, 10, { origin: "capture" }), value(2, 20)])).toEqual(
    new Map([[exampleId(1), over(20, 2)]]),
  );
});
