import { describe, expect, test } from "vitest";
import { comesEachWeek } from "../../src/capture/extract/weekly-events.ts";
import { capture, memory, turnsOf } from "./captured.ts";

test.each([
  "I run on Saturdays",
  "Bram has swimming lessons on Wednesday",
  "My daughter has ballet class on friday",
  "I teach on Monday and Thursday",
  "Team retro is on Thursday at 3",
  "I'm on Thursday to Saturday nights now",
  "She has been going to a Turkish class on Monday evenings since October",
])("%j is each week", (text) => {
  expect(comesEachWeek(text)).toBe(true);
});

test.each([
  "The wedding is on Saturday",
  "Choir rehearsal is on Friday 12 March",
  "The retro is on Thursday this week",
  "I missed practice on Monday",
  "I'm in Paris on Monday and Tuesday",
  "The class is on the 14th",
  "I'm in Berlin Thursday to Saturday",
])("%j is once", (text) => {
  expect(comesEachWeek(text)).toBe(false);
});

describe("a weekday of every week", () => {
  test("has no date", () => {
    const said = [
      "user: Bram has swimming lessons on Wednesday",
      "user: I teach 3B maths on Monday and Thursday",
      "user: Team retro is on Thursday at 3",
    ];
    expect(capture(turnsOf(...said)).map(({ text, decision }) => [decision, text])).toEqual([
      ["ADD", "Bram has swimming lessons on Wednesday"],
      ["ADD", "The user teaches 3B maths on Monday and Thursday"],
      ["ADD", "Team retro is on Thursday at 3"],
    ]);
  });

  test("is moved to another one of every week, and not until the first of them", () => {
    const [candidate] = capture(turnsOf("user: Noor's hockey moved to Sunday"), [
      memory("hockey", "Noor has hockey practice on Saturdays at 10"),
    ]);
    expect(candidate).toMatchObject({
      decision: "UPDATE",
      text: "Noor's hockey moved to Sunday (before: Noor has hockey practice on Saturdays at 10)",
      validTo: null,
    });
  });

  test("is no day of something that takes place once", () => {
    const [candidate] = capture(turnsOf("user: The picnic moved to Sunday"), [
      memory("picnic", "The picnic is on Saturday (2026-03-28)"),
    ]);
    expect(candidate?.text).toContain("Sunday (2026-03-29)");
    expect(candidate?.validTo).not.toBeNull();
  });
});
