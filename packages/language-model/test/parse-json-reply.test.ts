import { expect, test } from "vitest";
import { parseJsonReply } from "../src/index.ts";

test.each([
  '{"a":1}',
  ' \n{"a":1}\n',
  '```json\n{"a":1}\n```',
  '  ```\n{"a":1}\n  ```\n',
  '~~~JSON\r\n{"a":1}\r\n~~~',
  'Here you are: {"a":1}',
  'Here you are:\n\n```json\n{"a":1}\n```\n\nAnything else?',
  '{"a":1}\nNothing was left out.',
  '<think>\nA fence ``` and {"a": 2}? No.\n</think>\n\n{"a":1}',
])("%j is read", (text) => {
  expect(parseJsonReply(text)).toEqual({ a: 1 });
});

test("a fence in the text of an answer is text", () => {
  const said = { a: "```json\n{}\n```" };
  expect(parseJsonReply(JSON.stringify(said))).toEqual(said);
  expect(parseJsonReply(`Here you are: ${JSON.stringify(said)}`)).toEqual(said);
});

test.each([
  "",
  "I am sorry, but I cannot help with that.",
  '{"a":',
  '{"a":1,}',
  '```json\n{"a":\n```',
  '```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```',
  "{} {}",
  'You said {"a":1}. So: {"a":2}',
  '<think>{"a":1}',
  "undefined",
])("%j is not", (text) => {
  expect(parseJsonReply(text)).toBeUndefined();
});

test("a long reply of nothing but signs is not, and does not take for ever", () => {
  for (const part of ["```\n", "{", "}{", "<think>"]) expect(parseJsonReply(part.repeat(200_000))).toBeUndefined();
});
