/**
 * Names of measures:
 *
 * - `hit@k`: the share of the questions that something answers, of which an answer is among the first k
 * - `recall@k`: the share of all expected answers that are among the first k, each question counting the same
 * - `mrr`: the mean reciprocal rank, 1 divided by the place of the best answer, 0 where there is none among the hits
 * - `nothing-found`: the share of the questions that nothing answers for which nothing was found
 */
export type MeasureName = `hit@${number}` | `recall@${number}` | "mrr" | "nothing-found";

/** Each 0 to 1. Absent: there was no question for it. */
export type Measures = Readonly<Partial<Record<MeasureName, number>>>;
