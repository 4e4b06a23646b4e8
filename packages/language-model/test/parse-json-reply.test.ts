import { expect, test } from "vitest";
import { parseJsonReply } from "../src/index.ts";

test.each(['{"a":1}', ' \n{"a":1}\n', '```json\n{"a":1}\n```', '  ```\n{"a":1}\n  ```\n', '~~~JSON\r\n{"a":1}\r\n~~~'])(
  "%j is read",
  (text) => {
    expect(parseJsonReply(text)).toEqual({ a: 1 });
  },
);

test.each(["", "Here you are: {}", '{"a":', '```json\n{"a":1}', '```json\n{"a":1}\n```\nDone.', "{} {}", "undefined"])(
  "%j is not",
  (text) => {
    expect(parseJsonReply(text)).toBeUndefined();
  },
);

test("a long reply of nothing but fences is not, and does not take for ever", () => {
  expect(parseJsonReply("```\n".repeat(200_000))).toBeUndefined();
});
