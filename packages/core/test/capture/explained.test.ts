import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines))
    .filter(({ decision }) => decision === "ADD")
    .map(({ text }) => text);

describe("what explains a statement", () => {
  test("is what the assistant said last, where it stands first and points back", () => {
    const said = kept(
      "user: I take 10 mg on Sundays.",
      "assistant: Noted. Many patients take folic acid the day after.",
      "user: That I do anyway, every Monday.",
    );
    expect(said.at(-1)).toBe("Many patients take folic acid the day after: That the user does anyway, every Monday.");
  });

  test.each([
    "Let me know if you need anything else.",
    "Feel free to ask if you have questions.",
    "If you are looking for a refund as well, please let me know so I can assist you further.",
    "I'm happy to help with anything else!",
  ])("is no invitation to ask for more: %s", (invitation) => {
    const said = kept(
      `assistant: Which of your flights was delayed? ${invitation}`,
      "user: It was the first flight out of Boston that got delayed.",
    );
    expect(said).toEqual([
      "Which of the user's flights was delayed: It was the first flight out of Boston that got delayed.",
    ]);
  });

  test("is what is denied, and not what the user said before", () => {
    const said = kept(
      "user: The slips of 3 February are here.",
      "assistant: I will have the rehearsals on Tuesdays ready.",
      "user: Not Tuesdays.",
    );
    expect(said.at(-1)).toBe("The assistant will have the rehearsals on Tuesdays ready: Not Tuesdays.");
  });

  test("is the question, where the answer says that it is over", () => {
    const said = kept(
      "assistant: Do you still run with Ines?",
      "user: Nope, she moved to Braga in January, that is over.",
    );
    expect(said).toEqual(["Does the user still run with Ines: She moved to Braga in January, that is over."]);
  });
});

describe("a link in what explains a statement", () => {
  const address = `https://example.com/${"handlers-of-pixels/".repeat(9)}index.html`;

  test("is shown by its words", () => {
    const said = kept(
      `user: The pixel handler [requires the Representation attribute](${address}). This is a problem, because Float Data must never have it.`,
    );
    expect(said.at(-1)).toBe(
      "The pixel handler requires the Representation attribute: This is a problem, because Float Data must never have it.",
    );
  });

  test("is not shown from its middle", () => {
    const said = kept(`user: Our handler is in ${address}. This is a problem, because Float Data must never have it.`);
    expect(said.at(-1)).toBe("This is a problem, because Float Data must never have it.");
  });
});

describe("what the assistant says again", () => {
  test("is kept for a number, date or name", () => {
    const told = "user: and then the Passion concert 27 march";
    expect(kept("assistant: Go on.", told, "assistant: So December and March.")).toEqual([
      "Then the Passion concert 27 march",
    ]);
    expect(kept("assistant: Go on.", told, "assistant: I see.")).toEqual([]);
  });

  test("is no number by itself", () => {
    expect(kept("assistant: As of October.", "user: wait. 62.", "assistant: 62 euros then.")).toEqual([]);
  });
});

describe("who revises", () => {
  const due = "The application is due by 30 September";

  test("takes back what was told in the turn before", () => {
    expect(kept(`user: ${due}.`, "assistant: Noted.", "user: Actually, it is due by 2 October.")).not.toContain(due);
  });

  test("answers a question by another number, and takes nothing back", () => {
    const said = kept(`user: ${due}.`, "assistant: Noted. The fee, 150 as usual?", "user: Actually make it 180.");
    expect(said[0]).toMatch(due);
  });

  test("takes nothing back that was told longer ago", () => {
    const said = kept(
      `user: ${due}.`,
      "assistant: Noted.",
      "user: The weather is mild.",
      "assistant: It is.",
      "user: Actually, 2 October is Anna's birthday.",
    );
    expect(said[0]).toMatch(due);
  });
});

describe("what is typed in a hurry", () => {
  test.each([
    ["ive moved to Lyon", "The user has moved to Lyon"],
    ["i havent got a car anymore", "The user hasn't got a car anymore"],
    ["well no. I live in Ghent.", "The user lives in Ghent."],
    ["the vet is at No. 5 in Mill Street", "The vet is at No. 5 in Mill Street"],
    ["we meet at 4 am i think on Mondays", "The team meets at 4 am the user thinks on Mondays"],
  ])("%s", (said, text) => expect(kept(`user: ${said}`)).toContain(text));
});
