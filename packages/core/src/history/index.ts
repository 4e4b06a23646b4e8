export * from "./check-messages.ts";
