import fc from "fast-check";
import type { CapturedTurn } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { chosenOption } from "../../src/capture/extract/chosen-options.ts";
import { withoutFiction } from "../../src/capture/extract/without-fiction.ts";
import { withoutPastedLines } from "../../src/capture/extract/without-pasted-lines.ts";
import { capture, outcomes, turnsOf } from "./captured.ts";

/** What is kept of the user's turn, in the order in which it is said. */
const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines))
    .filter(({ state }) => state === "active")
    .map(({ text }) => text);

const asking = (content: string): CapturedTurn => ({ turn: 1, role: "assistant", content, at: 0 });

describe("one of two things is taken by its place or by its name", () => {
  test.each([
    ["Hotels or apartments?", "the latter, w kitchen", "apartments"],
    ["Do you cook with an oven or an air fryer?", "the second!!", "an air fryer"],
    ["Do you prefer CTEs or subqueries?", "the former.", "CTEs"],
    ["ElastiCache or self-hosted? And eu-west-1 as always?", "first one.", "ElastiCache"],
    ["Shall I lower the pool, or put PgBouncer in front?", "the latter", "put PgBouncer in front"],
    ["Instead of pickle, Parquet or msgpack for the cache?", "parquet", "Parquet"],
    ["Do you want amounts in cups or grams?", "g", "grams"],
    ["Which do you like, red wine or white wine?", "the first", "red wine"],
    ["Should it go on your own card or the company card?", "the former", "my own card"],
    ["Manual or automatic?", "2nd", "automatic"],
    ["British or American spelling?", "British", "British"],
  ])("%s %s", (asked, answer, option) => expect(chosenOption(asking(asked), answer)?.option).toBe(option));

  test.each([
    ["Tea or coffee?", "2 kids and a dog"],
    ["Tea or coffee?", "a kettle would be nice"],
    ["Earlier or later?", "the former"],
    ["Shall I write it as prose or as a table?", "the latter"],
    ["Red, green or blue, or none of them?", "the first"],
    ["Do you want it or not?", "the first"],
    ["What is it?", "the former"],
    ["Red wine or white wine?", "wine"],
  ])("nothing is taken: %s %s", (asked, answer) => expect(chosenOption(asking(asked), answer)).toBeUndefined());

  test("and is remembered by what it is", () => {
    const captured = kept(
      "assistant: Noted. Do you prefer CTEs or subqueries?",
      "user: the former.",
      "assistant: Done.",
    );
    expect(captured).toEqual(["Does the user prefer CTEs or subqueries: CTEs."]);
  });

  test.each([
    [
      "For the side project, supabase or firebase?",
      "ok supabase then.",
      "For the side project, supabase or firebase: Supabase then.",
    ],
    ["I'm rewriting our API. Fastify or Hono?", "let's go with hono", "Fastify or Hono: Hono"],
    [
      "should I use Trados or memoQ for Orell?",
      "memoQ then",
      "Should the user use Trados or memoQ for Orell: MemoQ then",
    ],
    ["For auth, Clerk or Auth0?", "clerk it is", "For auth, Clerk or Auth0: Clerk it is"],
  ])("what the user asked about before the assistant answered: %s %s", (asked, answer, remembered) =>
    expect(
      kept(`user: ${asked}`, "assistant: Both are well kept, and the first is simpler.", `user: ${answer}`),
    ).toContain(remembered),
  );

  test.each([
    ["Vegetable or fruit?", "fruit flies are everywhere in my kitchen, help"],
    ["For auth, Clerk or Auth0?", "hm, auth0 keeps logging me out"],
    ["Could I add another layer of insulation or is that silly?", "silly then"],
  ])("which is no answer to it: %s %s", (asked, answer) =>
    expect(kept(`user: ${asked}`, "assistant: That depends.", `user: ${answer}`).join()).not.toContain("or"),
  );

  test("unless it is only for today", () =>
    expect(kept("assistant: Hotel or apartment?", "user: the latter, just for tonight", "assistant: Booked.")).toEqual(
      [],
    ));
});

describe("what always holds is a rule, wherever that is said", () => {
  test.each([
    "Two things: no contractions in letters. Ever.",
    "up and down in separate files pls, always",
    "lowercase keywords, leading commas. every time, our lint fails otherwise",
    "Please write the amounts always with a comma for the cents.",
    'Please avoid words such as "passionate" in anything you draft for me.',
    "oh and font: OpenDyslexic, big, for all his sheets pls",
    "please don't touch lock files by yourself though. ask first",
    "British spelling throughout.",
  ])("%s", (said) =>
    expect(outcomes(capture(turnsOf(`user: ${said}`, "assistant: Understood, I have changed it.")))).toContain(
      "ADD procedure",
    ),
  );

  test("ask first is part of the rule before it", () =>
    expect(kept("user: please don't touch lock files by yourself. ask first", "assistant: Understood.")).toEqual([
      "Please don't touch lock files by yourself. ask first",
    ]));

  test("what somebody always does asks for nothing", () =>
    expect(outcomes(capture(turnsOf("user: I take the stairs, always")))).not.toContain("ADD procedure"));
});

describe("what others wrote, and what is told in a story, is of nobody", () => {
  test.each([
    "Could you assess the fit?\n\n---\nWe offer 30 days of leave and a salary of 92,000. Our office is in Utrecht.\n---",
    "see today's log:\n[00:00:01.004] <inf> modem: RSRP -112\n[00:00:03.501] <wrn> flash: always disable the watchdog",
    'Reviewer 2 of the previous round wrote: "The authors should discard the data of 2019 and turn to Bayesian methods."',
    "write me a scene: I am a pirate called Blackjaw Finn, I have one eye. I hate the sea. They call me Jack.",
    "Write a poem in which I am a sad robot.",
    "Write me a short story where I live on the moon and I never sleep.",
    "Sorry, I meant Tuesday, not Monday.",
    "You are the innkeeper, I am Captain Rusk. I drink nothing but rum.",
    "my neighbour downstairs says he once didn't pay for 3 months",
    "a friend who's a lawyer said some judge in Leeds threw out such a cap",
    "my mom would love sage green",
  ])("%s", (said) => expect(kept(`user: ${said}`)).toEqual([]));

  test("and what is said of oneself behind it is read", () =>
    expect(kept("user: Write a story: I am a pirate. Our printer takes A5 paper.")).toEqual([
      "The team's printer takes A5 paper.",
    ]));

  test("a single rule of dashes divides what is one's own", () => {
    const text = "I live in Oslo.\n---\nI work as a nurse.";
    expect(withoutPastedLines(text)).toBe(text);
  });

  test("of any text as much is left as there was", () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("write me a story: ", "I am x. ", "\n", "---\n"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        expect(withoutFiction(text)).toHaveLength(text.length);
        expect(withoutPastedLines(text)).toHaveLength(text.length);
      }),
    );
  });
});

describe("facts inside of requests, lists and short answers", () => {
  test.each([
    [
      "user: Could you draft a letter to my employer (I am their payroll clerk since January)?",
      "The user is their payroll clerk since January",
    ],
    [
      "user: notes:\n- insulation of wood fibre, 200 mm\n- ceiling height at the ridge 2.18 m",
      "Ceiling height at the ridge 2.18 m",
    ],
    ["user: house rules:\n1. coverage must stay above 85 %\n2. never merge on a Friday", "Never merge on a Friday"],
    ["user: we validate forms by hand in this repo", "The team validates forms by hand in this repo"],
    ["user: we feed the cats twice a day by hand", "The family feeds the cats twice a day by hand"],
    ["user: vegan, all of us", "Vegan, all of the team"],
  ])("%s", (said, text) => expect(kept(said)).toContain(text));

  test.each([
    ["What is the teacher's name?", "Mr Brandt (form tutor of 7C)"],
    ["Which stove do you have?", "hob only"],
    ["The trace shows 18, is that what production runs?", "22."],
  ])("%s %s", (asked, answer) =>
    expect(kept(`assistant: ${asked}`, `user: ${answer}`, "assistant: I see.").length).toBe(1),
  );

  test.each([
    ["How do you feel?", "bloated and annoyed"],
    ["Which tablet did you take?", "none"],
    ["First question: which organelle makes ATP?", "mitochondria"],
  ])("nothing is kept of: %s %s", (asked, answer) =>
    expect(kept(`assistant: ${asked}`, `user: ${answer}`, "assistant: I see.")).toEqual([]),
  );
});
