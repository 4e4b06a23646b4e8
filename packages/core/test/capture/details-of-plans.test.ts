import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const textsOf = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? text : []));

describe("what is going on at what is planned goes with the plan", () => {
  test("how a party is given", () => {
    const [text, ...others] = textsOf("mum's party is on the 9th of May, we're doing a surprise at the Italian place");
    expect(text).toContain("we're doing a surprise at the Italian place".replace("we're", "the family is"));
    expect(others).toEqual([]);
  });

  test("but not what is done now", () => {
    const [text = "", ...others] = textsOf("my flight is on 9 May, I'm packing now");
    expect(text).toContain("flight");
    expect(text).not.toContain("packing");
    expect(others).toEqual([]);
  });
});
