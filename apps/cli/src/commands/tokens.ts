import { text } from "node:stream/consumers";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions } from "../config/open-data-directory.ts";
import { withLociOrEmpty } from "../config/with-loci-or-empty.ts";
import { printJson } from "../output/print-json.ts";
import { textOption } from "./text-option.ts";
import { printLine } from "../output/terminal.ts";

interface TokensOptions extends DataOptions {
  readonly model?: string;
}

/** `loci tokens TEXT`: counts a text, a file given as `@FILE`, or standard input given as `-`. */
export function addTokensCommand(program: Command, environment: CommandEnvironment): void {
  addDataOptions(program.command("tokens <text>"))
    .description("count the tokens of a text, of @FILE, or of standard input (-)")
    .option("--model <name>", "whose tokenizer counts (default o200k_base)")
    .action(async (given: string, options: TokensOptions) => {
      const content = given === "-" ? await text(process.stdin) : ((await textOption(given)) ?? "");
      const count = await withLociOrEmpty(options, (loci) =>
        loci.tokens.count({ text: content, model: options.model }, { signal: environment.signal }),
      );
      if (options.json === true) printJson(count);
      else printLine(`${count.tokens} tokens (${count.tokenizer}${count.estimated ? ", estimated" : ""})`);
    });
}
