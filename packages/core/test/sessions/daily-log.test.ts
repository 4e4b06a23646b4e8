import type { LoggedSession } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dailyLog } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { goldenCases } from "./golden.ts";

interface GoldenDay {
  readonly date: string;
  readonly sessions: readonly LoggedSession[];
}

test.each(goldenCases<GoldenDay, { readonly text: string }>("daily-log"))("golden case $name", ({ in: day, out }) => {
  expect(dailyLog(day.date, day.sessions)).toBe(out.text);
});

const noon = Date.UTC(2026, 8, 21, 12);
const anyText = fc.string({ unit: fc.constantFrom("a", " ", "-", "\r", "\n", "\u2028", "\u2029", "é", "[x] ") });
const anySession = fc.record({
  id: fc.string({ minLength: 1, unit: "grapheme" }),
  title: fc.option(anyText),
  turns: fc.array(fc.integer({ min: noon - 86_400_000, max: noon + 86_400_000 }), { maxLength: 5 }),
  captured: fc.array(fc.record({ category: fc.constantFrom("fact", "note"), text: anyText, at: fc.constant(noon) }), {
    maxLength: 3,
  }),
});

test("whatever titles and memories say, each line is one session's or one memory's", () => {
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 5 }), (sessions) => {
      const isThatDay = (at: number): boolean => Math.abs(at - noon + 0.5) < 43_200_000;
      const shown = sessions.filter(({ turns }) => turns.some(isThatDay));
      const lines = dailyLog("2026-09-21", sessions).split(/[\r\n\u2028\u2029]/);
      expect(lines.pop()).toBe("");
      expect(lines.filter((line) => /^- \d\d:\d\d(?:–\d\d:\d\d)? .*: \d+ turns?$/.test(line))).toHaveLength(
        shown.length,
      );
      expect(lines.filter((line) => /^ {2}- \[(?:fact|note)\] /.test(line))).toHaveLength(
        shown.reduce((sum, { captured }) => sum + captured.length, 0),
      );
      expect(lines).toHaveLength(shown.reduce((sum, { captured }) => sum + 1 + captured.length, 0));
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("a day is a day of the time zone", () => {
  const late = Date.UTC(2026, 8, 21, 23, 30);
  const sessions = [{ id: "s1", title: "Late", turns: [late], captured: [] }];
  expect(dailyLog("2026-09-22", sessions, "Europe/Berlin")).toBe("- 01:30 Late: 1 turn\n");
  expect(dailyLog("2026-09-21", sessions, "Europe/Berlin")).toBe("");
});

test("refuses what is no time zone", () => {
  expect(() => dailyLog("2026-09-21", [], "Mars/Olympus")).toThrow(
    expect.objectContaining({ reason: "INVALID_REQUEST" }),
  );
});
