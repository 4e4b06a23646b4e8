import type { Instant } from "./instant.ts";
import type { Category } from "./memory.ts";

/** What a daily log tells of a memory that was made from a session. */
export interface CapturedEntry {
  readonly category: Category;
  readonly text: string;
  readonly at: Instant;
}

/** What a daily log is written from, a session each. Turns and memories of other days are passed over. */
export interface LoggedSession {
  readonly id: string;
  readonly title?: string | null | undefined;
  /** When its turns were said, in the order of the turns. */
  readonly turns: readonly Instant[];
  readonly captured: readonly CapturedEntry[];
}
