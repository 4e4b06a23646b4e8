import type { AssembledContext, TrimmedMessages } from "@loci/domain";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import type { ContextStep } from "./context-step.ts";
import { textOf } from "./message-content.ts";
import { comparedModel } from "./model-tokens.ts";

/** Whole messages, the oldest out first. */
export const lociTrim: ContextStep = {
  name: "Loci budget.trim",
  description: "budget.trim({ messages, maxTokens, model })",
  open: async (messages, maxTokens) => {
    const temporary = await openTemporaryLoci();
    return {
      run: () => temporary.loci.budget.trim({ messages, maxTokens, model: comparedModel }),
      outcomeOf: (result) => ({ messages: (result as TrimmedMessages).messages }),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};

/** Around the system prompt: the notice, and what surrounds both. */
const noticeTokens = 100;

/** The whole assembly, with a summary of what does not fit. The latest message of the user is the query. */
export const lociAssemble: ContextStep = {
  name: "Loci assemble",
  description:
    "assemble({ model, system, messages, query, window }), the layout memoryBlocks with a window of the budget",
  open: async ([first, ...others], maxTokens) => {
    const temporary = await openTemporaryLoci();
    const { loci } = temporary;
    const system = textOf(first ?? {});
    const latest = others.findLastIndex(({ role }) => role === "user");
    const query = textOf(others[latest] ?? {});
    const count = async (text: string): Promise<number> =>
      (await loci.tokens.count({ text, model: comparedModel })).tokens;
    const systemTokens = (await count(system)) + noticeTokens;
    const queryTokens = Math.min(maxTokens - systemTokens, await count(query));
    const window = {
      sections: {
        system: systemTokens,
        project: 0,
        task: 0,
        history: Math.max(0, maxTokens - systemTokens - queryTokens),
        knowledge: 0,
      },
      query: Math.max(0, queryTokens),
      response: 0,
      safetyBuffer: 0,
    };
    return {
      run: () => loci.assemble({ model: comparedModel, system, messages: others, query, window }),
      outcomeOf: (result) => ({ messages: (result as AssembledContext).messages }),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};
