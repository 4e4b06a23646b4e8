export {
  AgentMemory,
  type AgentMemoryOptions,
  type AgentMemoryStage,
  type Conversation,
  type RecalledBlock,
} from "@loci/agent";
export { captureRuns } from "./capture-runs.ts";
export { lociInputFilter, type LociInputFilterOptions } from "./loci-input-filter.ts";
export { LociSession, type LociSessionOptions } from "./loci-session.ts";
export { lociTools } from "./loci-tools.ts";
export { withoutRecalledHistory } from "./without-recalled-history.ts";
