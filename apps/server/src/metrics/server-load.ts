import type { AnswerLimit } from "../calls/answer-limit.ts";
import type { CallLimit } from "../calls/call-limit.ts";
import type { SharedAmount } from "../calls/shared-amount.ts";
import type { HealthService } from "../health/health-service.ts";
import { partNames } from "../health/health-probe.ts";
import { serverInstruments } from "./metric-table.ts";

/** What of a server fills up, and what says whether it serves. */
export interface ObservedServer {
  readonly limits: { readonly work: CallLimit; readonly wait: CallLimit };
  readonly openStreams: SharedAmount;
  readonly answers: AnswerLimit;
  readonly health: HealthService;
  readonly connections: () => number;
}

/** Tells how full the server is, and whether it serves, until the answer is called. */
export function observeServer({ limits, openStreams, answers, health, connections }: ObservedServer): () => void {
  return serverInstruments.observe(
    [
      "loci.server.running_calls",
      "loci.server.queued_calls",
      "loci.server.streams",
      "loci.server.unread_answers",
      "loci.server.connections",
      "loci.server.serving",
    ],
    (observe) => {
      for (const [name, limit] of Object.entries(limits)) {
        observe("loci.server.running_calls", limit.running, { "loci.limit": name });
        observe("loci.server.queued_calls", limit.queued, { "loci.limit": name });
      }
      observe("loci.server.streams", openStreams.total);
      observe("loci.server.unread_answers", answers.unreadBytes);
      observe("loci.server.connections", connections());
      for (const [part, service] of Object.entries(partNames))
        observe("loci.server.serving", health.isServing(service) ? 1 : 0, { "loci.part": part });
    },
  );
}
