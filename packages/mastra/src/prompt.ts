import type { ProcessLLMRequestArgs } from "@mastra/core/processors";

/** What a model is sent. Models of several versions of the AI SDK are sent what has the same form here. */
export type Prompt = ProcessLLMRequestArgs["prompt"];

export type PromptMessage = Prompt[number];
