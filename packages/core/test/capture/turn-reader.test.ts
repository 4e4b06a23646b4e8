import { expect, test } from "vitest";
import { turnReader } from "../../src/capture/extract/turn-reader.ts";

test("what stands at one place of a turn is read once, and at another place again", () => {
  const turn = "I live in Utrecht. I live in Utrecht.";
  const read = turnReader(turn);
  const first = { text: turn.slice(0, 18), start: 0, end: 18 };
  const again = { text: turn.slice(19), start: 19, end: 37 };
  expect(read({ ...first })).toBe(read(first));
  expect(read(again)).not.toBe(read(first));
  expect(read(again).sentence).toBe(again);
});
