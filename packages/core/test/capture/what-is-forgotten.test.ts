import type { CaptureCandidate } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { forgetsEverything, toldToBeForgotten } from "../../src/capture/extract/told-to-be-forgotten.ts";
import { captureTurns, withinClosingLimits } from "../../src/capture/index.ts";
import { capture, closed, memory, turnsOf } from "./captured.ts";

const allergy = "The user is allergic to peanuts.";
const job = "The user works at Siemens as a nurse.";

describe("who asks for something to be forgotten has it ended", () => {
  test.each([
    [allergy, "Forget that I'm allergic to peanuts."],
    [allergy, "Please forget that I am allergic to peanuts, I was wrong."],
    [job, "You can forget about my job at Siemens."],
    ["The user prefers tea over coffee.", "Oh, and forget what I said about tea."],
    ["The user has two cats.", "Delete that I have two cats."],
    ["The user has two cats.", "Could you remove my cats from your memory?"],
    ["The user lives in Vienna.", "Please forget where I live."],
    ["The user's sister Clara lives in Ghent.", "Forget my sister Clara."],
    ["The user's phone number is 555-0134", "Please forget my phone number."],
  ])("%s %s", (known, said) => expect(closed(memory("p1", known), `user: ${said}`)).toEqual(["DELETE"]));

  test("also where the two are said in the same words, so that their vectors are the same", () => {
    const turns = turnsOf("user: Forget that I'm allergic to peanuts.");
    const gates = { duplicate: 0.9, related: 0.6 };
    const memories = [memory("p1", allergy)];
    const { candidates } = captureTurns({ turns, scope: "user:ada", memories, cosineOf: () => 0.99, gates });
    expect(candidates.map(({ decision, target }) => [decision, target])).toEqual([["DELETE", "p1"]]);
  });
});

describe("who asks for everything about something has all of it ended", () => {
  const known = [
    "The team uses MySQL 9 for billing.",
    "The billing server is in Frankfurt.",
    "Anna runs billing.",
    "The user likes tea.",
  ].map((text) => memory(text, text));
  const ended = (said: string): readonly (string | null)[] =>
    capture(turnsOf(`user: ${said}`), known).flatMap(({ decision, target }) => (decision === "DELETE" ? [target] : []));

  test.each([
    "Forget everything about billing.",
    "Could you please delete everything you know about billing?",
    "Oh, and forget what I told you about billing.",
    "Remove all about billing from your memory.",
  ])("%s", (said) =>
    expect(ended(said).toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(
      known
        .slice(0, 3)
        .map(({ id }) => id)
        .toSorted((one, other) => String(one).localeCompare(String(other))),
    ),
  );

  test("but of one thing only what is nearest", () => {
    expect(ended("Forget that I like tea.")).toEqual(["The user likes tea."]);
    expect(forgetsEverything("Don't forget everything about billing.")).toBe(false);
    expect(forgetsEverything("Forget everything.")).toBe(false);
  });

  test.each(["Please forget all about my sister Clara.", "Forget my sister Clara."])(
    "and whoever is to be forgotten is not remembered for being named: %s",
    (said) => expect(capture(turnsOf(`user: ${said}`)).filter(({ reason }) => reason === null)).toEqual([]),
  );
});

test.each([
  ["The team uses MySQL 9 for billing.", "Forget that Anna runs billing."],
  ["The user lives in Vienna.", "Forget that I live in Rome."],
])("what says otherwise is not what is to be forgotten: %s %s", (known, said) =>
  expect(closed(memory("p1", known), `user: ${said}`)).toEqual([]),
);

describe("what is taken back of words that an earlier capture has kept is ended", () => {
  const captureAfter = (said: string): readonly (string | null)[] => {
    const turns = turnsOf("user: I'm vegan. I live in Oslo.", "assistant: Noted.", `user: ${said}`);
    const memories = [memory("p1", "The user is vegan."), memory("p2", "The user lives in Oslo.")];
    const gates = { duplicate: 0.9, related: 0.6 };
    const { candidates } = captureTurns({ turns, after: 2, scope: "user:ada", memories, cosineOf: () => 0.4, gates });
    return candidates.flatMap(({ decision, target, text }) =>
      decision === null ? [] : [`${decision} ${target ?? text}`],
    );
  };

  test.each(["Scratch that.", "Forget that!", "No, scrap that.", "Off the record."])("%s", (said) =>
    expect(captureAfter(said)).toEqual(["DELETE p2"]),
  );

  test("and what is said instead takes its place", () => {
    expect(captureAfter("Scratch that, I live in Rome.")).toEqual(["NOOP p2", "UPDATE p2"]);
  });
});

describe("what stands behind words that take something back is remembered", () => {
  test.each([
    "I live in Oslo. Scratch that, I live in Rome.",
    "I live in Oslo. No, scrap that, I live in Rome.",
    "I live in Oslo. Forget that - I live in Rome.",
    "I live in Oslo. Strike that: I live in Rome.",
  ])("%s", (said) => {
    const kept = capture(turnsOf(`user: ${said}`)).filter(({ reason }) => reason === null);
    expect(kept.map(({ text }) => text)).toEqual(["The user lives in Rome."]);
  });

  test.each(["Wait, I live in Rome.", "Correction, I live in Rome."])(
    "without the words that lead to it: %s",
    (said) => {
      expect(capture(turnsOf(`user: ${said}`)).map(({ text }) => text)).toEqual(["The user lives in Rome."]);
    },
  );
});

test.each(["I upgraded to the business plan.", "We downgraded to the free plan."])(
  "the plan of before is over: %s",
  (said) => expect(closed(memory("p1", "The user is on the starter plan."), `user: ${said}`)).toEqual(["UPDATE"]),
);

describe("it is no fact, and ends nothing else", () => {
  test.each([
    "Don't forget that I'm allergic to peanuts.",
    "I always forget that I'm allergic to peanuts.",
    "Forget that I have a cat.",
    "Forget my last question about peanuts.",
    "Delete the peanuts from the shopping list.",
    "Remove the allergic reactions from the records.",
  ])("%s", (said) => expect(closed(memory("p1", allergy), `user: ${said}`)).toEqual([]));

  test("what was said before it is remembered", () => {
    const kept = capture(turnsOf("user: I live in Vienna. Please forget that I'm allergic to peanuts."));
    expect(kept.flatMap(({ reason, text }) => (reason === null ? [text] : []))).toEqual(["The user lives in Vienna."]);
  });

  test.each(["Forget that!", "Forget it.", "Forget that I said that.", "Please forget that I told you."])(
    "%s takes back what was just said, as before",
    (said) => {
      const kept = capture(turnsOf(`user: I live in Vienna. ${said}`));
      expect(kept.filter(({ reason }) => reason === null)).toEqual([]);
      expect(toldToBeForgotten(said)).toBeUndefined();
    },
  );
});

describe("what is one of many things that a memory tells", () => {
  const billing = "The team's billing runs on Stripe in Lyon with three retries on weekdays";

  test("is forgotten with the memory, though an ending of it would leave the rest", () => {
    const [candidate] = capture(turnsOf("user: Forget everything about billing."), [memory("billing", billing)]);
    expect(candidate).toMatchObject({ decision: "DELETE", target: "billing" });
    expect(candidate?.text).not.toContain("(before:");
  });

  test("goes with what was carried along", () => {
    const carrying = `The team moved billing to Adyen (before: ${billing})`;
    const candidates = capture(turnsOf("user: Please forget what I told you about billing."), [
      memory("billing", carrying),
    ]);
    expect(candidates).toMatchObject([{ decision: "DELETE", target: "billing" }]);
  });

  test("stays where its place is to be forgotten, and is no order where a part of it is to stop", () => {
    const home = "The user lives at Hill Street 4 in Gent with two cats, a dog and a hedgehog called Spike";
    expect(closed(memory("home", home), "user: Please forget where I live.")).toEqual([]);
    const mails = "The user gets the gym newsletter, the bakery newsletter and a weekly report by mail";
    expect(capture(turnsOf("user: Please stop the bakery newsletter"), [memory("mails", mails)])).toMatchObject([
      { decision: "UPDATE", text: `The user asked to stop the bakery newsletter (before: ${mails})` },
    ]);
  });
});

test.each([
  "Forget everything about peanuts, said the wizard.",
  "Please forget my peanut allergy, he said.",
  "Forget everything about peanuts, the waiter told me.",
])("what others order is not forgotten: %s", (said) => {
  expect(closed(memory("m", allergy), `user: ${said}`)).toEqual([]);
});

test.each([
  "Forget everything about peanuts, I said.",
  "Forget everything about peanuts, as I said.",
  "Please forget my peanut allergy, like I said.",
  "Forget what I told you about peanuts, please.",
])("what users order is: %s", (said) => {
  expect(closed(memory("m", allergy), `user: ${said}`)).toEqual(["DELETE"]);
});

describe("however much it is", () => {
  const rules = "alpha beta gamma delta omega sigma kappa theta zeta iota rho tau".split(" ");
  const known = rules.map((name) => memory(name, `The invoice rule ${name} applies to billing.`));
  const decided = (said: string): readonly unknown[] =>
    withinClosingLimits(capture(turnsOf(`user: ${said}`), known), known.length).map(({ decision, state }) => [
      decision,
      state,
    ]);

  test("what is asked to be forgotten is forgotten", () => {
    expect(decided("Please forget everything about billing.")).toEqual(rules.map(() => ["DELETE", "active"]));
  });

  test("up to fifty: behind that it waits, and is forgotten by asking once more", () => {
    const first = capture(turnsOf("user: Please forget everything about billing."), known)[0];
    const asked = Array.from({ length: 51 }, (_, target) => ({ ...first, target: `m${target}` })) as CaptureCandidate[];
    const states = withinClosingLimits(asked, 51).map(({ state }) => state);
    expect(states).toEqual([...Array.from({ length: 50 }, () => "active"), "quarantined"]);
  });

  test("what only seems to be over waits", () => {
    const [over] = capture(turnsOf("user: I cancelled Netflix."), [memory("m1", "The user has Netflix.")]);
    const many = rules.map((target) => ({ ...over, target })) as CaptureCandidate[];
    expect(new Set(withinClosingLimits(many, 100).map(({ state }) => state))).toEqual(new Set(["quarantined"]));
  });
});
