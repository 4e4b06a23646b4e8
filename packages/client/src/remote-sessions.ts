import { LociError, type SessionsApi } from "@loci/domain";

/** Sessions, as soon as servers have them. */
export function remoteSessions(): SessionsApi {
  const refuse = async (): Promise<never> => {
    throw new LociError("UNSUPPORTED_OPERATION", {
      message: "Sessions cannot be reached over gRPC yet.",
      advice: "Open the data directory in process.",
    });
  };
  return {
    create: refuse,
    get: refuse,
    list: refuse,
    close: refuse,
    reopen: refuse,
    delete: refuse,
    append: refuse,
    turns: refuse,
    dailyLog: refuse,
    turnState: {
      load: refuse,
      save: refuse,
      merge: refuse,
      recordDecision: refuse,
      recordAction: refuse,
      markBlocked: refuse,
      isTerminal: refuse,
      summaryForContext: refuse,
    },
  };
}
