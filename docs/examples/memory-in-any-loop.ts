// What `packages/agent/README.md` shows: an adapter for a model that is called by a function.
import { AgentMemory, instructionsNotice } from "@loci/agent";
import type { Loci, TurnInput } from "@loci/loci";

/** Who asks, in which chat, and all that was said in it: the question last. */
export interface Request {
  readonly user: string;
  readonly chat: string;
  readonly messages: readonly TurnInput[];
}

type Model = (instructions: string, messages: readonly TurnInput[]) => Promise<string>;

export function remembering(loci: Loci, model: Model) {
  const conversation = ({ user, chat }: Request) => ({ scope: `user:${user}`, session: chat }) as const;
  const memory = new AgentMemory<Request>({ loci, conversation });
  const answer = async (request: Request, signal?: AbortSignal): Promise<string> => {
    const conversation = await memory.conversationOf(request); // SCOPE_REQUIRED where nobody says who speaks
    const before = request.messages.slice(0, -1);
    const [question, position] = [request.messages.at(-1)?.content ?? "", before.length];
    const block = await memory.blockFor({ conversation, question, position, signal });
    const shown = { role: "user", content: block ? `${block.text}\n\n${question}` : question } as const;
    const content = await model(`You help travellers. ${instructionsNotice}`, [...before, shown]);
    const turns = [{ role: "user", content: question } as const, { role: "assistant", content } as const];
    memory.finished({ conversation, position, before, turns });
    return content;
  };
  return { answer, settled: () => memory.settled() };
}
