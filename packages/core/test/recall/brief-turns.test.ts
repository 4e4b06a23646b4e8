import { describe, expect, test } from "vitest";
import { type RecallHit } from "@loci/domain";
import { rankCandidates } from "../../src/index.ts";
import { briefFactor } from "../../src/recall/brief-turns.ts";
import { rankingOf, type Sketch } from "./candidates.ts";

test("a turn counts more with each word of its own, from a half to all of it", () => {
  expect(briefFactor(1, "Maya")).toBe(0.5);
  expect(briefFactor(2, "Maya Lind")).toBe(0.5);
  expect(briefFactor(4, "Maya")).toBe(0.75);
  expect(briefFactor(7, "Maya")).toBeUndefined();
  expect(briefFactor(3, undefined)).toBe(0.75);
  expect(briefFactor(0, "Maya")).toBe(0.5);
});

describe("ranking turns that say next to nothing", () => {
  type Said = readonly (readonly [speaker: string, content: string])[];
  const turns = (said: Said): readonly Sketch[] =>
    said.map(([speaker, content], index) => ({
      id: index + 1,
      text: `${speaker}: ${content}`,
      cosine: 0.6,
      provenance: { kind: "conversation", sourceId: "conversation:trip", position: index + 1, speaker },
    }));
  const hits = (said: Said): readonly RecallHit[] => rankCandidates(rankingOf("what does Maya owe", turns(said))).hits;
  const roleOf = (found: readonly RecallHit[], content: string): number | undefined =>
    found.find(({ text }) => text.endsWith(content))?.parts.role;

  const paid = "paid the deposit of 100 for the cabin, rest is due on arrival";

  test("among people they stand behind what tells", () => {
    const found = hits([
      ["Maya", "\u{1F631}"],
      ["Tom", "we sit in the van at noon then, bring snacks"],
      ["Maya", paid],
    ]);
    expect(found[0]?.text).toBe(`Maya: ${paid}`);
    expect(roleOf(found, "\u{1F631}")).toBe(0.5);
    expect(roleOf(found, paid)).toBeUndefined();
  });

  test("so they do with an assistant, whose own turns count in full while they are short", () => {
    const found = hits([
      ["Maya", "thanks"],
      ["assistant", "Noted."],
      ["Maya", paid],
    ]);
    const texts = found.map(({ text }) => text);
    expect(texts.indexOf(`Maya: ${paid}`)).toBeLessThan(texts.indexOf("Maya: thanks"));
    expect(roleOf(found, "thanks")).toBeCloseTo(0.5 + 0.5 / 6);
    expect(roleOf(found, "Noted.")).toBe(1);
  });

  test("where nobody else is known to speak a short turn counts in full", () => {
    const found = hits([
      ["Maya", "yes"],
      ["Maya", paid],
    ]);
    expect(found.some(({ text }) => text === "Maya: yes")).toBe(true);
    expect(roleOf(found, "yes")).toBeUndefined();
  });
});
