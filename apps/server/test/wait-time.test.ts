import { expect, test } from "vitest";
import { waitOf } from "../src/services/wait-time.ts";

test("a wait is a whole number of milliseconds, as timers take them, and never shorter than it was asked for", () => {
  expect(waitOf({ seconds: 4n, nanos: 999_999_000 })).toBe(5_000);
  expect(waitOf({ seconds: 0n, nanos: 1 })).toBe(1);
  expect(waitOf({ seconds: 0n, nanos: 0 })).toBe(0);
});

test("of a wait that is not said there is a default, and one that is too long or negative is refused", () => {
  expect(waitOf(undefined)).toBe(30_000);
  for (const seconds of [-1n, 61n])
    expect(() => waitOf({ seconds, nanos: 0 })).toThrow(expect.objectContaining({ reason: "INVALID_NUMBER" }));
});
