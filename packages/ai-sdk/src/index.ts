export type { ModelCall } from "./call-conversation.ts";
export { type LociMiddleware, lociMiddleware, type LociMiddlewareOptions } from "./loci-middleware.ts";
export { type LociToolName, type LociTools, lociTools, type LociToolsOptions } from "./loci-tools.ts";
export type { Conversation } from "@loci/agent";
export { lociMemory, type LociMemory, type LociMemoryOptions } from "./loci-memory.ts";
