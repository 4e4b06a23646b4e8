import { expect, test, vi } from "vitest";
import { isLookedThroughAtOnce, pacedDetection } from "../src/validation/paced-detection.ts";

test.each([
  { lengths: [8_192], atOnce: true },
  { lengths: [8_193], atOnce: false },
  { lengths: [4_000, 4_000, 100], atOnce: true },
  { lengths: Array.from({ length: 5 }, () => 4_000), atOnce: false },
])("texts of $lengths units are looked through at once: $atOnce", async ({ lengths, atOnce }) => {
  const texts = lengths.map((length) => "Code 4111 1111. ".repeat(length).slice(0, length));
  const turn = vi.fn<() => undefined>();
  const find = pacedDetection(turn);
  for (const text of texts) await find(text);
  expect(isLookedThroughAtOnce(texts)).toBe(atOnce);
  expect(turn.mock.calls.length === 0).toBe(atOnce);
});
