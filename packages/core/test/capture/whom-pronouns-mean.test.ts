import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines)).flatMap(({ decision, text }) => (decision === "ADD" ? text : []));

describe("whom she and he mean", () => {
  test("who was told of in the turn before, though that itself is not kept", () => {
    expect(
      kept(
        "user: Ines turned 10 yesterday! we got her a guitar",
        "assistant: Lovely.",
        "user: She takes lessons with Mr. Alvarado every Tuesday at 5",
      ),
    ).toEqual(["Ines takes lessons with Mr. Alvarado every Tuesday at 5"]);
  });

  test.each([
    ["My physio Karen says it's runner's knee", "The user's physio Karen wants the user to do clamshells daily"],
    ["My sister moved to Ghent", "The user's sister wants the user to do clamshells daily"],
  ])("%s", (before, after) => {
    expect(kept(`user: ${before}`, "assistant: Okay.", "user: She wants me to do clamshells daily").at(-1)).toBe(after);
  });

  test.each([
    ["nobody of the other sex", "My brother moved to Ghent", "She lives in Leeds since May"],
    ["nobody who is one of several", "My parents moved to Ghent", "She lives in Leeds since May"],
    ["no thing", "Bathroom's done since May", "He lives in Leeds since May"],
    ["nobody whose somebody it is", "My sister's husband moved to Ghent", "She lives in Leeds since May"],
    ["nobody of two", "My sister Ines and her husband moved to Ghent", "She lives in Leeds since May"],
    ["nobody where a name follows", "My sister lives in Ghent", "She has a baby, her name is Wren"],
  ])("%s", (_, before, said) => {
    expect(kept(`user: ${before}`, "assistant: Okay.", `user: ${said}`).at(-1)).toContain(said);
  });

  test.each([
    [
      "Can you write to the nanny that I'm late? her name's Bea, she's off on Wednesdays",
      "The nanny's name's Bea, she's off on Wednesdays",
    ],
    ["Can you call my physio? Her name is Karen Li.", "The user's physio's name is Karen Li."],
  ])("whose name is told: %s", (said, text) => expect(kept(`user: ${said}`).at(-1)).toBe(text));

  test("but not of two", () =>
    expect(kept("user: Can you write to the nanny and my sister? her name's Bea").join(" ")).not.toContain(
      "nanny's name",
    ));

  test("who was named in a request", () =>
    expect(
      kept("user: can you write an agenda for Kemi? she wants to move to the staff track", "assistant: Draft…"),
    ).toEqual(["Kemi wants to move to the staff track"]));

  test("one after the other of the same", () =>
    expect(
      kept(
        "user: My husband Alun has Parkinson's.",
        "assistant: I see.",
        "user: He was an engineer. He likes Welsh choirs.",
      ),
    ).toEqual([
      "The user's husband Alun has Parkinson's.",
      "The user's husband Alun was an engineer. He likes Welsh choirs.",
    ]));

  test.each([
    [
      "need a present for my dad. he's into woodworking and hates gadgets",
      "The user's dad is into woodworking and hates gadgets",
    ],
    ["need a present for my dad and my son. he's into woodworking", undefined],
    ["need a present for my mum. he's into woodworking", undefined],
  ])("of the only one who is mentioned: %s", (said, text) => {
    const found = kept(`user: ${said}`, "assistant: A Japanese saw?").find((each) => each.startsWith("The user's"));
    expect(found).toBe(text);
  });

  test("what is to be kept nowhere gives no name", () => {
    const texts = kept(
      "user: My sister Clara is pregnant, please don't remember that.",
      "assistant: Of course.",
      "user: She lives in Leeds since May",
    );
    expect(texts.join(" ")).not.toContain("Clara");
  });

  test("contractions are written out", () => {
    expect(kept("user: My brother moved to Ghent.", "assistant: Okay.", "user: He's allergic to nuts").at(-1)).toBe(
      "The user's brother is allergic to nuts",
    );
    expect(
      kept("user: My brother moved to Ghent.", "assistant: Okay.", "user: He's got a cat and two bikes").at(-1),
    ).toBe("The user's brother has got a cat and two bikes");
  });

  test("they who do something with the user's need nobody from another turn", () => {
    expect(
      kept("user: We'll go for ICLR, deadline October 1", "assistant: Good.", "user: they changed my shifts").at(-1),
    ).toBe("They changed the user's shifts");
  });
});

describe("reasons", () => {
  test.each([
    [
      "I moved the model to PyTorch because Brian2 was too slow on GPU",
      "The user moved the model to PyTorch because Brian2 was too slow on GPU",
    ],
    [
      "Ada is going on leave from August so we pushed the release to February",
      "Ada is going on leave from August so the team pushed the release to February",
    ],
    ["Bathroom's done, cost me 18,400 in the end", "Bathroom's done, cost the user 18,400 in the end"],
    [
      "Ania and Tomek are staying another year, we agreed on 3,000 from October",
      "Ania and Tomek are staying another year, the team agreed on 3,000 from October",
    ],
  ])("%s", (said, text) => {
    expect(kept(`user: ${said}`)).toEqual([text]);
  });

  test("how somebody is just now is none", () => {
    expect(kept("user: i'm so tired today so the call moved to 4 May")).toEqual(["The call moved to 4 May"]);
  });
});
