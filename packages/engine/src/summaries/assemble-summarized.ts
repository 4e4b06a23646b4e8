import { assembleContext, type Assembly, type AssemblyInput, messageText } from "@loci/core";
import { type ChatMessage, messageSpan, type Principal, type Receipt } from "@loci/domain";
import type { ModelSummarizer } from "./model-summarizer.ts";

/**
 * Assembles a context whose older messages a model has summarised. What the model did not manage to is summarised without
 * it, and a warning says so.
 *
 * @throws LociError what `assembleContext` throws; `CANCELLED`, `DEADLINE_EXCEEDED`
 */
export async function assembleSummarized(
  summarizer: ModelSummarizer,
  principal: Principal,
  input: AssemblyInput,
  signal: AbortSignal,
): Promise<Assembly> {
  // Which messages need a summary depends on everything else in the window.
  const first = assembleContext(input);
  const count = summarizedMessages(first.receipt);
  if (count === 0) return first;
  const covered = input.messages.slice(0, count + messagesAhead(input.messages.slice(count)));
  const { given, problem } = await summarizer.summarize(principal, covered, signal, count);
  const assembly = given === undefined ? first : assembleContext({ ...input, historySummary: given });
  if (problem === undefined) return assembly;
  const section = input.layout.sections.find(({ source }) => source === "history")?.name;
  return {
    ...assembly,
    warnings: [
      ...assembly.warnings,
      {
        reason: "SUMMARY_FALLBACK",
        ...(section === undefined ? {} : { section }),
        message: `Older messages were summarised without the language model. ${problem}`,
        advice: "The summary is shorter than it could be. Check the language model, or try again later.",
      },
    ],
  };
}

/**
 * So much of what could be shown is summarised ahead. A summary of just what has left the window would be of no use at the next turn:
 * each context would wait for a call, and none would begin as the one before.
 */
const shareAhead = 1 / 4;

/** How many of the messages that could be shown are summarised ahead: old ones, from before the latest question. */
function messagesAhead(shown: readonly ChatMessage[]): number {
  const lengths = shown.map((message) => messageText(message).length);
  const most = lengths.reduce((sum, length) => sum + length, 0) * shareAhead;
  const lastQuestion = shown.findLastIndex(({ role }) => role === "user");
  let ahead = 0;
  for (let length = lengths[0] ?? 0; ahead < lastQuestion && length <= most; length += lengths[++ahead] ?? 0);
  return ahead;
}

/** How many messages, from the first on, a summary should cover: up to the last that is not shown itself. */
function summarizedMessages({ items }: Receipt): number {
  const last = items.findLast(({ kind, reason }) => kind === "message" && reason === "SUMMARIZED");
  return last === undefined ? 0 : (messageSpan(last)?.last ?? -1) + 1;
}
