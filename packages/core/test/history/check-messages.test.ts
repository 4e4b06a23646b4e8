import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { checkMessages } from "../../src/index.ts";

const call = { id: "c1", type: "function", function: { name: "search", arguments: "{}" } };

describe("a conversation in the OpenAI form is accepted", () => {
  test.each<[string, unknown]>([
    ["empty", []],
    [
      "every role",
      [
        { role: "system", content: "a" },
        { role: "developer", content: "b" },
        { role: "user", content: "c" },
      ],
    ],
    ["no content", [{ role: "assistant", content: null }, { role: "assistant" }]],
    [
      "parts",
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image_url", image_url: { url: "u" } },
          ],
        },
      ],
    ],
    [
      "a call and its results",
      [
        { role: "assistant", content: null, tool_calls: [call, { ...call, id: "c2" }] },
        { role: "tool", tool_call_id: "c2", content: "x" },
        { role: "tool", tool_call_id: "c1", content: "y" },
      ],
    ],
    ["a call nobody answered yet", [{ role: "assistant", tool_calls: [call] }]],
  ])("%s", (_, messages) => {
    expect(() => checkMessages(messages as ChatMessage[])).not.toThrow();
  });
});

describe("what is wrong is refused with its path", () => {
  test.each<[string, unknown]>([
    ["messages", "hello"],
    ["messages[0]", [null]],
    [
      "messages[1].role",
      [
        { role: "user", content: "a" },
        { role: "robot", content: "b" },
      ],
    ],
    ["messages[0].role", [{ content: "a" }]],
    ["messages[0].content", [{ role: "user", content: 7 }]],
    ["messages[0].content", [{ role: "user", content: "a\uD800" }]],
    ["messages[0].content[0]", [{ role: "user", content: ["a"] }]],
    ["messages[0].content[1].type", [{ role: "user", content: [{ type: "text", text: "" }, { type: "input_audio" }] }]],
    ["messages[0].content[0].text", [{ role: "user", content: [{ type: "text" }] }]],
    ["messages[0].content[0].image_url", [{ role: "user", content: [{ type: "image_url" }] }]],
    ["messages[0].content[0].image_url.url", [{ role: "user", content: [{ type: "image_url", image_url: {} }] }]],
    ["messages[0].name", [{ role: "user", content: "a", name: "\uDC00" }]],
    ["messages[0].tool_calls", [{ role: "user", content: "a", tool_calls: [call] }]],
    ["messages[0].tool_calls", [{ role: "assistant", tool_calls: {} }]],
    ["messages[0].tool_calls[0].id", [{ role: "assistant", tool_calls: [{ ...call, id: 1 }] }]],
    ["messages[0].tool_calls[0].function", [{ role: "assistant", tool_calls: [{ id: "a" }] }]],
    [
      "messages[0].tool_calls[0].function.arguments",
      [{ role: "assistant", tool_calls: [{ ...call, function: { name: "a" } }] }],
    ],
    ["messages[0].tool_call_id", [{ role: "tool", tool_call_id: "c1", content: "orphan" }]],
    [
      "messages[1].tool_call_id",
      [
        { role: "assistant", tool_calls: [call] },
        { role: "tool", content: "x" },
      ],
    ],
    [
      "messages[2].tool_call_id",
      [
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "x" },
        { role: "tool", tool_call_id: "c1", content: "again" },
      ],
    ],
    [
      "messages[2].tool_call_id",
      [
        { role: "assistant", tool_calls: [call] },
        { role: "user", content: "wait" },
        { role: "tool", tool_call_id: "c1", content: "late" },
      ],
    ],
  ])("%s", (field, messages) => {
    expect(() => checkMessages(messages as ChatMessage[])).toThrow(
      expect.objectContaining({ reason: "INVALID_MESSAGES", field }),
    );
  });
});
