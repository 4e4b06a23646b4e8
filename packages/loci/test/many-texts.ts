import type { ChatMessage, Loci, ScopeInput } from "@loci/loci";

const scope: ScopeInput = "user:mallory";
let made = 0;

/** So many texts that begin differently from all before. */
function texts(text: string, count: number): readonly string[] {
  made++;
  return Array.from({ length: count }, (_, index) => `${made} ${index} ${text}`.slice(0, text.length));
}

function messages(text: string, count: number): readonly ChatMessage[] {
  return texts(text, count).map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

/** Calls that may bring many texts, each as long as a text may be. */
export const manyTexts: Readonly<Record<string, (loci: Loci, text: string, count: number) => Promise<unknown>>> = {
  rememberMany: (loci, text, count) =>
    loci.memories.rememberMany(texts(text, count).map((one) => ({ text: one, scope }))),
  "rememberMany of one text": (loci, text, count) => {
    const [one = ""] = texts(text, 1);
    return loci.memories.rememberMany(Array.from({ length: count }, () => ({ text: one, scope })));
  },
  rememberConversation: (loci, text, count) =>
    loci.memories.rememberConversation({
      scope,
      turns: texts(text.slice(0, 20_000), count).map((content, index) => ({
        id: String(index),
        speaker: "Mallory",
        content,
        at: 1_700_000_000_000,
      })),
    }),
  trim: (loci, text, count) => loci.budget.trim({ messages: messages(text, count), maxTokens: 1_000, model: "gpt-4o" }),
  enforce: (loci, text, count) =>
    loci.budget.enforce({
      messages: [...messages(text, count), ...messages("What next? ", 4)],
      maxInputTokens: 1_000,
      onExceed: "SUMMARIZE",
      model: "gpt-4o",
    }),
  assemble: (loci, text, count) =>
    loci.assemble({
      query: "When do we deploy?",
      messages: messages(text, count),
      model: "gpt-4o",
      recall: { scopes: [scope] },
    }),
};
