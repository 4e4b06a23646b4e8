import { describe, expect, test } from "vitest";
import { shownParts, shownText } from "../src/page/text/shown-parts.ts";
import { shownAge } from "../src/page/text/times.ts";
import { wordDifferences } from "../src/page/text/word-differences.ts";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CaptureCandidateSchema, ScopeMemoriesSchema } from "@loci/api-web";
import { chosenScopes } from "../src/page/state/chosen-scopes.ts";
import { compareRuns } from "../src/page/views/captures/compared-runs.ts";
import { reasonHelp, reasonWords } from "../src/page/text/reason-words.ts";
import { readScope, scopeText } from "../src/page/text/scopes.ts";

test.each([
  ["\u202egnp.exe", "[U+202E]gnp.exe"],
  ["a\u200bb\u2060c\u00add", "a[U+200B]b[U+2060]c[U+00AD]d"],
  ["\u{e0041}\u{e0042}", "[U+E0041][U+E0042]"],
  ["\u3164", "[U+3164]"],
  ["nul\0 and \u001b[31m", "nul[U+0000] and [U+001B][31m"],
  ["line\u2028break", "line[U+2028]break"],
  ["kept:\n\tlines", "kept:\n\tlines"],
])("nothing in %j is hidden", (text, shown) => {
  expect(shownText(text)).toBe(shown);
  expect(
    shownParts(text)
      .map(({ text }) => text)
      .join(""),
  ).toBe(shown);
});

test.each(["👩‍👩‍👧‍👦 ❤️", "नमस्ते क्‍ष", "می‌خواهم", "héllo", "e\u0301"])("%s is as people write it", (text) => {
  expect(shownText(text)).toBe(text);
});

test("the words of two texts give both of them back", () => {
  const [before, after] = ["Alice likes the light theme.", "Alice likes the dark theme, mostly."];
  const words = wordDifferences(before, after);
  const without = (kind: string) =>
    words
      .filter((word) => word.kind !== kind)
      .map(({ text }) => text)
      .join("");
  expect([without("added"), without("removed")]).toEqual([before, after]);
  expect(words).toContainEqual({ text: "light", kind: "removed" });
});

test("texts that share nothing are compared in time", () => {
  const one = Array.from({ length: 20_000 }, (_, index) => `a${index}`).join(" ");
  const other = Array.from({ length: 20_000 }, (_, index) => `b${index}`).join(" ");
  expect(wordDifferences(one, other).length).toBeGreaterThan(1);
});

test.each(["user:alice", "global", "project:a:b"])("the scope %s is read as it is written", (text) => {
  expect(scopeText(readScope(text))).toBe(text);
});

test.each(["", "user", "global:x", "constructor:x", "nobody:x"])("%j is no scope", (text) => {
  expect(readScope(text)).toBeUndefined();
});

test("ages are short", () => {
  const now = 1_800_000_000_000;
  expect([0, 59_000, 60_000, 7_200_000, 200 * 86_400_000, -3_600_000].map((age) => shownAge(now - age, now))).toEqual([
    "now",
    "now",
    "1 min",
    "2 h",
    "6 mo",
    "in 1 h",
  ]);
});

test("why something was left out is told in words, with the name that programs get", () => {
  expect(reasonWords("OVER_LIMIT")).toBe("is relevant, but others are better and there is a limit (OVER_LIMIT)");
  expect(reasonHelp("OVER_LIMIT")).toBe("A higher limit brings it.");
  expect(reasonWords("SECTION_FULL")).toContain("found no room");
  expect([reasonWords("OF_A_NEWER_SERVER"), reasonWords("constructor")]).toEqual(["OF_A_NEWER_SERVER", "constructor"]);
});

test("an address names one scope or all; what is no scope is none", () => {
  const all = ["user:alice", "project:billing"].map((name) =>
    create(ScopeMemoriesSchema, { scope: readScope(name) ?? {} }),
  );
  const chosen = (scope: string) => chosenScopes(new URLSearchParams({ scope }), all).map(scopeText);
  expect([chosen(""), chosen("user:alice"), chosen("user:eve"), chosen("<b>")]).toEqual([
    ["user:alice", "project:billing"],
    ["user:alice"],
    ["user:eve"],
    [],
  ]);
});

describe("two runs of the same turns", () => {
  const statement = (start: number, changes: MessageInitShape<typeof CaptureCandidateSchema> = {}) =>
    create(CaptureCandidateSchema, { text: `at ${start}`, evidence: [{ turn: 1, start, end: start + 3 }], ...changes });

  test("are compared statement by statement, in the order in which they were said", () => {
    const kept = [statement(5), statement(9, { decision: "ADD" }), statement(20)];
    const tried = [statement(1), statement(9, { decision: "NOOP" }), statement(5)];
    const places = compareRuns(kept, tried).map(({ kept, tried, isSame }) => [
      kept?.evidence[0]?.start,
      tried?.evidence[0]?.start,
      isSame,
    ]);
    expect(places).toEqual([
      [undefined, 1, false],
      [5, 5, true],
      [9, 9, false],
      [20, undefined, false],
    ]);
  });

  test("say the same where the words of one were erased, and not where they differ", () => {
    expect(compareRuns([statement(1, { text: "" })], [statement(1)])[0]?.isSame).toBe(true);
    expect(compareRuns([statement(1, { text: "other" })], [statement(1)])[0]?.isSame).toBe(false);
    // What is so, and how to behave, may be two statements of the same words.
    expect(compareRuns([statement(1)], [statement(1, { isInstinct: true })])).toHaveLength(2);
  });
});
