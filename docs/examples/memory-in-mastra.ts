// Memory for agents of Mastra. packages/mastra/README.md prints it, its tests run it.
import type { Loci, ScopeText } from "@loci/loci";
import { lociProcessor, lociTools } from "@loci/mastra";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";

/** Makes what answers: once, when the application starts. */
export function withMemory(loci: Loci, model: AgentConfig["model"]) {
  // From what the application calls the agent with, never from messages.
  const conversation = (request: RequestContext | undefined) =>
    request && { scope: request.get<string, ScopeText>("scope"), session: request.get<string, string>("chat") };
  const memory = lociProcessor({ loci, conversation });
  const { recall, remember } = lociTools({ loci, conversation });
  const agent = new Agent({
    id: "clerk",
    name: "Clerk",
    instructions: "You help travellers. Answer briefly.",
    model,
    tools: { recall, remember },
    inputProcessors: [memory],
    outputProcessors: [memory],
  });
  const answer = async (user: string, chat: string, question: string): Promise<string> => {
    const requestContext = new RequestContext([
      ["scope", `user:${user}`],
      ["chat", chat],
    ]);
    const { text } = await agent.generate(question, { requestContext, maxSteps: 8 });
    return text;
  };
  return { answer, settled: () => memory.settled() };
}
