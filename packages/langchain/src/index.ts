export type { AgentMemoryStage, BlockRecall, Conversation } from "@loci/agent";
export type { LociRequest } from "./agent-request.ts";
export { LociChatMessageHistory, type LociChatMessageHistoryOptions } from "./loci-chat-message-history.ts";
export { lociMiddleware, type LociMiddleware, type LociMiddlewareOptions } from "./loci-middleware.ts";
export {
  LociRetriever,
  type LociRetrieverOptions,
  type MemoryMetadata,
  type OutdatedMetadata,
} from "./loci-retriever.ts";
export { lociTools, type LociToolsOptions } from "./loci-tools.ts";
