import { LociError } from "@loci/domain";
import type { AgentMemoryStage } from "./agent-memory-options.ts";

const whatFailed: Readonly<Record<AgentMemoryStage, string>> = {
  recall: "nothing was recalled for a model call, which went on without",
  capture: "what was said was not kept",
};

/** Warns on the console. What Loci says of a problem quotes no memory; of anything else there is only its name. */
export function warnOfProblem(error: unknown, stage: AgentMemoryStage): void {
  const why = LociError.is(error)
    ? [`${error.reason}:`, error.message, adviceOn(error, stage) ?? []].flat().join(" ")
    : error instanceof Error
      ? error.name
      : typeof error;
  console.warn(`Loci: ${whatFailed[stage]}. ${why}`);
}

/** Who closed Loci too early has called nothing of it that could come back: the call was the memory's. */
function adviceOn({ reason, advice }: LociError, stage: AgentMemoryStage): string | undefined {
  return reason === "CLOSED" && stage === "capture" ? "Wait for the memory's settled() before you close Loci." : advice;
}
