import type { Company } from "@loci/core";
import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import type { JudgedAgainst } from "./found-statements.ts";
import type { ReadStatements } from "./statement-reader.ts";

/** What the thread that reads for captures is asked. `id` is that of the message; `reading` that of the message that began it. */
export type ReadingRequest =
  | {
      readonly type: "read";
      readonly id: number;
      readonly turns: readonly CapturedTurn[];
      readonly company: Company | undefined;
    }
  | { readonly type: "judge"; readonly id: number; readonly reading: number; readonly against: JudgedAgainst }
  | { readonly type: "forget"; readonly reading: number };

export type ReadingAnswer =
  | { readonly type: "read"; readonly id: number; readonly result: Pick<ReadStatements, "texts" | "unread"> }
  | { readonly type: "judged"; readonly id: number; readonly result: readonly CaptureCandidate[] }
  | { readonly type: "failed"; readonly id: number; readonly error: unknown };

/** So many messages at once can be told apart when they are cancelled. */
export const cancellationPlaces = 256;

/** What the thread is started with. The place of a message, by its id, holds that id when nobody waits for its answer. */
export interface ReadingThreadData {
  readonly cancellations: Int32Array;
}
