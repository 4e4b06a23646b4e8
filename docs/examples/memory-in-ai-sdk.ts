// What `packages/ai-sdk/README.md` shows: an application's answers, with memory.
import { lociMiddleware, lociTools } from "@loci/ai-sdk";
import type { Loci } from "@loci/loci";
import { isStepCount, type LanguageModel, type ModelMessage, streamText, wrapLanguageModel } from "ai";

/** Who asks, in which chat, and all that was said in it. */
export interface Request {
  readonly user: string;
  readonly chat: string;
  readonly messages: ModelMessage[];
}

/** Makes what answers: once, when the application starts. */
export function withMemory(loci: Loci, model: Parameters<typeof wrapLanguageModel>[0]["model"]) {
  const memory = lociMiddleware({ loci });
  const remembering: LanguageModel = wrapLanguageModel({ model, middleware: memory });
  const answer = ({ user, chat, messages }: Request) => {
    const conversation = { scope: `user:${user}`, session: chat } as const;
    const { recall, remember } = lociTools({ loci, conversation });
    return streamText({
      model: remembering,
      instructions: "You help travellers. Answer briefly.",
      messages,
      tools: { recall, remember },
      stopWhen: isStepCount(8),
      providerOptions: { loci: conversation },
    });
  };
  return { answer, settled: () => memory.settled() };
}
