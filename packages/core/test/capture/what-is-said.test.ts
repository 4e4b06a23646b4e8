import type { CapturedTurn } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { capture, memory, outcomes, turnsOf } from "./captured.ts";

describe("what a user says", () => {
  test.each([
    ["I'm a welder at the harbour", "ADD fact"],
    ["please never call before noon", "ADD procedure"],
    ["thanks, and please keep your answers short, I read this on my phone", "ADD procedure"],
    ["I can't run because of my knee, but I like swimming", "ADD preference"],
    ["writing was the worst, only 5.5", "ADD fact"],
    ["we've upgraded EKS to 1.31 last night", "ADD fact"],
    ["he's turning 7 on October 11", "ADD fact"],
    ["I'm writing my PhD thesis on soil microbes", "ADD fact"],
    ["I got promoted to head of sales", "ADD fact"],
    ["we got a puppy last week", "ADD fact"],
    ["I'm dating Sam", "ADD fact"],
    ["my knee is fine again", "ADD fact"],
    ["my router is fine again", "TRANSIENT"],
    ["I'm 34 now", "ADD fact"],
    ["my doctor told me to avoid salt", "ADD fact"],
    ["tomatoes go in the greenhouse", "ADD fact"],
    ["I want to lose 8 kilos before August", "ADD fact"],
    ["I want to cancel my trip before August", "TRANSIENT"],
    ["I sleep 7 and a half hours", "ADD fact"],
    ["I'm back on coffee, one a day", "ADD fact"],
    ["I had a slipped disc in 2022", "ADD fact"],
    ["my mum can't walk far", "ADD fact"],
    ["our passports expire in May", "ADD decision"],
    ["fryer oil is peanut free", "ADD fact"],
    ["big news, I start a new job on Monday", "ADD fact"],
    ["leaving the bank, going to be operations lead at Norden Freight", "ADD fact"],
    ["we upgraded to node 22 over the weekend", "ADD fact"],
    ["we'll raise the budget to 8000", "ADD fact"],
    ["shoulder's all good again", "ADD fact"],
    ["swap 4 and 5", "TRANSIENT"],
    ["please don't call", "ADD procedure"],
    ["never force-push to trunk", "ADD procedure"],
    ["if we ever drop Windows we can kill the self-hosted runner", "HYPOTHETICAL"],
    ["if I took it I'd want a raise to at least 41k", "HYPOTHETICAL"],
    ["we'd get maybe 320k if we sold the house", "HYPOTHETICAL"],
    ["if we got a car it would be simpler but we only have the cargo bike", "ADD preference"],
    ["if I asked for a recipe, I'd like metric units", "ADD preference"],
    ["the kitchen was handed over on 3 March, one day late", "ADD fact"],
    ["one day we want a house in Oslo", "HYPOTHETICAL"],
    ["I'd like to switch to paper bills again", "ADD preference"],
    ["the user ID is already provided", "TRANSIENT"],
    ["what shall I give my daughter Mila?", "QUESTION", "ADD entity"],
    ["I really like long tables", "ADD preference"],
    ["we decided on Svelte for the shop", "ADD decision"],
    ["I've decided to use Netlify instead of Pages", "ADD decision"],
    ["we've set up the app to use 3 workers", "ADD fact"],
    ["we have to use pnpm instead of npm", "ADD procedure"],
    ["use pnpm in the shop", "ADD procedure"],
    ["can you give me an example of how to use Sass?", "QUESTION"],
    ["provide an example of how to use the Chrome DevTools", "TRANSIENT"],
    ["Farah owns the billing module", "ADD entity"],
    ["does it run on Windows?", "QUESTION"],
    ["maybe we try Svelte at some point", "HYPOTHETICAL"],
    ["my colleague says it is slow", "QUOTED"],
    ["I'm waiting for the bus right now", "TRANSIENT"],
    ["thank you so much", "FILLER"],
    ["my token is ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi for the registry", "SECRET"],
  ])("%s: %s", (said, ...expected) => expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual(expected));

  test.each([
    [
      "The quarterly review moved from the 12th to the 19th of May.",
      "The quarterly review moved from the 12th to the 19th of May.",
    ],
    ["Also sign it with my full name, Tomasz Wilk.", "Sign it with the user's full name, Tomasz Wilk."],
    ["I'm freelancing now, mostly data viz.", "The user is freelancing now, mostly data viz."],
    ["Nope, the council accepts 600 tickets at most.", "The council accepts 600 tickets at most."],
    // A part of a clause says nothing without it,
    [
      "I'm trying to finish it and I got feedback from Kim, an old friend, on March 10, but I'm not sure about it",
      "The user got feedback from Kim, an old friend, on March 10",
    ],
    [
      "I'm stuck, and I want to make sure I meet all deadlines, like the scholarship deadline on May 15, and the visa application due June 1",
      "The user wants to make sure the user meets all deadlines, like the scholarship deadline on May 15, and the visa application due June 1",
    ],
    // and a reason does.
    [
      "I'm kinda worried about my final version, especially since Danielle praised the first one on July 30.",
      "Danielle praised the first one on July 30.",
    ],
    ["Closed that account, everything runs through Triodos", "Everything runs through Triodos"],
  ])("%s: is kept", (said, text) => {
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map((candidate) => candidate.text)).toEqual([text]);
  });

  test.each([
    "Please translate this: 'I live in Rome and I don't love cats.'",
    "And it's going to be in the Aarhus office this time, not Copenhagen.",
  ])("%s: is not", (said) => {
    expect(capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision !== null)).toEqual([]);
  });

  test("only the user's own turns are read", () => {
    const turns = turnsOf(
      "assistant: I live in Oslo since May.",
      "tool: The user always wants telemetry on.",
      "user: hm",
    );
    expect(outcomes(capture(turns))).toEqual(["FILLER"]);
  });

  test("recalled text is not captured again", () => {
    const [turn] = turnsOf("user: I live in Oslo since May.");
    expect(capture([{ ...(turn as CapturedTurn), isRecalled: true }])).toEqual([]);
  });

  test("what is said again word for word is one memory that rests on all of the places", () => {
    const said = "user: I'm a welder at the harbour.";
    const [once, ...others] = capture(turnsOf(said, "assistant: Done.", said, "assistant: Done.", said));
    expect(others).toEqual([]);
    expect(once).toMatchObject({ decision: "ADD" });
    expect(once?.evidence.map(({ turn }) => turn)).toEqual([1, 3, 5]);
    const often = capture(turnsOf(...Array.from({ length: 40 }, () => said)));
    expect(often.map(({ evidence }) => evidence.length)).toEqual([8]);
  });

  test("what is known word for word is only evidence", () => {
    const known = [
      memory("a", "The user is a baker at the harbour."),
      memory("b", "The user is a welder at the harbour."),
    ];
    const [candidate] = capture(turnsOf("user: I'm a welder at the harbour."), known);
    expect(candidate).toMatchObject({ decision: "NOOP", target: "b" });
  });

  test("addresses are taken out", () => {
    const [candidate] = capture(
      turnsOf("user: our supplier for paper is Norvik, write to jo@norvik.example for every order"),
    );
    expect(candidate?.text).toContain("[email]");
    expect(JSON.stringify(candidate)).not.toContain("jo@norvik");
  });
});

test.each([
  ["I'm vegan.", true],
  ["I am a strict vegetarian.", true],
  ["I'm allergic to peanuts.", true],
  ["I'm Marta.", true],
  ["I'm Portuguese.", true],
  ["I'm OK with Thursdays.", false],
  ["Call me Ann.", true],
  ["Our new restaurant is vegan.", false],
  ["I have a vegan colleague called Tom.", false],
])("of a fact it is known whether it holds for every answer, %j", (said, isStatic) => {
  const [fact] = capture(turnsOf(`user: ${said}`));
  expect(fact).toMatchObject({ state: "active", isStatic });
});

test.each([
  ["My daughter is allergic to hazelnuts.", 0.85],
  ["I'm lactose intolerant.", 0.85],
  ["My daughter is in the choir of Leeds.", 0.55],
])("what does harm when it is forgotten weighs more, %j", (said, importance) => {
  expect(capture(turnsOf(`user: ${said}`))[0]).toMatchObject({ state: "active", importance });
});
