import { assembleContext, type Assembly, type AssemblyInput } from "@loci/core";
import { messageSpan, type Principal, type Receipt } from "@loci/domain";
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
  const { given, problem } = await summarizer.summarize(principal, input.messages.slice(0, count), signal);
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

/** How many messages, from the first on, a summary should cover: up to the last that is not shown itself. */
function summarizedMessages({ items }: Receipt): number {
  const last = items.findLast(({ kind, reason }) => kind === "message" && reason === "SUMMARIZED");
  return last === undefined ? 0 : (messageSpan(last)?.last ?? -1) + 1;
}
