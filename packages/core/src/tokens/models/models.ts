import { anthropicModels } from "./anthropic-models.ts";
import { googleModels } from "./google-models.ts";
import type { ModelEntry } from "./model-entry.ts";
import { openAiModels } from "./openai-models.ts";
import { openWeightModels } from "./open-weight-models.ts";

/**
 * Windows and output limits as the providers publish them; where an interface offers less than the model can take, the
 * smaller number.
 */
export const models: readonly ModelEntry[] = [
  ...openAiModels,
  ...anthropicModels,
  ...googleModels,
  ...openWeightModels,
];
