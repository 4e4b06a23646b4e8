import { LociError } from "@loci/loci";
import { askHealth, type AskHealthOptions, type Health } from "../health/ask-health.ts";

/**
 * How a worker of a server is.
 *
 * @returns `undefined` for a worker that there is not, as of a server that is one process
 * @throws LociError `SERVER_UNAVAILABLE`, `DEADLINE_EXCEEDED` when the server does not answer
 */
export async function askWorker(
  server: AskHealthOptions,
  worker: NonNullable<AskHealthOptions["worker"]>,
): Promise<Health | undefined> {
  try {
    return await askHealth({ ...server, worker });
  } catch (error) {
    if (LociError.is(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
