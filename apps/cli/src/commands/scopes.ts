import { formatScope } from "@loci/domain";
import type { Loci } from "@loci/loci";
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

/** As many as there may be on a page. */
const pageSize = 1_000;

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

/** In the order of their names. What a key may not read is not among them. */
async function countScopes(loci: Loci, signal: AbortSignal): Promise<readonly ScopeCount[]> {
  const counts: ScopeCount[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.scopes({ pageSize, pageToken }, { signal });
    for (const { scope, memories } of page.scopes) counts.push({ scope: formatScope(scope), memories });
    if (page.nextPageToken === undefined) return counts;
    pageToken = page.nextPageToken;
  }
}
