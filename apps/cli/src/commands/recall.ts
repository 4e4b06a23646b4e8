import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printRecall } from "../output/print-recall.ts";
import { parseInstantOption } from "./instant-option.ts";
import { addRecallOptions, readRecallOptions, type RecallOptions } from "./recall-options.ts";
import { parseNumber } from "./remember.ts";

interface RecallCommandOptions extends DataOptions, RecallOptions {
  readonly limit?: number;
  readonly maxTokens?: number;
  readonly category?: readonly string[];
  readonly profile?: "assistant" | "archive";
  readonly evaluationTime?: number;
  readonly explain?: boolean;
}

/** `loci recall QUERY`: finds the memories that answer a question. */
export function addRecallCommand(program: Command, environment: CommandEnvironment): void {
  addRecallOptions(addDataOptions(program.command("recall <query>")))
    .description("find the memories that answer a question")
    .option("--limit <number>", "most memories (default 15)", parseNumber)
    .option("--max-tokens <number>", "most tokens of all texts together (default 1500)", parseNumber)
    .option("--category <category...>", "only these categories")
    .option("--profile <name>", "assistant or archive")
    .option("--evaluation-time <date>", 'the "now" of every score, ISO 8601', parseInstantOption)
    .option("--explain", "show every part of every score, and what was left out")
    .action((query: string, options: RecallCommandOptions) => recallAndPrint(query, options, environment));
}

/** Runs a recall and prints it. Reading is not use: nothing counts as accessed, and what was shown is noted for `--owner` only. */
export async function recallAndPrint(
  query: string,
  options: RecallCommandOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const result = await withLoci(options, "read", (loci) =>
    loci.recall(
      {
        query,
        scopes: readScopes(options),
        limit: options.limit,
        maxTokens: options.maxTokens,
        categories: options.category,
        profile: options.profile,
        evaluationTime: options.evaluationTime,
        ...readRecallOptions(options),
        explain: options.explain,
      },
      { signal: environment.signal },
    ),
  );
  if (options.json === true) printJson(result);
  else printRecall(result, { explain: options.explain === true });
}
