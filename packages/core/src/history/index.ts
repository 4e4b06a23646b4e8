export * from "./chat-message-tokens.ts";
export * from "./check-messages.ts";
