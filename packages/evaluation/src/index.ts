export { evaluateRecall, type EvaluatedRecall } from "./evaluate-recall.ts";
export type { EvaluatedQuestion, MissingAnswer, RecallEvaluation } from "./evaluation.ts";
export { type EvaluationQuestion, parseEvaluationQuestion } from "./evaluation-question.ts";
export type { MeasureName, Measures } from "./measure-name.ts";
