import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const isKept = (said: string): boolean => capture(turnsOf(`user: ${said}`)).some(({ reason }) => reason === null);

describe("what people write by the way is kept", () => {
  test.each([
    "prices always without vat for builders",
    "references in APA 7",
    "recipes in grams for ten portions",
    "I never kill characters without warning the player",
    "Kasia approves schema changes",
    "Tore Bakken supplies my timber",
    "both kids sleep in one room",
    "I don't do kitchens any more",
    "I trained at Maaemo",
    "my flatmate Ola studies law",
    "If the report is late, always tell Ines first",
    "my doctor thinks I have asthma",
    "we meet in 20 minute slots on Mondays",
  ])("%s", (said) => expect(isKept(said)).toBe(true));
});

describe("nothing is kept of", () => {
  test.each([
    ["what others claim", "my apprentice claims pine is better"],
    ["what others claim", "some guy on reddit claims parquet is dead"],
    ["what others claim", "prof said nobody passes the first time"],
    ["what others joke", "Jonas joked that I always fudge dice"],
    ["what others ask", "the client keeps asking for rustic elegance"],
    ["questions that deny", "wouldn't it be nice to sleep till ten"],
    ["what is supposed", "let's say the king is a mimic"],
    ["what is supposed", "if I fail I'm moving to Bali"],
    ["orders for once", "can you make that sound nicer"],
    ["what just happened", "pager went off at 3"],
    ["what time it is", "third angry call today and it's 10 am"],
    ["what is only sworn", "I swear this client is cursed"],
    ["places", "Dinner in Rome please"],
    ["what one does at the gym", "I trained at the gym"],
  ])("%s: %s", (_, said) => expect(isKept(said)).toBe(false));
});
