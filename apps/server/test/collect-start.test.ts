import { getHeapSpaceStatistics } from "node:v8";
import { expect, test } from "vitest";
import { collectStart } from "../src/collect-start.ts";

/** What V8 has taken for new objects, in bytes. */
function roomForNewObjects(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return space?.space_size ?? Number.NaN;
}

/** Keeps what it makes until it is done, as a start does. */
function fillRoom(): number {
  const kept: object[] = [];
  for (let count = 0; count < 1_000_000; count++) kept.push({ count, text: `made ${count}` });
  return kept.length;
}

test("the room for new objects that a start has filled is given back", async () => {
  expect(fillRoom()).toBe(1_000_000);
  const before = roomForNewObjects();
  expect(before).toBeGreaterThan(8 * 2 ** 20);
  await collectStart();
  expect(roomForNewObjects()).toBeLessThan(before / 4);
});
