export { LociChatMessageHistory, type LociChatMessageHistoryOptions } from "./loci-chat-message-history.ts";
export { LociRetriever, type LociRetrieverOptions, type MemoryMetadata } from "./loci-retriever.ts";
