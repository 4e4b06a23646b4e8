// What `docs/guides/guard-a-model-call.md` shows: room before each call of a model, what it used after it.
import { type ChatMessage, type Loci, LociError, openLoci, type ToolDefinition } from "@loci/loci";

/** What a call of your model answers. */
export interface Answer {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type Model = (messages: readonly ChatMessage[]) => Promise<Answer>;

/** A conversation that you keep, and what it is limited to. */
export interface Conversation {
  readonly session: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[] | undefined;
}

export async function guardedCall(loci: Loci, { session, messages, tools }: Conversation, ask: Model): Promise<string> {
  const guarded = await loci.budget.enforce({
    model: "gpt-4o",
    messages,
    tools,
    maxInputTokens: 8_192,
    estimatedOutputTokens: 1_000,
    onExceed: "SUMMARIZE",
    session,
  });
  const { text, inputTokens, outputTokens } = await ask(guarded.messages);
  await loci.budget.record({ model: "gpt-4o", session, inputTokens, outputTokens });
  return text;
}

export async function look(loci: Loci): Promise<string> {
  const check = await loci.budget.check({
    systemTokens: 100,
    conversationTokens: 7_300,
    estimatedOutputTokens: 500,
  });
  return check.allowed ? `${check.remainingInputTokens} tokens are left.` : `${check.action}: ${check.message}`;
}

export async function openWithCaps(dataDirectory?: string): Promise<Loci> {
  return openLoci({
    tenant: "acme",
    dataDirectory,
    usageCaps: { tenant: { cost: 20 }, session: { tokens: 50_000 } },
    models: [{ name: "our-model", tokenizer: "o200k_base", prices: { input: 1.5, output: 6 } }],
  });
}

export async function answerOrSay(loci: Loci, conversation: Conversation, ask: Model): Promise<string> {
  try {
    return await guardedCall(loci, conversation, ask);
  } catch (error) {
    if (!LociError.is(error)) throw error;
    if (error.reason === "USAGE_CAP_REACHED") return "This conversation has used up what it may.";
    if (error.reason === "KEPT_MESSAGES_TOO_LARGE") return "This message is too long for the model.";
    throw error;
  }
}
