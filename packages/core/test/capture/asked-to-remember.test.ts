import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

describe("what a user says", () => {
  test.each([
    ["Can you remember that I live in Oslo?", "The user lives in Oslo"],
    ["Please remember that the gate code is 4471.", "The gate code is 4471."],
    ["Remember my birthday is 4 May.", "The user's birthday is 4 May."],
    ["Ok, keep in mind that Ida is allergic to nuts.", "Ida is allergic to nuts."],
    ["Remember: we deploy on Tuesdays.", "The team deploys on Tuesdays."],
    ["Don't forget that the office moved to Graz.", "The office moved to Graz."],
    ["And please note in my profile that I am left-handed.", "The user is left-handed."],
    ["Can you add to my notes that Mum's birthday is 4 June?", "Mum's birthday is 4 June"],
    ["Save this: my shoe size is 39.", "The user's shoe size is 39."],
    ["For the record, we ship on Tuesdays.", "The team ships on Tuesdays."],
    ["just so you know, I work part time", "The user works part time"],
    ["fyi: my desk is on the fifth floor", "The user's desk is on the fifth floor"],
    ["remember I can't have shellfish", "The user can't have shellfish"],
    [
      "Marek picks Zosia up on my night weeks, put it in his calendar too",
      "Marek picks Zosia up on the user's night weeks",
    ],
    ["I want the boiler checked once a year, write that down", "The user wants the boiler checked once a year"],
    ["and remember I can't have shellfish, my head hurts", "The user can't have shellfish"],
  ])("%s: what is to be remembered is", (said, text) => {
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map((candidate) => candidate.text)).toEqual([text]);
  });

  test.each([
    "Do not remember that I live in Oslo.",
    "Do you remember my name?",
    "Remember that evening in Rome?",
    "Can you remember this?",
    "Remind me to buy milk.",
    "Would you keep in mind that I might move?",
    "Please remember that I'm tired today.",
    "For the record, I'm not angry.",
    "The build is broken, note that.",
    "The milk is off, put it in the bin.",
    "Should we meet on Tuesdays? Put it in the calendar.",
    "fyi I'm running late",
    "Put it in my notes that I might move.",
    "Remember that the token is ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi.",
  ])("%s: nothing is", (said) => {
    expect(capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision !== null)).toEqual([]);
  });
});
