export * from "./assemble-context.ts";
export type * from "./assembly-input.ts";
export * from "./compare-assemblies.ts";
export type { ItemPreviews } from "./format-items.ts";
export * from "./format-receipt.ts";
export type * from "./kept-text.ts";
export { conversationReadingOf, mostHistoryTokens, readConversationSteps } from "./read-conversation.ts";
export { writeMemoriesSteps } from "./write-memories.ts";
