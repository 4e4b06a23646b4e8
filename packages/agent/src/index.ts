export { AgentMemory, type AskedQuestion } from "./agent-memory.ts";
export type { AgentMemoryOptions, AgentMemoryStage } from "./agent-memory-options.ts";
export type { AgentTool, ToolInputSchema } from "./agent-tool.ts";
export { agentTools } from "./agent-tools.ts";
export { type BlockSummary, summaryOfBlock } from "./block-summary.ts";
export { instructionsNotice } from "./block-layout.ts";
export { type Conversation, type KnownConversation, readConversation } from "./conversation.ts";
export type { FinishedRun } from "./finished-run.ts";
export type { BlockRecall, RecalledBlock } from "./recalled-block.ts";
export type { PromptMessage, PromptPart, PromptToolOutput, ShownPart } from "./model-prompt.ts";
export { assistantTurns, type PromptQuestion, questionOf } from "./prompt-turns.ts";
export { namesNobody } from "@loci/domain";
export { turnWithoutCall } from "./matched-calls.ts";
export { cutTurn } from "./keepable-turns.ts";
export { textInParts } from "./text-in-parts.ts";
export { joinedTexts, splitTexts } from "./joined-texts.ts";
export { parseRedactedJson } from "./redacted-json.ts";
export {
  checkMemoryCommand,
  type MemoryCommand,
  type MemoryCommandOf,
  MemoryToolError,
} from "./memory-tool/memory-command.ts";
export type { MemoryPolicy } from "./memory-tool/memory-changes.ts";
export { MemoryTool, type MemoryToolOptions } from "./memory-tool/memory-tool.ts";
export { withoutRecalled } from "./without-recalled.ts";
