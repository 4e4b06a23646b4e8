import { describe, expect, test } from "vitest";
import { capture, memory, turnsOf } from "./captured.ts";

const decisionsOn = (known: string, said: string): readonly unknown[] =>
  capture(turnsOf(`user: ${said}`), [memory("m1", known)]).map(({ decision, target }) => [decision, target]);

describe("what began, changed or ended says nothing of what else did", () => {
  test.each([
    ["The user sold the car.", "I sold the house."],
    ["The user quit smoking.", "I quit the choir."],
    ["The user stopped drinking coffee.", "I stopped eating meat."],
    ["The user left the choir.", "I left the book club."],
    ["The user gave up the allotment.", "I gave up sugar."],
    ["The user cancelled the gym.", "I cancelled Netflix."],
    ["The user cancelled that Visa.", "I have to cancel the Seattle flight K7PLQ2."],
    ["The user switched to Vim.", "I switched to oat milk."],
    ["The user started piano lessons.", "I started a blog."],
    ["The user changed the user's hairdresser.", "I changed my phone number."],
    ["The user passed the driving test.", "I passed the bar exam."],
    ["The user no longer eats meat.", "I no longer drink coffee."],
    ["The user doesn't drink coffee anymore.", "I don't drink tea anymore."],
  ])("%s %s", (known, said) => {
    expect(decisionsOn(known, said)).toEqual([["ADD", null]]);
  });

  test.each(["Please cancel ZB4410.", "Cancel the Oslo hotel please."])("nor does an order: %s", (said) => {
    expect(decisionsOn("The user cancelled that Visa.", said)).toEqual([[null, null]]);
  });
});

test("what is over and is told once more is known", () => {
  expect(decisionsOn("The user cancelled Netflix.", "I cancelled my Netflix.")).toEqual([["NOOP", "m1"]]);
});

describe("what is not over still ends", () => {
  test.each([
    ["The user has a Netflix subscription.", "I cancelled Netflix.", "DELETE"],
    ["The gym is closed on Mondays.", "The gym is no longer closed on Mondays.", "DELETE"],
    ["The user doesn't eat meat anymore.", "I eat meat again.", "UPDATE"],
    ["The user left Acme and works at Corvid now.", "I left Corvid.", "UPDATE"],
    ["Works at Norvik.", "I started at Halden in May.", "UPDATE"],
  ])("%s %s", (known, said, decision) => {
    expect(decisionsOn(known, said)).toEqual([[decision, "m1"]]);
  });
});
