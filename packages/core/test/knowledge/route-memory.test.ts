import { readFileSync } from "node:fs";
import { parseScope } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { routeMemory } from "../../src/index.ts";
import { mayBeFollowed, mayStandInSystem } from "../../src/knowledge/standing.ts";

interface RoutingCase {
  readonly name: string;
  readonly in: { readonly category: string; readonly scope: string; readonly isStatic: boolean };
  readonly out: { readonly block: string };
}

const golden = JSON.parse(readFileSync(new URL("../golden/memory-routing.json", import.meta.url), "utf8")) as {
  readonly cases: readonly RoutingCase[];
};

test.each(golden.cases)("golden case $name", ({ in: { category, scope, isStatic }, out }) => {
  expect(routeMemory({ category, scope: parseScope(scope), isStatic }).primary).toBe(out.block);
});

describe("the second section", () => {
  test.each([
    ["preference", "user:u", false, "knowledge"],
    ["preference", "global", false, "knowledge"],
    ["fact", "global", true, "knowledge"],
    ["fact", "global", false, "project"],
    ["entity", "user:u", false, "project"],
    ["decision", "user:u", true, "project"],
    ["procedure", "user:u", false, undefined],
    ["note", "user:u", false, undefined],
    ["recipe", "user:u", true, undefined],
  ])("of a %s in %s (static %s) is %s", (category, scope, isStatic, secondary) => {
    expect(routeMemory({ category, scope: parseScope(scope), isStatic }).secondary).toBe(secondary);
  });
});

test.each([
  ["manual", "trusted", true, true],
  ["correction", "trusted", false, true],
  ["manual", "untrusted", false, false],
  ["correction", "untrusted", false, false],
  ["capture", "trusted", false, false],
  ["post_mortem", "trusted", false, false],
  ["import", "trusted", false, false],
] as const)("%s and %s: system %s, procedures to follow %s", (origin, trust, inSystem, followed) => {
  expect(mayStandInSystem({ origin, trust })).toBe(inSystem);
  expect(mayBeFollowed({ category: "procedure", origin, trust })).toBe(followed);
  expect(mayBeFollowed({ category: "note", origin, trust })).toBe(false);
});

test.each([
  ["capture", "trusted"],
  ["post_mortem", "trusted"],
  ["import", "untrusted"],
] as const)("%s and %s, approved by a person: it may stand in system, and be followed", (origin, trust) => {
  const approved = { origin, trust, approvedBy: "dana" };
  expect(mayStandInSystem(approved)).toBe(true);
  expect(mayBeFollowed({ category: "procedure", ...approved })).toBe(true);
  expect(mayBeFollowed({ category: "note", ...approved })).toBe(false);
});
