import { judgeProposals, type Proposals, proposalsToJudge, readProposals } from "@loci/core";
import type { CaptureOutcome } from "@loci/domain";
import { candidatesByRules, type JudgedCandidates, knownMemories, type ReadSession } from "./candidates-by-rules.ts";
import type { CaptureModelCalls } from "./capture-model.ts";
import type { CaptureWishes } from "./capture-prompts.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { comparedMemories } from "./compared-memories.ts";
import { comparedVectors } from "./compared-vectors.ts";
import { cosinesOf } from "./reading/found-statements.ts";
import type { StatementsHere } from "./reading/read-here.ts";

/** How candidates came about. */
type Report = Omit<CaptureOutcome, "candidates">;

/**
 * Has a model find and judge. What it cannot be relied upon for, the rules do: all of it when it finds nothing of the form asked for,
 * and the judging when only that fails. The report says so.
 */
export async function candidatesByModel(
  services: CaptureServices,
  call: CaptureCall,
  found: ReadSession<StatementsHere> & { readonly wishes: CaptureWishes },
  model: CaptureModelCalls,
): Promise<JudgedCandidates & Report> {
  const { turns, after = 0 } = found.input;
  const { value: extracted, problem } = await model.extract({ turns, after, wishes: found.wishes }, call.signal);
  if (extracted === undefined) {
    const judged = await candidatesByRules(services, call, found);
    const { model: name, usage } = model;
    const { unread } = found.statements;
    return { ...judged, extractor: "rules", isFallback: true, model: name, modelProblem: problem, usage, unread };
  }
  const { proposals, leftOut } = extracted;
  const { judgingProblem, ...judged } = await judgedProposals(services, call, { ...found, proposals }, model);
  const modelProblem = judgingProblem ?? (leftOut === 0 ? undefined : problemOf(leftOut));
  const report: Report = {
    extractor: "model",
    isFallback: judgingProblem !== undefined,
    model: model.model,
    usage: model.usage,
    ...(modelProblem === undefined ? {} : { modelProblem }),
  };
  return { ...judged, ...report };
}

async function judgedProposals(
  services: CaptureServices,
  call: CaptureCall,
  {
    scopes,
    input,
    statements: { statements },
    proposals,
  }: ReadSession<StatementsHere> & { readonly proposals: readonly Proposals[] },
  model: CaptureModelCalls,
): Promise<JudgedCandidates & { readonly judgingProblem: string | undefined }> {
  const ready = readProposals(input, proposals, statements).flatMap((proposal) => proposal.ready ?? []);
  const texts = ready.map(({ text }) => text);
  const slots = ready.flatMap(({ candidate }) => candidate.slot ?? []);
  const known = await comparedMemories(services, call, { scopes, texts, slots });
  const cosineOf = cosinesOf(await comparedVectors(services, call, texts, known));
  // Any memory that is known may have been shown to the assistant: what it says again of them is no news.
  const shown = known.map(({ memory }) => memory.text);
  const read = readProposals({ ...input, shown }, proposals, statements);
  const judgingInput = { ...input, memories: knownMemories(known), cosineOf };
  const { value: judged = [], problem } = await model.judge(proposalsToJudge(read, judgingInput), call.signal);
  return { candidates: judgeProposals(read, judged, judgingInput).candidates, known, judgingProblem: problem };
}

function problemOf(leftOut: number): string {
  const were = leftOut === 1 ? "1 was" : `${leftOut} were`;
  return `Of the language model's candidates ${were} left out: not of the form asked for, or too many.`;
}
