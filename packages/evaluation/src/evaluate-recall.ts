import { type CallOptions, type Loci, LociError, type RecallRequest } from "@loci/domain";
import type { RecallEvaluation } from "./evaluation.ts";
import { checkEvaluationQuestion, type EvaluationQuestion } from "./evaluation-question.ts";
import { ExpectedMemory, type SearchedMemory, searchedMemory } from "./expected-memory.ts";
import { measuresOf } from "./measures.ts";
import { type AskedQuestion, explainMissing } from "./missing-answers.ts";

/** How questions are asked. */
export interface EvaluatedRecall extends Omit<RecallRequest, "query" | "explain" | "also" | "recordUsage"> {
  /** Most memories a question, 1 to 1,000: the last place that is measured. Default 10. */
  readonly limit?: number | undefined;
  /** Told of each question that was asked. */
  readonly onProgress?: ((this: void, done: number, total: number) => void) | undefined;
}

const usualLimit = 10;

/**
 * Asks questions of which it is known what answers them, one after the other, and measures how many are answered and where the answers stand. What
 * is missing is explained. Nothing is written, and nothing counts as used.
 *
 * @param loci in process, or a connected one: needs the role `read`
 * @throws LociError `INVALID_REQUEST` for no questions and for one that is none, and what `recall` and `memories.list` throw
 */
export async function evaluateRecall(
  loci: Loci,
  questions: readonly EvaluationQuestion[],
  { onProgress, ...recall }: EvaluatedRecall,
  call?: CallOptions,
): Promise<RecallEvaluation> {
  if (questions.length === 0)
    throw new LociError("INVALID_REQUEST", {
      message: "There is no question to evaluate recall by.",
      field: "questions",
      advice: "Give at least one; 50 or more tell two settings apart.",
    });
  const limit = recall.limit ?? usualLimit;
  const checked = questions.map((question, index) => checkEvaluationQuestion(question, `questions[${index}]`));
  const asked: AskedQuestion[] = [];
  // Not measured: the first recall of a process opens what the others find open.
  await loci.recall({ ...requestOf(checked[0] as EvaluationQuestion, recall, limit), limit: 1 }, call);
  for (const question of checked) {
    const request = requestOf(question, recall, limit);
    const started = performance.now();
    const { hits } = await loci.recall(request, call);
    const milliseconds = performance.now() - started;
    const searched = hits.map(({ memory }) => searchedMemory(memory));
    const places = question.expected.map((each) => placeAmong(searched, new ExpectedMemory(each)));
    asked.push({ request, question: { ...question, hits, places, milliseconds } });
    onProgress?.(asked.length, checked.length);
  }
  const evaluated = await explainMissing(loci, asked, call);
  const answerable = evaluated.filter(({ expected }) => expected.length > 0).length;
  return {
    measures: measuresOf(evaluated, limit),
    answerable,
    unanswerable: evaluated.length - answerable,
    milliseconds: quantiles(evaluated.map(({ milliseconds }) => milliseconds)),
    questions: evaluated,
  };
}

function requestOf(
  { query, scopes }: EvaluationQuestion,
  recall: Omit<EvaluatedRecall, "onProgress">,
  limit: number,
): RecallRequest {
  return { ...recall, query, scopes: scopes ?? recall.scopes, limit, recordUsage: "none" };
}

/** From 1. */
function placeAmong(searched: readonly SearchedMemory[], expected: ExpectedMemory): number | undefined {
  const index = searched.findIndex((memory) => expected.isIn(memory));
  return index < 0 ? undefined : index + 1;
}

/** By nearest rank. */
function quantiles(values: readonly number[]): RecallEvaluation["milliseconds"] {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}
