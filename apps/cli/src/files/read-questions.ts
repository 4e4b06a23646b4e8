import type { EvaluationQuestion } from "@loci/evaluation";
import { LociError } from "@loci/domain";
import { boundedLines } from "./bounded-lines.ts";

/** Each of them is asked, and of all together a report is made that somebody reads. */
const mostQuestions = 10_000;

/**
 * The questions of a file, one a line. Empty lines are passed over.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_REQUEST` with file and line for what is no question, for more than 10,000 and for none
 */
export async function readQuestions(file: string): Promise<readonly EvaluationQuestion[]> {
  const { parseEvaluationQuestion } = await import("@loci/evaluation");
  const questions: EvaluationQuestion[] = [];
  let number = 0;
  for await (const line of boundedLines(file)) {
    number++;
    if (line.trim() === "") continue;
    if (questions.length === mostQuestions) throw unusable(file, `has more than ${mostQuestions} questions`);
    questions.push(parseEvaluationQuestion(line, `${file}:${number}`));
  }
  if (questions.length === 0) throw unusable(file, "has no questions");
  return questions;
}

function unusable(file: string, problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${file} ${problem}.`,
    resource: file,
    advice: 'Write a question a line, such as {"query":"which database?","expected":["PostgreSQL 17"]}.',
  });
}
