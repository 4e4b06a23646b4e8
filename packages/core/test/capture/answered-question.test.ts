import { describe, expect, test } from "vitest";
import { answeredQuestion } from "../../src/capture/extract/answered-question.ts";
import { capture, turnsOf } from "./captured.ts";

describe("the question that an answer is to", () => {
  test.each([
    ["ends a turn", "Sure. Which city do you live in?", "I moved, it is Lisbon now", "Which city do you live in?"],
    [
      "stands before its end",
      "Which city do you live in? I ask because of the weather.",
      "Lisbon.",
      "Which city do you live in?",
    ],
    ["is answered first", "Which version? The page says 8.", "9, the page is old", "Which version?"],
  ])("%s", (_, asking, answer, question) => {
    expect(answeredQuestion(asking, answer)).toBe(question);
  });

  test.each([
    [
      "who says more answers what was said last",
      "Which city? I ask because of the weather.",
      "we have the worst weather",
    ],
    ["what was asked longer ago is settled", "Which city? I ask. It matters. It really does.", "Lisbon"],
    ["a question is no answer", "Which city? I ask because of the weather.", "which weather?"],
    ["nothing is asked", "Noted.", "Lisbon"],
  ])("%s", (_, asking, answer) => {
    expect(answeredQuestion(asking, answer)).toBeUndefined();
  });
});

describe("a word is a fact by what was asked", () => {
  const added = (asking: string, answer: string): readonly string[] =>
    capture(turnsOf(`assistant: ${asking}`, `user: ${answer}`)).flatMap(({ decision, text }) =>
      decision === "ADD" ? text : [],
    );

  test.each([
    [
      "Which city do you live in? I ask because of the weather.",
      "Lisbon.",
      "Which city does the user live in: Lisbon.",
    ],
    ["Which airline is it? Then I can look up the rules.", "Finnair", "Which airline is it: Finnair"],
    ["Are you vegetarian? I ask because of the menu.", "yes", "Is the user vegetarian: Yes"],
    ["How old is she?", "four", "How old is she: Four"],
    ["Helmi is a beautiful name. How old is she?", "four", "Helmi is a beautiful name. How old is she: Four"],
    ["What kind of dog is it?", "a lapphund mix", "What kind of dog is it: A lapphund mix"],
  ])("%s %s", (asking, answer, text) => {
    expect(added(asking, answer)).toEqual([text]);
  });

  test.each([
    ["What is 3 times 4?", "12"],
    ["What is the capital of France? Think of the Eiffel Tower.", "Paris"],
    ["What does it mean?", "three fish please"],
    ["How many apples does she have?", "four"],
    ["How do you feel? It was a long day.", "tired"],
  ])("but not in a quiz, or of a mood: %s %s", (asking, answer) => {
    expect(added(asking, answer)).toEqual([]);
  });
});
