export * from "./fake-model-server.ts";
