export { agentConformance, type AgentConformanceOptions, toldConversations } from "./agent-conformance.ts";
export type { AgentDriver, DrivenAnswer, DrivenQuestion, StartedAgent, StartOptions } from "./agent-driver.ts";
export { ModelScript, type ScriptedAnswer } from "./model-script.ts";
export type { ShownCall, ShownMessage, ShownToolCall } from "./shown-call.ts";
export {
  image,
  type ToldCall,
  type ToldConversation,
  type ToldMessage,
  type ToldQuestion,
  type ToldStep,
} from "./told-conversation.ts";
