import type { Command } from "commander";
import type { BudgetCheck } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions } from "../config/open-data-directory.ts";
import { withLociOrEmpty } from "../config/with-loci-or-empty.ts";
import { printJson } from "../output/print-json.ts";
import { parseNumber } from "./number-option.ts";
import { printLine } from "../output/terminal.ts";

interface BudgetOptions extends DataOptions {
  readonly max?: number;
  readonly output?: number;
  readonly margin?: number;
}

/** `loci budget SYSTEM CONVERSATION`: says whether a model call of so many tokens fits. */
export function addBudgetCommand(program: Command, environment: CommandEnvironment): void {
  addDataOptions(program.command("budget"))
    .description("say whether a model call fits its budget, all in tokens")
    .argument("<system>", "tokens of the system prompt", parseNumber)
    .argument("<conversation>", "tokens of the conversation", parseNumber)
    .option("--max <tokens>", "most input tokens (default 8192)", parseNumber)
    .option("--output <tokens>", "estimated output tokens (default 4096)", parseNumber)
    .option("--margin <share>", "share of the maximum to keep free (default 0.1)", parseNumber)
    .action(async (systemTokens: number, conversationTokens: number, options: BudgetOptions) => {
      const check = await withLociOrEmpty(options, (loci) =>
        loci.budget.check(
          {
            systemTokens,
            conversationTokens,
            maxInputTokens: options.max,
            estimatedOutputTokens: options.output,
            safetyMarginRatio: options.margin,
          },
          { signal: environment.signal },
        ),
      );
      if (options.json === true) printJson(check);
      else printLine(describe(check));
    });
}

function describe(check: BudgetCheck): string {
  const used = `${Math.round(check.utilization * 100)}% used, ${check.remainingInputTokens} tokens of input left`;
  return check.allowed ? `Fits: ${used}.` : `${check.message}\nAdvised: ${check.action} (${check.code}); ${used}.`;
}
