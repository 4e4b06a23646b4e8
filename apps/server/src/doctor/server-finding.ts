import { LociError } from "@loci/loci";
import { askHealth, type AskHealthOptions } from "../health/ask-health.ts";
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
