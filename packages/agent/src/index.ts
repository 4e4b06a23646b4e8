export { AgentMemory, type AskedQuestion } from "./agent-memory.ts";
export type { AgentMemoryOptions, AgentMemoryStage } from "./agent-memory-options.ts";
export type { AgentTool, ToolInputSchema } from "./agent-tool.ts";
export { agentTools } from "./agent-tools.ts";
export { instructionsNotice } from "./block-layout.ts";
export { type Conversation, type KnownConversation, readConversation } from "./conversation.ts";
export type { FinishedRun } from "./finished-run.ts";
export type { BlockRecall, RecalledBlock } from "./recalled-block.ts";
export { withoutRecalled } from "./without-recalled.ts";
