import { heldInstead, memoryId } from "@loci/domain";
import type { Loci, RecallRequest, RecallResult } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { noteEmptyScopes } from "../config/note-empty-scopes.ts";
import { printJson } from "../output/print-json.ts";
import { shownOfLeftOut } from "../output/print-left-out.ts";
import { type NearMiss, printRecall } from "../output/print-recall.ts";
import { parseInstantOption } from "./instant-option.ts";
import { addRecallOptions, readRecallOptions, type RecallOptions } from "./recall-options.ts";
import { parseNumber } from "./number-option.ts";

interface RecallCommandOptions extends DataOptions, RecallOptions {
  readonly limit?: number;
  readonly maxTokens?: number;
  readonly category?: readonly string[];
  readonly profile?: "balanced" | "archive" | "assistant";
  readonly evaluationTime?: number;
  readonly explain?: boolean;
  readonly why?: readonly string[];
}

/** `loci recall QUERY`: finds the memories that answer a question. */
export function addRecallCommand(program: Command, environment: CommandEnvironment): void {
  addRecallOptions(addDataOptions(program.command("recall <query>")))
    .description("find the memories that answer a question")
    .option("--limit <number>", "most memories (default 15)", parseNumber)
    .option(
      "--max-tokens <number>",
      "most tokens of all texts together (default 1500; with --limit as many as so many memories take)",
      parseNumber,
    )
    .option("--category <category...>", "only these categories")
    .option("--profile <name>", "balanced (the default), archive or assistant")
    .option("--evaluation-time <date>", 'the "now" of every score, ISO 8601', parseInstantOption)
    .option("--explain", "show every part of every score, and what was left out")
    .option("--why <id...>", "say of each of these memories why it was recalled or not; implies --explain")
    .action((query: string, options: RecallCommandOptions) => recallAndPrint(query, options, environment));
}

/** Runs a recall and prints it. Reading is not use: nothing counts as accessed, and what was shown is noted for `--owner` only. */
export async function recallAndPrint(
  query: string,
  options: RecallCommandOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const { signal } = environment;
  const scopes = readScopes(options);
  const request: RecallRequest = {
    query,
    scopes,
    limit: options.limit,
    maxTokens: options.maxTokens,
    categories: options.category,
    profile: options.profile,
    evaluationTime: options.evaluationTime,
    ...readRecallOptions(options),
    explain: options.explain === true || options.why !== undefined ? true : undefined,
    also: options.why?.map(memoryId),
  };
  const { result, nearest, texts } = await withLoci(options, "read", async (loci) => {
    const found = await loci.recall(request, { signal });
    const memories = found.hits.map(({ memory }) => memory);
    await noteEmptyScopes(loci, scopes, signal, memories);
    const isForPeople = options.json !== true;
    // What is left out stands in the explanation, nearest first.
    const isLooking = isForPeople && found.hits.length === 0 && request.explain !== true;
    return {
      result: found,
      nearest: isLooking ? await nearMisses(loci, request, signal) : [],
      texts: isForPeople ? await textsOfOthers(loci, found, signal) : new Map<string, string>(),
    };
  });
  if (options.json === true) printJson(result);
  else printRecall(result, { explain: request.explain === true, nearest, texts });
}

/** As much of what holds instead of a hit as a line has room for. */
const insteadBytes = 1_000;

/** Texts of what is shown and is no hit: an id tells nobody which memory it is. */
async function textsOfOthers(
  loci: Loci,
  { hits, dropped }: RecallResult,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const ids = shownOfLeftOut(dropped).map(({ id }) => id);
  const instead = await heldInstead(loci.memories, hits, insteadBytes, { signal });
  const { memories } = ids.length === 0 ? { memories: [] } : await loci.memories.getMany({ ids }, { signal });
  return new Map([...instead.values(), ...memories].map(({ id, text }) => [id, text]));
}

const mostNearMisses = 3;

/** What came closest and yet not close enough: somebody who finds nothing wants to see whether it was there at all. */
async function nearMisses(loci: Loci, request: RecallRequest, signal: AbortSignal): Promise<readonly NearMiss[]> {
  const { dropped } = await loci.recall({ ...request, explain: true }, { signal });
  const below = dropped
    .filter(({ reason }) => reason === "BELOW_RELEVANCE_FLOOR")
    .toSorted((left, right) => (right.parts?.relevance ?? 0) - (left.parts?.relevance ?? 0))
    .slice(0, mostNearMisses);
  return Promise.all(
    below.map(async ({ id, parts }) => {
      return { memory: await loci.memories.get(id, { signal }), relevance: parts?.relevance ?? 0 };
    }),
  );
}
