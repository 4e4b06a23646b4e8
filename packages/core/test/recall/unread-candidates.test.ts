import type { MemoryId } from "@loci/domain";
import { expect, test } from "vitest";
import type { RecallCandidate } from "../../src/recall/candidate.ts";
import type { TurnPlace } from "../../src/recall/conversation-turns.ts";
import { unreadOf } from "../../src/recall/unread-candidates.ts";

/** Candidates of one conversation, one turn after the other, by whether they are unread. */
function turnsOf(...areUnread: readonly boolean[]): Parameters<typeof unreadOf> {
  const turns = new Map(areUnread.map((_, position) => [position, [position]]));
  const conversation = { turns, isAssisted: false, isAmongPeople: true };
  return [
    areUnread.map((isUnread, index) => ({ isUnread, memory: { id: `m${index}` as MemoryId } }) as RecallCandidate),
    areUnread.map((_, position): TurnPlace => ({ position, role: "person", conversation })),
    true,
  ];
}

test("a score depends on the candidate itself, and on the turns before and after it", () => {
  const of = unreadOf(...turnsOf(true, true, true, true));
  expect([of(0), of(1), of(3)]).toEqual([
    ["m0", "m1"],
    ["m0", "m1", "m2"],
    ["m2", "m3"],
  ]);
});

test("what is read already is none of them, and nobody asks further where all is", () => {
  const of = unreadOf(...turnsOf(true, false, false));
  expect([of(0), of(1), of(2)]).toEqual([["m0"], ["m0"], []]);
  expect(unreadOf(...turnsOf(false, false))(0)).toEqual([]);
});

test("where neighbours add nothing, and of what is no turn, only the candidate itself counts", () => {
  const [candidates, places] = turnsOf(true, true);
  expect(unreadOf(candidates, places, false)(0)).toEqual(["m0"]);
  expect(unreadOf(candidates, [undefined, undefined], true)(1)).toEqual(["m1"]);
});
