import type { LoggedSession } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dailyLog, isDailyLog } from "../../src/index.ts";
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
      const log = dailyLog("2026-09-21", sessions);
      expect(isDailyLog(log)).toBe(log !== "");
      const lines = log.split(/[\r\n\u2028\u2029]/);
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

test("a day may have 23 hours, or 25", () => {
  const hour = 3_600_000;
  const daysOf = (from: number): Record<string, string> => {
    const turns = Array.from({ length: 72 }, (_, index) => from + index * hour);
    const dates = [0, 1, 2, 3].map((back) => new Date(from + back * 24 * hour).toISOString().slice(0, 10));
    const sessions = [{ id: "s1", title: "All night", turns, captured: [] }];
    return Object.fromEntries(dates.map((date) => [date, dailyLog(date, sessions, "Europe/Berlin")]));
  };
  // Clocks go forward at 02:00 on 29 March, and back at 03:00 on 25 October.
  expect(daysOf(Date.UTC(2026, 2, 27, 23))).toEqual({
    "2026-03-27": "",
    "2026-03-28": "- 00:00–23:00 All night: 24 turns\n",
    "2026-03-29": "- 00:00–23:00 All night: 23 turns\n",
    "2026-03-30": "- 00:00–23:00 All night: 24 turns\n",
  });
  expect(daysOf(Date.UTC(2026, 9, 23, 22))).toEqual({
    "2026-10-23": "",
    "2026-10-24": "- 00:00–23:00 All night: 24 turns\n",
    "2026-10-25": "- 00:00–23:00 All night: 25 turns\n",
    "2026-10-26": "- 00:00–22:00 All night: 23 turns\n",
  });
});

test("which day a turn was on is what its clock on the wall showed, in any zone and year", () => {
  const zones = [
    "Europe/Berlin",
    "America/Havana",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Apia",
    "Africa/Cairo",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2030, 0, 1) }),
      fc.integer({ min: -129_600_000, max: 129_600_000 }),
      (timeZone, at, apart) => {
        const dateOf = (instant: number): string =>
          new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(instant);
        const other = at + apart;
        const sessions = [{ id: "s1", turns: [at, other], captured: [] }];
        const turns = dateOf(at) === dateOf(other) ? "2 turns" : "1 turn";
        expect(dailyLog(dateOf(at), sessions, timeZone)).toMatch(new RegExp(`: ${turns}\n$`));
      },
    ),
    { numRuns: propertyRuns(300) },
  );
});

test.each([
  ["", false],
  ["- 09:00 Ferries: 2 turns\n", true],
  ["- 09:00–10:30 Ferries: 1 turn\n  - [fact] It rains.\n- 11:00 s-2: 99999 turns\n", true],
  ["- 09:00 Ferries: 2 turns", false],
  ["  - [fact] It rains.\n", false],
  ["- 09:00 Went to the market.\n", false],
  ["# Monday\n- 09:00 Ferries: 2 turns\n", false],
  ["- 09:00 Ferries: 2 turns\n\nA good day.\n", false],
])("%j is a log as it is written: %s", (text, isOne) => {
  expect(isDailyLog(text)).toBe(isOne);
});

test("refuses what is no time zone", () => {
  expect(() => dailyLog("2026-09-21", [], "Mars/Olympus")).toThrow(
    expect.objectContaining({ reason: "INVALID_REQUEST" }),
  );
});
