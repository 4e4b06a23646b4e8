import type { AnswerLimit } from "../calls/answer-limit.ts";
import type { CallLimit } from "../calls/call-limit.ts";
import type { SharedAmount } from "../calls/shared-amount.ts";
import { serverInstruments } from "./metric-table.ts";

/** What of a server fills up. */
export interface ObservedServer {
  readonly limits: { readonly work: CallLimit; readonly wait: CallLimit };
  readonly openStreams: SharedAmount;
  readonly answers: AnswerLimit;
}

/** Tells how full the server is, until the answer is called. */
export function observeServer({ limits, openStreams, answers }: ObservedServer): () => void {
  return serverInstruments.observe(
    ["loci.server.running_calls", "loci.server.queued_calls", "loci.server.streams", "loci.server.unread_answers"],
    (observe) => {
      for (const [name, limit] of Object.entries(limits)) {
        observe("loci.server.running_calls", limit.running, { "loci.limit": name });
        observe("loci.server.queued_calls", limit.queued, { "loci.limit": name });
      }
      observe("loci.server.streams", openStreams.total);
      observe("loci.server.unread_answers", answers.unreadBytes);
    },
  );
}
