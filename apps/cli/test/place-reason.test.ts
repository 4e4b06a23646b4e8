import type { Memory, MemoryId } from "@loci/loci";
import { expect, test } from "vitest";
import { placeReason } from "../src/output/place-reason.ts";

/** A hit with a score that was said on a day. */
function hit(score: number, day: number, slot?: string): Parameters<typeof placeReason>[0][number] {
  return { score, memory: { createdAt: day, slot } as Partial<Memory> as Memory };
}

const reasonsOf = (...hits: Parameters<typeof placeReason>[0]): readonly (string | undefined)[] =>
  hits.map((_, place) => placeReason(hits, place));

const none = undefined;

test("hits in the order of their scores need no reason", () => {
  expect(reasonsOf(hit(0.9, 1), hit(0.8, 3), hit(0.8, 5), hit(0.1, 9))).toEqual([none, none, none, none]);
});

test("a newer fact before an older one says so, and what was only passed does not", () => {
  expect(reasonsOf(hit(0.9, 1), hit(0.813, 8), hit(0.821, 3), hit(0.82, 9))).toEqual([
    none,
    "above higher scores: it is newer than 3., which it may have replaced",
    none,
    none,
  ]);
});

test("values of one slot that changed places name each other", () => {
  expect(reasonsOf(hit(0.7, 8, "city"), hit(0.8, 9), hit(0.9, 2, "city"))).toEqual([
    "above higher scores: it is newer than 3., which it may have replaced",
    none,
    none,
  ]);
});

test("where nothing tells which fact it is, it is not guessed", () => {
  expect(reasonsOf(hit(0.7, 8), hit(0.8, 9), hit(0.9, 2))[0]).toBe(
    "above higher scores: it is newer than a fact that it may have replaced",
  );
});

test("what holds in the place of something that a turn says names the turn", () => {
  const id = "019a0000-0000-7000-8000-000000000001" as MemoryId;
  const newer = { score: 0.4, memory: { id, createdAt: 9 } as Memory };
  const turn = { ...hit(0.9, 1), outdated: { since: 9, isInPart: true, replacedBy: [id] } };
  expect(reasonsOf(hit(0.95, 3), newer, turn)).toEqual([none, "above higher scores: it holds instead of 3.", none]);
});
