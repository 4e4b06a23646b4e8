import { expect, test } from "vitest";
import { humanText } from "../../src/index.ts";
import golden from "../golden/profile-blocks.json" with { type: "json" };

const ofHumans = golden.cases.flatMap(({ name, in: given, out }) =>
  "human" in given ? [{ name, human: given.human, text: out.text }] : [],
);

test.each(ofHumans)("golden: $name", ({ human, text }) => {
  expect(humanText(human)).toBe(text);
});

test("no line break of any kind gets into a line", () => {
  expect(humanText({ name: "a\r\nb\rc\nd\u2028e\u2029f" })).toBe("[USER] a b c d e f");
});
