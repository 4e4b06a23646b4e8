import { formatScope } from "@loci/domain";
import type { MemoryChange, WatchMemoriesRequest } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { forTerminal, oneLine } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine, printNote } from "../output/terminal.ts";

interface WatchOptions extends DataOptions {
  readonly allScopes?: boolean;
  readonly since: string;
  readonly once?: boolean;
}

/** `loci watch`: tells what becomes of memories, as it happens. */
export function addWatchCommand(program: Command, { signal }: CommandEnvironment): void {
  addDataOptions(program.command("watch"))
    .description("tell what becomes of memories, a line a change, until it is stopped")
    .option("--all-scopes", "every scope there is or will be, instead of --scope")
    .option("--since <place>", "now, beginning, or the cursor that the last line gave", "now")
    .option("--once", "stop where there is nothing more to tell for now")
    .action(async (options: WatchOptions) => {
      const { since, allScopes = false, once = false, json = false } = options;
      const request: WatchMemoriesRequest = { scopes: allScopes ? "*" : readScopes(options), since };
      await withLoci(options, "read", async (loci, place) => {
        if (place === "process" && !once && !json)
          printNote("loci: nobody else can write while this runs; serve the directory (loci serve) to watch others");
        for await (const change of loci.memories.watch(request, { signal })) {
          if (json) printJson(change);
          else printChange(change);
          if (once && change.type === "reached") break;
        }
      });
    });
}

function printChange(change: MemoryChange): void {
  if (change.type === "reached") printLine(`reached                                        ${change.cursor}`);
  else if (change.type === "removed") printLine(`removed  ${change.id}  ${change.cursor}`);
  else {
    const { id, scope, text, version } = change.memory;
    const place = forTerminal(formatScope(scope));
    printLine(`written  ${id}  ${change.cursor}  ${place}  version ${version}  ${oneLine(text, 80)}`);
  }
}
