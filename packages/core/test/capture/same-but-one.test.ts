import { describe, expect, test } from "vitest";
import { wordsOf } from "../../src/capture/extract/words.ts";
import { facetsOf, relationOf } from "../../src/capture/index.ts";
import { areSameButOne } from "../../src/capture/judge/same-but-one.ts";

const areSame = (earlier: string, later: string): boolean => areSameButOne(wordsOf(earlier), wordsOf(later));

describe("two texts that are the same but for one value", () => {
  test.each([
    ["The choir director is Magda.", "The choir director is Ivo."],
    ["Our plumber is called Odd.", "Our plumber is called Signe."],
    ["My pension is with Halvard.", "My pension is with Nordic Life."],
    ["The fuse box is in the hall.", "The fuse box is in the cellar."],
    ["Signe owns the import job.", "Ravi owns the import job."],
  ])("give one thing two: %s %s", (earlier, later) => {
    expect(areSame(earlier, later)).toBe(true);
    expect(relationOf(facetsOf(earlier), facetsOf(later), { cosine: 0.7, relatedGate: 0.6 })).toBe("contradiction");
  });

  test.each([
    ["My brother is called Tom.", "My brother is called Ben."],
    ["A fuse box is in the hall.", "A fuse box is in the cellar."],
    ["I was in the hall.", "I was in the cellar."],
    ["Lives with a cat.", "Lives with a dog."],
    ["The hall is cold.", "The hall is empty."],
    ["The key is in the hall.", "The key is in the hall and the cellar."],
    ["Signe likes the import job.", "Ravi likes the import job."],
  ])("say two things of it, or are of several: %s %s", (earlier, later) => {
    expect(areSame(earlier, later)).toBe(false);
  });
});
