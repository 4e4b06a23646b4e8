import type { TokenCounters } from "../budget/token-counters.ts";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import type { MemoryServices } from "../memories/memory-services.ts";

/** What it takes to keep sessions, and to make memories of their turns. */
export interface SessionServices extends MemoryServices {
  readonly tokens: TokenCounters;
  readonly thread: ThreadTurns;
}
