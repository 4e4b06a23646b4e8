import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

/** What is kept of an offer and the answer to it. */
function kept(offer: string, answer: string): readonly (readonly [kind: string, text: string])[] {
  const candidates = capture(turnsOf("user: Who is on the rota?", `assistant: ${offer}`, `user: ${answer}`));
  return candidates.filter(({ decision }) => decision === "ADD").map(({ kind, text }) => [kind, text]);
}

describe("what the assistant offers and the user takes", () => {
  test.each<[offer: string, answer: string, text: string]>([
    [
      "Shall I remind you two days before an invoice of Lederer is due?",
      "yes do. but on whatsapp, mails i don't see",
      "The assistant is to remind the user two days before an invoice of Lederer is due: But on whatsapp, mails the user doesn't see",
    ],
    [
      "Would it help if I drew up an overview of the week every Sunday evening?",
      "That would be great actually. Around seven.",
      "It would help the user if the assistant drew up an overview of the week every Sunday evening: Around seven.",
    ],
    [
      "Shall I warn you whenever the flour falls below 30 kilos?",
      "oh yes, do that",
      "The assistant is to warn the user whenever the flour falls below 30 kilos.",
    ],
    [
      "Shall I ask you about your joints every evening at eight?",
      "Yes please, only make it nine.",
      "The assistant is to ask the user about the user's joints every evening at eight: Only make it nine.",
    ],
    [
      "Sunday at ten is free. Shall I move the lessons there for good?",
      "Yes please.",
      "Sunday at ten is free. The assistant is to move the lessons there for good.",
    ],
    [
      "I could write a script that runs after every merge, want that?",
      "yeah do that. into #perf tho, not #general",
      "The assistant is to write a script that runs after every merge: Into #perf tho, not #general",
    ],
    [
      "And would you like to go on recording yourself every Friday?",
      "Let's make it every other Friday.",
      "The user would like to go on recording themselves every Friday: The team agrees to make it every other Friday.",
    ],
    [
      "Should a pitch without the tick be turned down automatically?",
      "Yes, do.",
      "A pitch without the tick should be turned down automatically.",
    ],
  ])("a rule: %s %s", (offer, answer, text) => expect(kept(offer, answer)).toEqual([["instinct", text]]));

  test.each<[offer: string, answer: string, text: string]>([
    ["Shall I raise the ack wait to 60 seconds?", "go for it", "The assistant is to raise the ack wait to 60 seconds."],
    [
      "Shall I add a test that fails at 6 hours?",
      "make it 2, the dashboard hangs off it",
      "The assistant is to add a test that fails at 6 hours: Make it 2, the dashboard hangs off it",
    ],
  ])("a decision: %s %s", (offer, answer, text) => expect(kept(offer, answer)).toEqual([["semantic", text]]));

  test.each([
    ["Shall I draft the mail?", "yes please"],
    ["Shall I run the release build with flag 3?", "yes"],
    ["Shall I keep all of that?", "Yes please, keep it."],
    ["Shall I warn you every Friday?", "no, leave it"],
    ["Shall I warn you every Friday?", "ooh"],
    ["Shall I warn you every Friday?", "Yes? Why every Friday?"],
    ["Shall I page you every time or use the channel?", "yes"],
    ["Most people check it every Friday.", "yes"],
  ])("is nothing to keep: %s %s", (offer, answer) => expect(kept(offer, answer)).toEqual([]));

  test("rests on both turns", () => {
    const [candidate] = capture(
      turnsOf("assistant: Fine. Shall I warn you every Friday?", "user: Sure. My train is late."),
    );
    expect(candidate?.evidence).toEqual([
      { turn: 2, start: 0, end: 5, quote: "Sure." },
      { turn: 1, start: 6, end: 36, quote: "Shall I warn you every Friday?" },
    ]);
  });

  test("what follows and is told of oneself stands by itself", () => {
    expect(kept("Shall I warn you every Friday?", "Sure. I live in Utrecht.")).toEqual([
      ["instinct", "The assistant is to warn the user every Friday."],
      ["semantic", "The user lives in Utrecht."],
    ]);
  });

  test("what was recalled is offered by nobody", () => {
    const [offer, answer] = turnsOf("assistant: Shall I warn you every Friday?", "user: yes please");
    if (offer === undefined || answer === undefined) throw new Error("Two turns are there.");
    expect(capture([{ ...offer, isRecalled: true }, answer]).filter(({ decision }) => decision !== null)).toEqual([]);
  });

  test("a secret in the offer is in no quote", () => {
    const key = ["AKIA", "Q3EGRWJZ7PLX5M2D"].join("");
    const said = turnsOf(`assistant: Shall I use the key ${key} every time?`, "user: yes please");
    expect(JSON.stringify(capture(said))).not.toContain(key);
  });
});

describe("a thumb up says yes", () => {
  const kept = (...lines: readonly string[]): readonly string[] =>
    capture(turnsOf(...lines))
      .filter(({ state }) => state === "active")
      .map(({ text }) => text);

  test.each([
    [
      "Shall I remind you before every rehearsal?",
      "\u{1f44d}\u{1f3fd}",
      "The assistant is to remind the user before every rehearsal.",
    ],
    ["Is it the Fibre plan at 12 Quay Street?", "\u2705", "Is it the Fibre plan at 12 Quay Street: Yes"],
    ["Do you eat fish?", "\u{1f44e}", "Does the user eat fish: No"],
  ])("%s %s", (asked, answer, text) => expect(kept(`assistant: ${asked}`, `user: ${answer}`)).toEqual([text]));

  test.each([
    ["Shall I draft it?", "\u{1f44d}"],
    ["Here is the draft.", "\u{1f44d}"],
    ["Do you eat fish?", "\u{1f602}"],
  ])("and nothing else: %s %s", (asked, answer) => expect(kept(`assistant: ${asked}`, `user: ${answer}`)).toEqual([]));
});
