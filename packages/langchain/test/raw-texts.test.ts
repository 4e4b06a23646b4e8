import fc from "fast-check";
import { expect, test } from "vitest";
import { withTextsBack, withTextsBehind } from "../src/raw-texts.ts";

test("texts stand as they are, one behind the other", () => {
  expect(withTextsBehind({ text: 'Say "hello"\nto me.', n: 7, list: ["a"] })).toBe(
    '{"text":"0","n":7,"list":["1"]}\n\u001e\nSay "hello"\nto me.\n\u001e\na',
  );
});

test("any value comes back", () => {
  const unit = fc.constantFrom("\u001e", "\n", "0", "a", "1", "e", '"', "\\", "\ud83d", "\ude00");
  const text = fc.string({ unit, maxLength: 12 });
  const value = fc.anything({
    key: text,
    values: [text, fc.integer(), fc.boolean(), fc.constant(null)],
    withNullPrototype: false,
  });
  fc.assert(
    fc.property(value, (given) => {
      const written = withTextsBehind([given]);
      expect(written.isWellFormed()).toBe(true);
      expect(withTextsBack(written)).toEqual(JSON.parse(JSON.stringify([given])));
    }),
  );
});

test("what begins like an image and is none comes back too", () => {
  for (const beginning of ["data:\u001e0041;base64,", "data:,,", "data:\n,", "data:image/png;base64,"])
    for (const rest of ["A".repeat(600), `${"A".repeat(600)}\u001e0041`, "\ud83d".repeat(600)])
      expect(withTextsBack(withTextsBehind(beginning + rest))).toBe(beginning + rest);
});

test("what a secret was taken out of from one text into another cannot be read", () => {
  const written = withTextsBehind(["BEGIN", "END", "Is this right?"]);
  expect(() => withTextsBack(written.replace("BEGIN\n\u001e\nEND", "[redacted: private_key]"))).toThrow(
    "There are 2 texts for 3 places.",
  );
});
