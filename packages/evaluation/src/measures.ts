import type { EvaluatedQuestion } from "./evaluation.ts";
import type { MeasureName, Measures } from "./measure-name.ts";

const usualPlaces = [1, 3, 5, 10];

/** @param limit how many memories a recall gave at most */
export function measuresOf(questions: readonly EvaluatedQuestion[], limit: number): Measures {
  const answerable = questions.filter(({ expected }) => expected.length > 0);
  const unanswerable = questions.filter(({ expected }) => expected.length === 0);
  const measures: Partial<Record<MeasureName, number>> = {};
  if (answerable.length > 0) {
    const depths = [...usualPlaces.filter((place) => place < limit), limit];
    for (const depth of depths)
      measures[`hit@${depth}`] = mean(answerable.map((question) => (bestPlace(question) <= depth ? 1 : 0)));
    for (const depth of depths)
      measures[`recall@${depth}`] = mean(
        answerable.map(({ places }) => mean(places.map((place = Infinity) => (place <= depth ? 1 : 0)))),
      );
    measures.mrr = mean(answerable.map((question) => 1 / bestPlace(question)));
  }
  if (unanswerable.length > 0)
    measures["nothing-found"] = mean(unanswerable.map(({ hits }) => (hits.length === 0 ? 1 : 0)));
  return measures;
}

function bestPlace({ places }: EvaluatedQuestion): number {
  return Math.min(...places.map((place = Infinity) => place));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
