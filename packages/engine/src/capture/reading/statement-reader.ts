import type { Company } from "@loci/core";
import type { CaptureCandidate, CapturedTurn, UnreadWords } from "@loci/domain";
import type { JudgedAgainst } from "./found-statements.ts";

/** Reads turns by the rules, wherever that is done. */
export interface StatementReader {
  /** @param turn called between steps where the calling thread does it; resolves when that may go on */
  read(turns: readonly CapturedTurn[], options: ReadingOptions): Promise<ReadStatements>;
}

export interface ReadingOptions {
  readonly signal: AbortSignal;
  /** Whom the user is known to speak for who says `we`. */
  readonly company?: Company | undefined;
  readonly turn: () => Promise<void> | undefined;
}

/** What was found in turns. Disposed of when nothing more is asked of it. */
export interface ReadStatements extends Disposable {
  /** Of the statements, in order. */
  readonly texts: readonly string[];
  /** What is in no statement, as the rules take it for somebody else's. */
  readonly unread: readonly UnreadWords[];
  judge(against: JudgedAgainst): Promise<readonly CaptureCandidate[]>;
}
