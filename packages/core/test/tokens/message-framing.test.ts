import type { ChatMessage, ToolDefinition } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { callTokens, chatMessageTokens, imageTokens, loadTokenCounter, toolDefinitionTokens } from "../../src/index.ts";

const o200k = await loadTokenCounter("o200k_base");
const count = (text: string): number => o200k.count(text);

test.each<[string, ChatMessage, number]>([
  // "user" and "hello" are a token each.
  ["text", { role: "user", content: "hello" }, 3 + 1 + 1],
  ["nothing", { role: "user", content: null }, 3 + 1],
  ["a name", { role: "user", content: "hello", name: "hello" }, 3 + 1 + 1 + 1 + 1],
  [
    "an image in low detail",
    { role: "user", content: [{ type: "image_url", image_url: { url: "u", detail: "low" } }] },
    3 + 1 + 85,
  ],
  [
    "an image of unknown size",
    { role: "user", content: [{ type: "image_url", image_url: { url: "u" } }] },
    3 + 1 + 1445,
  ],
  ["an answer of a tool", { role: "tool", content: "hello", tool_call_id: "hello" }, 3 + 1 + 1 + 1],
])("a chat message with %s is framed by the published rule", (_, message, tokens) => {
  expect(chatMessageTokens(message, count)).toBe(tokens);
});

const weather: ToolDefinition = {
  type: "function",
  function: {
    name: "get_current_weather",
    description: "Get the current weather in a given location",
    parameters: {
      type: "object",
      properties: {
        location: { type: "string", description: "The city and state, e.g. San Francisco, CA" },
        unit: {
          type: "string",
          description: "The unit of temperature to return",
          enum: ["celsius", "fahrenheit"],
        },
      },
      required: ["location"],
    },
  },
};

describe("a call", () => {
  const messages: readonly ChatMessage[] = [
    {
      role: "system",
      content: "You are a helpful assistant that can answer to questions about the weather.",
    },
    { role: "user", content: "What's the weather like in San Francisco?" },
  ];

  // The example of OpenAI's page, with the count its API gave for gpt-4o.
  test("with tools takes as many tokens as OpenAI's example says", () => {
    expect(callTokens(messages, { count, tools: [weather] })).toBe(101);
  });

  test("without tools has its framing alone", () => {
    expect(callTokens([], { count })).toBe(3);
    expect(callTokens([{ role: "user", content: "hello" }], { count })).toBe(3 + 5);
  });
});

describe("tool definitions", () => {
  test("take nothing when there are none", () => {
    for (const provider of ["openai", "anthropic", "google"] as const)
      expect(toolDefinitionTokens([], count, provider)).toBe(0);
  });

  test("take Anthropic's prompt and their JSON", () => {
    expect(toolDefinitionTokens([weather], count, "anthropic")).toBe(346 + count(JSON.stringify([weather.function])));
    expect(toolDefinitionTokens([weather], count, "google")).toBe(count(JSON.stringify([weather.function])));
  });

  test("a tool counts the same whatever a provider has added to it, in any order", () => {
    const { name, description, parameters } = weather.function;
    const added = { type: "function", function: { parameters, strict: true, description, name } } as const;
    for (const provider of ["openai", "anthropic", "google"] as const)
      expect(toolDefinitionTokens([added], count, provider)).toBe(toolDefinitionTokens([weather], count, provider));
  });

  test("count schemas within schemas", () => {
    const nested = (inner: object): ToolDefinition => ({
      type: "function",
      function: { name: "f", parameters: { type: "object", properties: { list: { type: "array", ...inner } } } },
    });
    const items = { type: "object", properties: { deep: { type: "string", description: "Something long to say." } } };
    expect(toolDefinitionTokens([nested({ items })], count)).toBe(
      toolDefinitionTokens([nested({})], count) + count(JSON.stringify(items)),
    );
  });
});

describe("images", () => {
  test.each([
    // OpenAI's own examples.
    [1024, 1024, "high", 765],
    [2048, 4096, "high", 1105],
    [4096, 8192, "low", 85],
    [512, 512, "high", 255],
    [1, 1, "auto", 255],
  ] as const)("of %d x %d in %s detail take %d for OpenAI", (width, height, detail, tokens) => {
    expect(imageTokens("openai", { width, height }, detail)).toBe(tokens);
  });

  test.each([
    // Anthropic's own examples.
    [200, 200, 54],
    [1000, 1000, 1334],
    [1092, 1092, 1590],
    [8000, 8000, 1600],
  ])("of %d x %d take about %d for Anthropic", (width, height, tokens) => {
    expect(imageTokens("anthropic", { width, height })).toBe(tokens);
  });

  test.each([
    [384, 384, 258],
    [385, 384, 258],
    [769, 768, 516],
    [1600, 1600, 258 * 9],
  ])("of %d x %d take %d for Google", (width, height, tokens) => {
    expect(imageTokens("google", { width, height })).toBe(tokens);
  });

  test("of unknown size take the most a rule gives", () => {
    expect([imageTokens("openai"), imageTokens("anthropic"), imageTokens("google")]).toEqual([1445, 1600, 1120]);
  });
});
