import { expect, test } from "vitest";
import { heldAt, type MemoryId } from "../src/index.ts";

const supersededBy = "01900000-0000-7000-8000-000000000001" as MemoryId;

test("a memory holds from its beginning until just before its end", () => {
  expect(heldAt({}, 0)).toBe(true);
  const memory = { validFrom: 10, validTo: 20 };
  expect([9, 10, 19, 20].map((time) => heldAt(memory, time))).toEqual([false, true, true, false]);
});

test("what was replaced held only where it says until when", () => {
  expect(heldAt({ supersededBy }, 0)).toBe(false);
  expect(heldAt({ supersededBy, validFrom: 10 }, 15)).toBe(false);
  expect([9, 19, 20].map((time) => heldAt({ supersededBy, validFrom: 10, validTo: 20 }, time))).toEqual([
    false,
    true,
    false,
  ]);
});
