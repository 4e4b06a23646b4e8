// What `packages/openai-agents/README.md` shows: an agent that knows its user from earlier conversations.
import type { Loci } from "@loci/loci";
import { AgentMemory, captureRuns, lociInputFilter, LociSession } from "@loci/openai-agents";
import { Agent, type Model, Runner } from "@openai/agents-core";

/** Who is speaking, as your application knows it: the `context` of a run. */
interface Chat {
  readonly user: string;
  readonly chat: string;
}

/** One for a process. */
export function makeAssistant(loci: Loci, model: Model) {
  const memory = new AgentMemory<Chat>({
    loci,
    conversation: ({ user, chat }) => ({ scope: `user:${user}`, session: chat }),
  });
  const runner = new Runner({ callModelInputFilter: lociInputFilter(memory) });
  captureRuns(runner, memory);
  const agent = new Agent<Chat>({ name: "Assistant", instructions: "You help.", model });
  return {
    ask: async (context: Chat, question: string): Promise<string | undefined> => {
      const session = new LociSession({ loci, scope: `user:${context.user}`, id: context.chat });
      return (await runner.run(agent, question, { context, session })).finalOutput;
    },
    settled: () => memory.settled(), // before you close Loci
  };
}
