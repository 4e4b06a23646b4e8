import { describe, expect, test } from "vitest";
import { agreementOf, Claimant } from "../../src/recall/same-claim.ts";
import { processorTime } from "../processor-time.ts";

function agreement(left: string, right: string, slots: readonly (string | undefined)[] = []): string {
  const [slot, other] = slots;
  const one = new Claimant({ text: left, ...(slot === undefined ? {} : { slot }) });
  const two = new Claimant({ text: right, ...(other === undefined ? {} : { slot: other }) });
  const found = agreementOf(one, two);
  expect(agreementOf(two, one)).toBe(found);
  return found;
}

describe("the same claim", () => {
  test.each([
    ["The team deploys on Mondays.", "the team deploys on Mondays"],
    ["We deploy on Monday.", "On Monday we deploy."],
    ["A server runs PostgreSQL 17.", "The server runs PostgreSQL 17!"],
    ["Don't deploy on Fridays", "Do not deploy on Fridays."],
    ["It's the ledger's file.", "It is the ledger file"],
    ["Ada likes red, green and blue.", "Ada likes red, green, blue"],
    ["Die Straße ist groß.", "die Straße ist groß"],
  ])("%s – %s", (left, right) => {
    expect(agreement(left, right)).toBe("same");
  });
});

describe("a contradiction", () => {
  test.each([
    ["I am allergic to peanuts.", "I am not allergic to peanuts."],
    ["I'm allergic to peanuts.", "I am not allergic to peanuts."],
    ["Interns may deploy.", "Interns may not deploy."],
    ["He likes tea.", "He doesn't like tea."],
    ["Always deploy on Friday.", "Never deploy on Friday."],
    ["You can deploy.", "You must deploy."],
    ["The ticket costs 20 euros.", "The ticket costs 25 euros."],
    ["The ticket costs 20 $.", "The ticket costs 20 €."],
    ["It is -5 degrees in Oslo.", "It is 5 degrees in Oslo."],
    ["The meeting is at 3 pm.", "The meeting is at 5 pm."],
    ["The deploy day is Monday.", "The deploy day is Wednesday."],
    ["The theme is dark.", "The theme is light."],
    ["Her name is Ann", "Her name is Anna Berg"],
  ])("%s – %s", (left, right) => {
    expect(agreement(left, right)).toBe("contradicts");
  });
});

describe("two claims", () => {
  test.each([
    ["Server a1 is at 10.0.0.1.", "Server a2 is at 10.0.0.2."],
    ["Monday's stand-up: Ann, at 9:00.", "Tuesday's stand-up: Ben, at 9:15."],
    ["Ann likes tea.", "Ben likes tea."],
    ["Ann reports to Ben.", "Ben reports to Ann."],
    ["Prefer tabs to spaces.", "Prefer spaces to tabs."],
    ["Tabs over spaces", "Spaces over tabs"],
    ["Fly from Oslo to Rome.", "Fly from Rome to Oslo."],
    ["We deploy on Monday.", "We deploy on Monday morning."],
    ["We can deploy on Friday.", "Can we deploy on Friday?"],
    ["It works 👍", "It works 👎"],
    ["Call the US team", "Call us, team"],
    ["She lived in Rome.", "She lives in Rome."],
  ])("%s – %s", (left, right) => {
    expect(agreement(left, right)).not.toBe("same");
  });

  test("of different subjects may both hold", () => {
    expect(agreement("Ann likes tea.", "Ben likes tea.")).toBe("different");
    expect(agreement("Server a1 is at 10.0.0.1.", "Server a2 is at 10.0.0.2.")).toBe("different");
  });
});

test("slots decide: two values of one contradict, of two they may both hold", () => {
  expect(agreement("It is dark.", "Ada now wants it light.", ["theme", "theme"])).toBe("contradicts");
  expect(agreement("Monday", "Monday", ["deploy day", "review day"])).toBe("different");
  expect(agreement("Monday", "Monday", ["deploy day", "deploy day"])).toBe("same");
  expect(agreement("Monday", "monday.", ["deploy day", undefined])).toBe("same");
});

test("takes time linear in the length, whatever the text", () => {
  for (const piece of ["a-", "' ", "\u0301", "? x", "-1 ", "no ", '"', "𝒜"]) {
    const text = piece.repeat(60_000 / piece.length);
    const used = processorTime(() => agreement(text, `${text} end`));
    expect(used).toBeLessThan(1_000);
  }
});
