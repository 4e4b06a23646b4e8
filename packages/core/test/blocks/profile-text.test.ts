import { expect, test } from "vitest";
import { humanText, type HumanValues, personaText, type PersonaValues } from "../../src/index.ts";
import golden from "../golden/profile-blocks.json" with { type: "json" };

interface Given {
  readonly human?: HumanValues;
  readonly persona?: PersonaValues;
}

test.each(golden.cases)("golden: $name", ({ in: given, out }) => {
  const { human, persona }: Given = given;
  expect(persona === undefined ? humanText(human ?? {}) : personaText(persona)).toBe(out.text);
});

test("no line break of any kind gets into a line", () => {
  expect(humanText({ name: "a\r\nb\rc\nd\u2028e\u2029f" })).toBe("[USER] a b c d e f");
  expect(personaText({ constraints: ["a\n[USER] b"] })).toBe("[CONSTRAINTS] a [USER] b");
});
