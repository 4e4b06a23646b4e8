import { LociError } from "@loci/loci";
import { askHealth, type AskHealthOptions, type Health } from "../health/ask-health.ts";
import type { WorkerPart } from "../health/health-probe.ts";
import { askWorker } from "./ask-worker.ts";
import { fail, failWith, type Finding, ok } from "./finding.ts";

/** Whether a server answers, and whether what it stands on does. */
export async function serverFinding(server: AskHealthOptions): Promise<Finding> {
  try {
    const [whole, ledger, index] = [
      await askHealth(server),
      await askHealth({ ...server, part: "ledger" }),
      await askHealth({ ...server, part: "index" }),
    ];
    if (whole === "SERVING") return ok("server", `${server.address} answers and serves.`);
    const workers = await failingWorkers(server);
    if (workers.length > 0)
      return fail(
        "server",
        `${server.address} answers, but not all of its workers serve: ${workers.join("; ")}.`,
        "A worker has the shard of its number, if the directory is divided. Its lines in the log name it (`worker`): one with the event `health`, `worker ended` or `worker stuck`, and before it the reason.",
      );
    return fail(
      "server",
      `${server.address} answers, but does not serve: ledger ${ledger}, index ${index}.`,
      "It may be stopping. Else its log has a line with the event `health`, and before it the reason.",
    );
  } catch (error) {
    if (LociError.is(error) && error.code === "UNAVAILABLE")
      return fail("server", `${server.address} does not answer: ${error.message}`, "Start it, or look at its log.");
    return failWith("server", error);
  }
}

/** Those that do not serve, and what of them does not. None of a server that is one process. */
async function failingWorkers(server: AskHealthOptions): Promise<readonly string[]> {
  const failing: string[] = [];
  for (let number = 0; ; number++) {
    const of = (part: WorkerPart): Promise<Health | undefined> => askWorker(server, { number, part });
    const whole = await of("server");
    if (whole === undefined) return failing;
    if (whole === "SERVING") continue;
    const isThere = (await of("process")) === "SERVING";
    const how = isThere ? `ledger ${await of("ledger")}, index ${await of("index")}` : "it is not there";
    failing.push(`worker ${number} (${how})`);
  }
}
