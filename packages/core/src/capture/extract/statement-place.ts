import type { CapturedTurn } from "@loci/domain";
import type { Company } from "./company.ts";

/** Where a sentence stands. */
export interface StatementPlace {
  readonly turn: CapturedTurn;
  /** The last words of the assistant before it, */
  readonly before: CapturedTurn | undefined;
  /** the question that it ends with, when the sentence comes first behind it, */
  readonly question: string | undefined;
  /** the last sentence of it that tells something, */
  readonly lastSaid: string | undefined;
  /** and what the assistant replied, turn by turn, */
  readonly replies: readonly string[];
  /** which tells of its work where it called tools for it. */
  readonly isWorkedOn: boolean;
  /** The assistant works with tools in this session. */
  readonly isWithTools: boolean;
  readonly isFirst: boolean;
  /** In a turn before it the user told something that is worth remembering: who is asked then is in no quiz. */
  readonly hasTold: boolean;
  /** Nothing in its turn was printed by a program or written by somebody else. */
  readonly isAllOwn: boolean;
  /** It is one of the items of a list. */
  readonly isItem: boolean;
  /** It begins with words that correct the assistant, */
  readonly corrects: boolean;
  /** which was told to do something, and not asked about something. */
  readonly isWork: boolean;
  readonly company: Company;
}
