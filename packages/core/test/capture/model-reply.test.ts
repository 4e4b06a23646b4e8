import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCandidates, readDecisions, replyLimits } from "../../src/capture/model/read-reply.ts";
import { propertyRuns } from "../property-runs.ts";

const candidate = {
  reasoning: "said so",
  category: "fact",
  text: "The user lives in Oslo.",
  slot: "home",
  value: "Oslo",
  tags: ["home"],
  dates: [{ text: "since May", date: "2026-05-01" }],
  evidence: [{ turn: 1, quote: "I live in Oslo" }],
};
const decision = { reasoning: "moved", candidate: 0, decision: "UPDATE", target: 2, confidence: 0.9 };
const { reasoning: _, ...read } = candidate;
const replyOf = (...candidates: readonly object[]): object => ({ candidates });

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

test("a reply of the form is read, without its reasoning", () => {
  expect(readCandidates(replyOf(candidate))).toEqual({ candidates: [read], leftOut: 0 });
  expect(readCandidates({ candidates: [] })).toEqual({ candidates: [], leftOut: 0 });
  expect(readDecisions({ decisions: [decision] })).toEqual([
    { candidate: 0, decision: "UPDATE", target: 2, confidence: 0.9 },
  ]);
});

test("what is wrong with one entry is not held against the others", () => {
  const wrong = { ...candidate, text: "a".repeat(replyLimits.text + 1) };
  expect(readCandidates(replyOf(wrong, candidate, wrong))).toEqual({ candidates: [read], leftOut: 2 });
  const adds = { ...decision, decision: "ADD" };
  expect(readDecisions({ decisions: [adds, decision, {}] })).toHaveLength(1);
});

test("of more entries than were asked for the first are read", () => {
  const numbered = Array.from({ length: 300 }, (_, turn) => ({
    ...candidate,
    evidence: [{ turn: turn + 1, quote: "I live in Oslo" }],
  }));
  const { candidates, leftOut } = readCandidates(replyOf(...numbered)) ?? {};
  expect([candidates?.length, leftOut, candidates?.at(-1)?.evidence[0]?.turn]).toEqual([40, 260, 40]);
});

test("a slot that is empty is none", () => {
  const { candidates } = readCandidates(replyOf({ ...candidate, slot: "", value: "" })) ?? {};
  expect(candidates).toEqual([{ ...read, slot: null, value: null }]);
});

describe("refused is", () => {
  const { slot: _slot, ...withoutSlot } = candidate;
  const { reasoning, ...others } = candidate;
  test.each([
    ["nothing that can be read", undefined],
    ["a field of its own", replyOf({ ...candidate, scope: "user:somebody-else" })],
    ["a field that is missing", replyOf(withoutSlot)],
    ["reasoning that comes last", replyOf({ ...others, reasoning })],
    ["another category", replyOf({ ...candidate, category: "secret" })],
    ["a text too long", replyOf({ ...candidate, text: "a".repeat(replyLimits.text + 1) })],
    ["an empty text", replyOf({ ...candidate, text: "  " })],
    ["no evidence", replyOf({ ...candidate, evidence: [] })],
    [
      "too much evidence",
      replyOf({ ...candidate, evidence: [1, 2, 3, 4, 5].map((turn) => ({ turn, quote: "I live in Oslo" })) }),
    ],
    ["a turn that is no number", replyOf({ ...candidate, evidence: [{ turn: "1", quote: "I live" }] })],
    ["a day that is none", replyOf({ ...candidate, dates: [{ text: "May", date: "2026-13-01" }] })],
    ["half a surrogate pair", replyOf({ ...candidate, text: "The \ud800 of it all" })],
    ["a list", [candidate]],
  ])("%s", (_name, reply) => expect(readCandidates(reply)).toBeUndefined());

  test.each([
    ["a target for ADD", { ...decision, decision: "ADD" }],
    ["none for UPDATE", { ...decision, target: null }],
    ["confidence above 1", { ...decision, confidence: 1.5 }],
    ["an id instead of a number", { ...decision, target: "0190-abc" }],
  ])("a decision with %s", (_name, wrong) => expect(readDecisions({ decisions: [wrong] })).toBeUndefined());
});

test("of replies that were changed anywhere, only valid candidates get through", () => {
  const original = JSON.stringify(replyOf(candidate, { ...candidate, slot: null, value: null, dates: [], tags: [] }));
  const values = fc.oneof(
    fc.constantFrom(null, true, -1, 1e300, "", "x", [], {}, "__proto__"),
    fc.string({ maxLength: 700 }),
  );
  const paths = fc.constantFrom(
    "category",
    "text",
    "slot",
    "value",
    "tags",
    "dates",
    "evidence",
    "reasoning",
    "scope",
    "trust",
    "id",
  );
  const mutated = fc.oneof(
    fc
      .tuple(fc.nat(original.length), fc.nat(12), fc.string({ maxLength: 12 }))
      .map(([at, count, put]) => parsed(original.slice(0, at) + put + original.slice(at + count))),
    fc.tuple(paths, values).map(([path, value]) => replyOf({ ...candidate, [path]: value })),
    fc
      .tuple(paths, values)
      .map(([path, value]) =>
        replyOf({ ...candidate, evidence: [{ turn: 1, quote: "I live in Oslo", [path]: value }] }),
      ),
  );
  let through = 0;
  fc.assert(
    fc.property(mutated, (reply) => {
      for (const each of readCandidates(reply)?.candidates ?? []) {
        through++;
        expect(Object.keys(each).toSorted()).toEqual(Object.keys(read).toSorted());
        expect(["fact", "preference", "decision", "entity", "procedure"]).toContain(each.category);
        expect(each.text.trim()).not.toBe("");
        expect(each.text.length).toBeLessThanOrEqual(replyLimits.text);
        expect([each.tags.length <= 8, each.evidence.length >= 1, each.evidence.length <= 4]).toEqual([
          true,
          true,
          true,
        ]);
        for (const { turn, quote } of each.evidence)
          expect([Number.isInteger(turn), turn >= 1, quote !== ""]).toEqual([true, true, true]);
      }
    }),
    { numRuns: propertyRuns(10_000) },
  );
  expect(through).toBeGreaterThan(0);
});
