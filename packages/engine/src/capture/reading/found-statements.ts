import {
  type CaptureInput,
  captureSteps,
  type Company,
  statementSteps,
  type Steps,
  type TurnStatement,
  turnReadings,
  unreadSteps,
} from "@loci/core";
import { type CaptureCandidate, type CapturedTurn, cosineOfUnitVectors, type UnreadWords } from "@loci/domain";

/** Vectors of texts, in one stretch: those of the first text, then those of the second. A text without one is not among them. */
export interface TextVectors {
  readonly texts: readonly string[];
  readonly values: Float32Array<ArrayBuffer>;
}

/** What statements are judged against. Plain data. */
export interface JudgedAgainst extends Omit<CaptureInput, "turns" | "cosineOf"> {
  readonly vectors: TextVectors;
}

/** What the rules find in turns, kept until it has been judged. */
export class FoundStatements {
  readonly #turns: readonly CapturedTurn[];
  readonly statements: readonly TurnStatement[];
  /** What is in no statement, as the rules take it for somebody else's. */
  readonly unread: readonly UnreadWords[];

  private constructor(
    turns: readonly CapturedTurn[],
    { statements, unread }: Pick<FoundStatements, "statements" | "unread">,
  ) {
    this.#turns = turns;
    this.statements = statements;
    this.unread = unread;
  }

  static *in(turns: readonly CapturedTurn[], company: Company | undefined): Steps<FoundStatements> {
    const readings = turnReadings(turns);
    const unread = yield* unreadSteps(turns, readings);
    return new FoundStatements(turns, { statements: yield* statementSteps(turns, company, readings), unread });
  }

  get texts(): readonly string[] {
    return this.statements.map(({ text }) => text);
  }

  *judged({ vectors, ...against }: JudgedAgainst): Steps<readonly CaptureCandidate[]> {
    const input: CaptureInput = { ...against, turns: this.#turns, cosineOf: cosinesOf(vectors) };
    const { candidates } = yield* captureSteps(input, this.statements);
    return candidates;
  }
}

/** What has no vector is like nothing. */
export function cosinesOf({ texts, values }: TextVectors): CaptureInput["cosineOf"] {
  const dimensions = values.length / Math.max(1, texts.length);
  const vectors = new Map(
    texts.map((text, index) => [text, values.subarray(index * dimensions, (index + 1) * dimensions)]),
  );
  return (left, right) => {
    const [one, other] = [vectors.get(left), vectors.get(right)];
    return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
  };
}
