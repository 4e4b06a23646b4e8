import { expect, test } from "vitest";
import { describeLargest } from "../../src/history/largest-message.ts";

test("only the largest is asked which tool it is of", () => {
  const asked: number[] = [];
  const sized = [3, 9, 5].map((tokens, index) => ({
    index,
    message: { role: "tool" as const, tool_call_id: String(index), content: "r" },
    tokens,
    tool: () => {
      asked.push(index);
      return "search";
    },
  }));
  expect(describeLargest(sized)?.sentence).toBe('The largest is messages[1], a result of the tool "search": 9 tokens.');
  expect(asked).toEqual([1]);
});
