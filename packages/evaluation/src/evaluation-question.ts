import { checkFields, checkList, fieldsOf, LociError, parseScopes, type ScopeInput } from "@loci/domain";

/** A question, and what of all that is remembered answers it. */
export interface EvaluationQuestion {
  /** As it would be asked: at most 1 MiB. */
  readonly query: string;
  /**
   * Ids of memories that answer it, or parts of their texts, at most 20: capitals and white space do not count. A part of a text stands for
   * any memory that holds it. Several are several answers, all of which are looked for. None: nothing answers it, and nothing
   * should be found.
   */
  readonly expected: readonly string[];
  /** Where it is asked. Default: where all questions are. */
  readonly scopes?: readonly ScopeInput[] | undefined;
}

const fields = fieldsOf<EvaluationQuestion>({ query: true, expected: true, scopes: true });
const mostExpected = 20;

/**
 * Reads one line of a file of questions, such as `{"query":"which database?","expected":["PostgreSQL 17"]}`.
 *
 * @param place file and line, for the error message
 * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`
 */
export function parseEvaluationQuestion(line: string, place: string): EvaluationQuestion {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // What was thrown quotes the line, which may hold anything.
    throw notAQuestion(place, "is not JSON");
  }
  return checkEvaluationQuestion(value as EvaluationQuestion, place);
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE` */
export function checkEvaluationQuestion(question: EvaluationQuestion, place: string): EvaluationQuestion {
  checkFields(question, fields, place);
  const { query, expected, scopes } = question;
  if (!isText(query)) throw notAQuestion(place, "has no query");
  if (!Array.isArray(expected)) throw notAQuestion(place, "has no list of what is expected");
  checkList(expected, `${place}: expected`, { least: 0, most: mostExpected });
  if (!expected.every(isText)) throw notAQuestion(place, "expects what is no text");
  return scopes === undefined
    ? { query, expected }
    : { query, expected, scopes: parseScopes(scopes, `${place}: scopes`) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function notAQuestion(place: string, problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${place} ${problem}.`,
    resource: place,
    advice:
      'A question is {"query":"which database?","expected":["PostgreSQL 17"]}: parts of the texts that answer it, or ids of memories; [] where nothing answers it.',
  });
}
