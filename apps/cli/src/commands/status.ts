import { setTimeout as sleep } from "node:timers/promises";
import { LociError } from "@loci/domain";
import type { Loci } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addConnectionOptions } from "../config/connection-options.ts";
import { type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printStatus } from "../output/print-status.ts";
import { clearTerminal } from "../output/terminal.ts";

interface StatusOptions extends Omit<DataOptions, "scope"> {
  readonly watch?: boolean;
}

const watchMilliseconds = 2_000;

/** What was written a moment ago, and indexes that a directory's last user has left to the next one, are applied within that. */
const applyingMilliseconds = 1_000;

/** `loci status`: what is in the store, and whether all that follows the ledger has kept up. */
export function addStatusCommand(program: Command, { signal }: CommandEnvironment): void {
  addConnectionOptions(program.command("status"))
    .description("say what is in the store, how far the indexes are behind it, and what waits to be done")
    .option("--watch", "again every 2 s, until it is stopped")
    .option("--json", "print JSON for machines, a line each time")
    .action((options: StatusOptions) =>
      withLoci({ ...options, scope: [] }, "read", async (loci) => {
        const { json = false, watch = false } = options;
        await settleSoon(loci, signal);
        for (;;) {
          await showStatus(loci, { json, watch, signal });
          if (!watch) return;
          // Who stops it between two looks has seen what there is to see.
          await sleep(watchMilliseconds, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
        }
      }),
    );
}

/** Waits for the indexes as long as they take, and no longer than a moment: how far they are behind is what is asked. */
async function settleSoon(loci: Loci, signal: AbortSignal): Promise<void> {
  try {
    await loci.settled({ signal, deadline: Date.now() + applyingMilliseconds });
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "DEADLINE_EXCEEDED") throw error;
  }
}

async function showStatus(
  loci: Loci,
  { json, watch, signal }: { readonly json: boolean; readonly watch: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const status = await loci.status({ signal });
  if (json) printJson(status);
  else {
    if (watch) clearTerminal();
    printStatus(status, Date.now());
  }
}
