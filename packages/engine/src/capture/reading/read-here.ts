import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import { takeTurns } from "../../calls/take-turns.ts";
import { FoundStatements, type JudgedAgainst } from "./found-statements.ts";
import type { ReadingOptions, ReadStatements } from "./statement-reader.ts";

/** Statements that the calling thread has read, and judges. */
export class StatementsHere implements ReadStatements {
  readonly #found: FoundStatements;
  readonly #turn: ReadingOptions["turn"];

  private constructor(found: FoundStatements, turn: ReadingOptions["turn"]) {
    this.#found = found;
    this.#turn = turn;
  }

  /** Reads turns step by step. */
  static async of(
    turns: readonly CapturedTurn[],
    { turn, company }: Pick<ReadingOptions, "turn" | "company">,
  ): Promise<StatementsHere> {
    return new StatementsHere(await takeTurns(FoundStatements.in(turns, company), turn), turn);
  }

  get statements(): FoundStatements["statements"] {
    return this.#found.statements;
  }

  get texts(): readonly string[] {
    return this.#found.texts;
  }

  get unread(): FoundStatements["unread"] {
    return this.#found.unread;
  }

  judge(against: JudgedAgainst): Promise<readonly CaptureCandidate[]> {
    return takeTurns(this.#found.judged(against), this.#turn);
  }

  /** Nothing but memory is held. */
  [Symbol.dispose](): void {}
}
