export * from "./check-messages.ts";
export type * from "./conversation-summary.ts";
export { emptySummary, summaryListLimits } from "./conversation-summary.ts";
export type { GivenSummary } from "./fit-conversation.ts";
export { HistoryCache, type HistoryCacheOptions } from "./history-cache.ts";
export { KnownConversation } from "./known-conversation.ts";
export { summarizeMessages, summarizeMessagesSteps } from "./summarize-messages.ts";
export { hasImage, messageText } from "./message-text.ts";
