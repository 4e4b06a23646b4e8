import { isPlainObject, type ToolDefinition } from "@loci/domain";
import type { ModelProvider } from "./resolved-model.ts";

// OpenAI's published rule ("How to count tokens with tiktoken", tool calls), its numbers for GPT-4o and later.
const perFunction = 7;
const forProperties = 3;
const perProperty = 3;
const forEnum = -3;
const perEnumValue = 3;
const atEnd = 12;

// Anthropic's published system prompt for tool use, Claude 3.5 and later. `any` and `tool` take fewer, 313.
const anthropicToolPrompt = 346;

/**
 * Tokens of the tool definitions of a call. OpenAI's rule says nothing of schemas within schemas: they count as JSON.
 * Anthropic and Google publish no rule for the definitions: they count as JSON, and Anthropic's with its prompt.
 */
export function toolDefinitionTokens(
  tools: readonly ToolDefinition[],
  count: (text: string) => number,
  provider: ModelProvider = "openai",
): number {
  if (tools.length === 0) return 0;
  if (provider === "anthropic" || provider === "google") {
    const prompt = provider === "anthropic" ? anthropicToolPrompt : 0;
    return prompt + count(JSON.stringify(tools.map(definitionOf)));
  }
  let tokens = atEnd;
  for (const { function: definition } of tools) tokens += functionTokens(definition, count);
  return tokens;
}

/** Without what a provider has added, and in one order: a definition counts the same wherever it comes from. */
function definitionOf({ function: { name, description, parameters } }: ToolDefinition): ToolDefinition["function"] {
  return { name, description, parameters };
}

function functionTokens(
  { name, description = "", parameters }: ToolDefinition["function"],
  count: (text: string) => number,
): number {
  let tokens = perFunction + count(`${name}:${withoutFullStop(description)}`);
  const properties = Object.entries(objectOf(parameters?.["properties"]));
  if (properties.length > 0) tokens += forProperties;
  for (const [key, value] of properties) {
    const { type, description: about, enum: values, properties: inner, items } = objectOf(value);
    tokens += perProperty + count(`${key}:${textOf(type)}:${withoutFullStop(textOf(about))}`);
    if (Array.isArray(values)) {
      tokens += forEnum;
      for (const each of values as readonly unknown[]) tokens += perEnumValue + count(textOf(each));
    }
    for (const nested of [inner, items]) if (nested !== undefined) tokens += count(JSON.stringify(nested));
  }
  return tokens;
}

function withoutFullStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}
