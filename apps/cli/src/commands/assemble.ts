import type { Command } from "commander";
import { LociError, parseScopes } from "@loci/domain";
import type { AssembledContext, ChatMessage, RankProfile, WaterfallMode } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci, writeScope } from "../config/open-data-directory.ts";
import { noteEmptyScopes } from "../config/note-empty-scopes.ts";
import { forTerminal } from "../output/format-text.ts";
import { memoryTexts } from "../output/memory-texts.ts";
import { printJson } from "../output/print-json.ts";
import { parseInstantOption } from "./instant-option.ts";
import { readLayerOptions, type LayerOptions } from "./layer-options.ts";
import { addRecallOptions, readRecallOptions, type RecallOptions } from "./recall-options.ts";
import { zoneOfComputer } from "./zone-of-computer.ts";
import { parseNumber } from "./number-option.ts";
import { readTextFile, textOption } from "./text-option.ts";
import { readWindowOptions, type WindowOptions } from "./window-options.ts";
import { printNote, printResult } from "../output/terminal.ts";

interface AssembleOptions extends DataOptions, LayerOptions, RecallOptions, WindowOptions {
  readonly model?: string;
  readonly profile?: RankProfile;
  readonly mode?: WaterfallMode;
  readonly system?: string;
  readonly project?: string;
  readonly task?: string;
  readonly topic?: string;
  readonly messages?: string;
  readonly turnsOf?: string;
  readonly blockOwner?: readonly string[];
  readonly limit?: number;
  readonly procedureLimit?: number;
  readonly maxTokens?: number;
  readonly maxTokensPerMemory?: number;
  readonly evaluationTime?: number;
  readonly explain?: boolean;
  readonly dates?: boolean;
}

/**
 * `loci assemble [QUERY]`: prints the context for one model call; texts given as `@FILE` are read from files. Without a query
 * it is the latest message of the user among those of `--messages`.
 */
export function addAssembleCommand(program: Command, environment: CommandEnvironment): void {
  addRecallOptions(addDataOptions(program.command("assemble [query]")))
    .description("assemble the context for one model call")
    .option("--model <name>", "chooses window and tokenizer")
    .option("--layout <name|file>", "memoryBlocks, layeredFiles, threeTier, or a .toml or .json file")
    .option("--core-memory <text>", "core memory, or @FILE, for threeTier")
    .option("--files <directory>", "the agent's folder, for layeredFiles")
    .option("--team <name>", "the team whose files in teams/NAME are shown")
    .option("--topic <text>", "what to recall by (default: the query; layeredFiles: the newest memories)")
    .option("--profile <name>", "conversation (knowledge is cut first) or rag (history is cut first)")
    .option("--mode <mode>", "fill, cascade, last or sequential (default: the layout's)")
    .option("--system <text>", "system text, or @FILE")
    .option("--project <text>", "project text, or @FILE")
    .option("--task <text>", "task text, or @FILE")
    .option("--messages <file>", "the conversation so far: a JSON array in the OpenAI form")
    .option("--turns-of <session>", "a session of the first scope, whose turns are the conversation so far")
    .option(
      "--block-owner <scope...>",
      "whose blocks are shown, such as agent:coach user:ann (default: those of the session)",
    )
    .option("--limit <number>", "most memories (default: what the window holds)", parseNumber)
    .option("--procedure-limit <number>", "most procedures (default: what the window holds)", parseNumber)
    .option("--max-tokens <tokens>", "most tokens of all memories (default: what the window holds)", parseNumber)
    .option("--max-tokens-per-memory <tokens>", "cut longer memories to this (default 500)", parseNumber)
    .option("--preset <size>", "a window of 4K, 8K or 128K and no more (default: it grows with what is given)")
    .option(
      "--max-window <tokens>",
      "the most the whole window may grow to (default: what the model takes)",
      parseNumber,
    )
    .option("--window <tokens>", "scale the whole window to this many tokens", parseNumber)
    .option("--budget <part=tokens...>", "budgets of sections, query, response or safetyBuffer, such as system=1500")
    .option("--evaluation-time <date>", 'the "now" of every score, ISO 8601', parseInstantOption)
    .option("--dates", "say of each memory when it was said, and what day it is")
    .option("--explain", "also print the receipt")
    .action(async (query: string | undefined, options: AssembleOptions) => {
      const [layers, system, project, task, messages] = await Promise.all([
        readLayerOptions(options, environment.signal),
        textOption(options.system),
        textOption(options.project),
        textOption(options.task),
        options.messages === undefined ? undefined : readMessages(options.messages),
      ]);
      const { signal } = environment;
      const { context, texts } = await withLoci(options, "read", async (loci) => {
        const context = await loci.assemble(
          {
            query,
            ...layers,
            system,
            project,
            task,
            messages,
            session: options.turnsOf === undefined ? undefined : { scope: writeScope(options), id: options.turnsOf },
            timeZone: options.zone ?? zoneOfComputer(),
            blockOwners:
              options.blockOwner === undefined ? undefined : parseScopes(options.blockOwner, "--block-owner"),
            model: options.model,
            profile: options.profile,
            mode: options.mode,
            window: readWindowOptions(options),
            recall: {
              scopes: readScopes(options),
              query: options.topic,
              limit: options.limit,
              procedureLimit: options.procedureLimit,
              maxTokens: options.maxTokens,
              maxTokensPerMemory: options.maxTokensPerMemory,
              ...readRecallOptions(options),
            },
            memoryDates: options.dates,
            evaluationTime: options.evaluationTime,
            explain: options.explain,
          },
          { signal },
        );
        // A session may be the first of its scope.
        if (options.turnsOf === undefined) await noteEmptyScopes(loci, readScopes(options), signal);
        const explains = options.explain === true && options.json !== true;
        return { context, texts: explains ? await memoryTexts(loci, context.receipt, signal) : undefined };
      });
      if (options.json === true) printJson(context);
      else await printContext(context, texts);
    });
}

/** @param texts of the memories of the receipt; without them it is not printed */
async function printContext(context: AssembledContext, texts: ReadonlyMap<string, string> | undefined): Promise<void> {
  // Piped to a program it is the context to the letter; a terminal would act on what is in it.
  printResult(context.text);
  // The receipt and the warnings are about the context, not part of it: piping the text must not mix them in.
  if (texts !== undefined) {
    const { formatReceipt } = await import("@loci/loci");
    printNote(`\n${forTerminal(formatReceipt(context, { previews: texts }))}`);
  } else
    for (const { message, advice } of context.warnings) printNote(`Warning: ${forTerminal(`${message} ${advice}`)}`);
}

async function readMessages(file: string): Promise<readonly ChatMessage[]> {
  const text = await readTextFile(file);
  try {
    const messages: unknown = JSON.parse(text);
    if (Array.isArray(messages)) return messages as ChatMessage[];
  } catch (cause) {
    throw new LociError("INVALID_MESSAGES", {
      message: `${file} is not JSON: ${(cause as Error).message}`,
      resource: file,
    });
  }
  throw new LociError("INVALID_MESSAGES", {
    message: `${file} does not hold a JSON array.`,
    resource: file,
    advice: 'It should look like [{ "role": "user", "content": "…" }].',
  });
}
