import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutRunOns } from "../../src/capture/extract/run-ons.ts";
import { capture, turnsOf } from "./captured.ts";

const partsOf = (text: string): readonly string[] =>
  withoutRunOns([{ text, start: 5, end: 5 + text.length }]).map((part) => {
    expect(text.slice(part.start - 5, part.end - 5)).toBe(part.text);
    return part.text;
  });

describe("what is dictated without a sign is parted where a clause of its own begins", () => {
  test.each([
    [
      "I am speaking into the telephone my daughter Philippa set this up for me I am eighty one and it goes slowly",
      [
        "I am speaking into the telephone my daughter Philippa set this up for me",
        "I am eighty one and it goes slowly",
      ],
    ],
    [
      "I don't go to the club on the Tuesday any more since the bus was cut it's Thursdays now with the lunch",
      ["I don't go to the club on the Tuesday any more since the bus was cut", "it's Thursdays now with the lunch"],
    ],
    [
      "so I've got the baby on my arm um we need a plan for the mornings because it's chaos full stop Eli started school in September",
      [
        "so I've got the baby on my arm",
        "we need a plan for the mornings because it's chaos",
        "Eli started school in September",
      ],
    ],
    [
      "hey quick one my flight got moved to friday 14th can u help me redo the packing list im allergic to wool so no wool socks",
      [
        "hey quick one my flight got moved to friday 14th",
        "can u help me redo the packing list",
        "im allergic to wool so no wool socks",
      ],
    ],
    [
      "my name is yusuf and i run a small bike repair shop in leeds its just me and my brother kemal and nobody else",
      [
        "my name is yusuf and i run a small bike repair shop in leeds",
        "its just me and my brother kemal and nobody else",
      ],
    ],
  ])("%s", (text, parts) => expect(partsOf(text)).toEqual(parts));

  test.each([
    "I don't eat any fish",
    "before you suggest anything with ibuprofen in it for the pain in my wrist I can't take that at all with my tablets",
    "they took me off the ramipril because of the cough and now it's candesartan eight milligrams in the morning with the tea",
    "the cuff that I have at home is the one my son gave me when we were in Hull for the summer with them",
    "the cat lost its collar near the river and hid under its blanket all day and I would like to know if you could say why",
    "I live in Ghent, I work in Hull, my son is four, it's far, we are used to it, and the train takes a while, I am told",
    "on the 14th of April at 8:40 in the morning at the big hospital there's the eye clinic that somebody has to drive him to",
  ])("and nowhere else: %s", (text) => expect(partsOf(text)).toEqual([text]));

  test("so that a part is kept by itself", () => {
    const said =
      "user: my daughter Philippa set this up for me the other day with the cable I am eighty one and I want to know can I have grapefruit";
    const texts = capture(turnsOf(said)).flatMap(({ decision, text }) => (decision === "ADD" ? text : []));
    expect(texts).toContain("The user is eighty one");
  });

  test("whatever is said, the parts are places of it in order", () => {
    const words = fc.array(
      fc.constantFrom("I am", "it's", "um", "full stop", "and", "home", "because", "my son is", "four"),
    );
    const check = (said: readonly string[]): void => {
      const parts = withoutRunOns([{ text: said.join(" "), start: 0, end: said.join(" ").length }]);
      let end = 0;
      for (const part of parts) {
        expect(part.start).toBeGreaterThanOrEqual(end);
        expect(said.join(" ").slice(part.start, part.end)).toBe(part.text);
        end = part.end;
      }
    };
    fc.assert(fc.property(words, check));
  });
});

describe("two facts that only a comma parts are two memories", () => {
  const kept = (said: string): readonly string[] => capture(turnsOf(`user: ${said}`)).map(({ text }) => text);

  test.each([
    ["I'm a notary's clerk in Ghent, I work nights at St Mary's", 2],
    ["I am a nurse in Ghent, my wife works half-time in the library", 2],
    ["Goal is B2 by Christmas, my company pays for it", 1],
    ["Mehul is the treasurer now, I resigned in April", 1],
    ["I live in Ghent since 2020, I used to live in Hull before that", 1],
    ["About 300 words, my daughter Ivy wants one every evening", 1],
  ])("%s: %i", (said, count) => expect(kept(said)).toHaveLength(count));
});
