import { formatScope } from "@loci/domain";
import type { Loci, WatchMemoriesRequest } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addOperatorOptions, type OperatorOptions, withOperator } from "../config/operator-options.ts";
import { forTerminal } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

/** How much is remembered in a scope. */
interface ScopeCount {
  readonly scope: string;
  readonly memories: number;
}

/** `loci scopes`: where there are memories that the caller may read, and how many. */
export function addScopesCommand(program: Command, { signal }: CommandEnvironment): void {
  addOperatorOptions(program.command("scopes"))
    .description("list the scopes that hold memories, with how many")
    .action(async (options: OperatorOptions) => {
      const counts = await withOperator(options, (loci) => countScopes(loci, signal));
      if (options.json === true) return printJson({ scopes: counts });
      if (counts.length === 0) printLine("Nothing is remembered yet.");
      for (const { scope, memories } of counts) printLine(`${String(memories).padStart(8)}  ${forTerminal(scope)}`);
    });
}

/** Reads every memory once: what a key may not read is not counted. In order of their names. */
async function countScopes(loci: Loci, signal: AbortSignal): Promise<readonly ScopeCount[]> {
  const everything: WatchMemoriesRequest = { scopes: "*", since: "beginning" };
  const scopes = new Map<string, string>();
  for await (const change of loci.memories.watch(everything, { signal })) {
    if (change.type === "reached") break;
    if (change.type === "written") scopes.set(change.memory.id, formatScope(change.memory.scope));
    else scopes.delete(change.id);
  }
  return [...Map.groupBy(scopes.values(), (scope) => scope)]
    .map(([scope, each]) => ({ scope, memories: each.length }))
    .toSorted((left, right) => (left.scope < right.scope ? -1 : 1));
}
