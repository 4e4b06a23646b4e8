export * from "./fake-chat-server.ts";
