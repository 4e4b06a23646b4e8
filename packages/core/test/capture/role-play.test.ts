import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { playedTurns, withoutPlay } from "../../src/capture/extract/role-play.ts";
import { capture, turnsOf } from "./captured.ts";

const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines))
    .filter(({ state }) => state === "active")
    .map(({ text }) => text);

/** The numbers of the turns that are played. */
const playedIn = (...lines: readonly string[]): readonly number[] =>
  [...playedTurns(turnsOf(...lines)).keys()].map(({ turn }) => turn);

describe("who plays somebody tells nothing of oneself", () => {
  const proposal =
    "user: I study for IELTS. Let's role play. I am a patient and I smoke 20 cigarettes a day. You are the nurse";

  test("from where the play is proposed up to where it is called off", () => {
    expect(
      kept(
        proposal,
        "assistant: Good evening. When did the pain start?",
        "user: since my husband died I live alone in Ghent",
        "assistant: I am sorry to hear that.",
        "user: stop role play. I work night shifts in Daehan hospital",
      ),
    ).toEqual(["The user studies for IELTS.", "The user works night shifts in Daehan hospital"]);
  });

  test("but what stands in brackets is said besides, and no offer in it is taken", () => {
    expect(
      kept(
        proposal,
        "assistant: Shall I bring you a cushion every evening?",
        "user: Yes, please.",
        "assistant: Here it is.",
        "user: My leg hurts since 2019. (ooc: always correct my articles)",
        "assistant: Understood. Does it hurt here?",
      ),
    ).toEqual(["The user studies for IELTS.", "Always correct the user's articles"]);
  });

  test.each([
    "user: let's do a scene. I am Captain Vane and you are my first mate. Go.",
    "user: wanna role-play? you're the landlord",
    "user: can we do a quick role play, I'm the customer and you are the waiter",
  ])("%s", (line) => expect(playedIn(line, "assistant: Aye!", "user: I was born on a whaler")).toEqual([1, 3]));

  test.each([
    "user: let's do a scene for my novel",
    "user: let's role play an interview, I am the candidate and you are the interviewer",
    "user: you are an expert in taxes and I am a freelancer",
    "user: we could play chess. You are good at it, I am not",
  ])("no play: %s", (line) => expect(playedIn(line, "assistant: Fine.", "user: I was born in Ghent")).toEqual([]));

  test("and who laughs, thanks or asks for something speaks as oneself again", () => {
    for (const line of ["haha nice. I live in Ghent", "ok serious now, I live in Ghent", "thanks! I live in Ghent"])
      expect(playedIn(proposal, "assistant: Good evening.", `user: ${line}`)).toEqual([1]);
  });
});

test("what is left out takes its place", () => {
  const part = fc.constantFrom("(", ")", "ooc: no gore", " Aye. ", "I am a pirate");
  const check = (parts: readonly string[], from: number): void => {
    const text = parts.join("");
    const shown = withoutPlay(text, Math.min(from, text.length));
    expect(shown).toHaveLength(text.length);
    for (let index = 0; index < text.length; index++) expect([" ", text[index]]).toContain(shown[index]);
  };
  fc.assert(fc.property(fc.array(part), fc.nat(40), check));
});
