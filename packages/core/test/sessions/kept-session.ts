import { type AppendedTurns, type AppendTurnsRequest, type ErrorReason, LociError, type Turn } from "@loci/domain";
import { closedSession, newSession, planAppend, reopenedSession, type SessionHeader } from "../../src/index.ts";

export const now = 1_790_000_000_000;

/** A session with its turns in memory: what an engine does with a plan, without its ledger. */
export class KeptSession {
  header: SessionHeader = newSession({ scope: "user:alice", id: "s1" }, now);
  readonly turns: Turn[] = [];

  append(request: AppendTurnsRequest, at: number = now): AppendedTurns {
    const stored = this.turns.slice(request.expectedLast, request.expectedLast + request.turns.length);
    const plan = planAppend(this.header, stored, request, at);
    this.header = plan.session;
    this.turns.push(...plan.turns);
    return plan.appended;
  }

  /** Appends, or says for what reason not. */
  tryAppend(request: AppendTurnsRequest): AppendedTurns | ErrorReason {
    try {
      return this.append(request);
    } catch (error) {
      if (LociError.is(error)) return error.reason;
      throw error;
    }
  }

  close(): void {
    this.header = closedSession(this.header, now);
  }

  reopen(): void {
    this.header = reopenedSession(this.header, now);
  }
}
