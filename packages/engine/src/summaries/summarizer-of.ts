import type { DetectionPolicies } from "@loci/core";
import { LociError } from "@loci/domain";
import type { LanguageModel } from "@loci/language-model";
import type { GuardedModel } from "../usage/guarded-model.ts";
import { ModelSummarizer } from "./model-summarizer.ts";

export interface SummaryOptions {
  readonly summaryModel?: LanguageModel | undefined;
  readonly summaryTemplate?: string | undefined;
}

export interface SummarizerParts {
  readonly guarded: (model: LanguageModel) => GuardedModel;
  readonly detection: DetectionPolicies;
}

/**
 * What summarises conversations, as the options have it; `undefined` when no model does.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a template that cannot be used, or that there is no model for
 */
export function summarizerOf(
  { summaryModel, summaryTemplate }: SummaryOptions,
  { guarded, detection }: SummarizerParts,
): ModelSummarizer | undefined {
  if (summaryModel !== undefined)
    return new ModelSummarizer({ model: guarded(summaryModel), template: summaryTemplate, detection });
  if (summaryTemplate === undefined) return undefined;
  throw new LociError("INVALID_CONFIGURATION", {
    message: "There is a summaryTemplate, but no summaryModel that it could tell anything.",
    field: "summaryTemplate",
    advice: "Give a summaryModel, or leave the template out: summaries without a model go by rules.",
  });
}
