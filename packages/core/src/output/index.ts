export * from "./ai-sdk-context.ts";
export * from "./anthropic-context.ts";
export type { OutputContext } from "./conversation-parts.ts";
