import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const keptOf = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? text : []));

describe("what somebody does again and again, in as few words as there are", () => {
  test.each([
    ["I take metformin", "The user takes metformin"],
    ["I collect stamps", "The user collects stamps"],
    ["we foster kittens", "The team fosters kittens"],
    ["I sell honey at the market", "The user sells honey at the market"],
    ["I do pilates", "The user does pilates"],
    ["I'm reading Dune", "The user is reading Dune"],
    ["I got the post!", "The user got the post!"],
    ["had to put the dog down", "Had to put the dog down"],
    ["been in Leuven since March", "Been in Leuven since March"],
    ["I have a girlfriend now", "The user has a girlfriend now"],
    ["I'm a bus driver now", "The user is a bus driver now"],
    ["my sister is back in Bergen", "The user's sister is back in Bergen"],
    ["my car is red", "The user's car is red"],
  ])("%s", (said, text) => expect(keptOf(said)).toEqual([text]));

  test.each([
    "I take your point",
    "we take it",
    "I sell it",
    "I write to you because of the bill",
    "I teach tomorrow",
    "I train the model",
    "I keep getting errors",
    "I'm reading the log",
    "Shorter please.",
    "more formal please",
    "a bit shorter and less formal please",
    "my car is a mess",
  ])("nothing of %s", (said) => expect(keptOf(said)).toEqual([]));
});

describe("lines with a label", () => {
  test.each(["naming: snake_case for files", "tests: one file per module", "Commit messages: no emoji"])(
    "a rule without a verb, %s",
    (said) => expect(keptOf(said)).toHaveLength(1),
  );

  test.each([
    "for example: I like tea",
    "Title: My Summer at Lake Garda",
    "The difference between crystalloid: Her name is Tina",
    "lunch: nothing much",
    "tests: did they pass?",
  ])("nothing of %s", (said) => expect(keptOf(said)).toEqual([]));

  test("who is named before the colon is told of", () =>
    expect(keptOf("Kids: my daughter is Ines. Our trainer: Her name is Tina")).not.toEqual([]));
});
