import type { ScoringProfileName } from "@loci/loci";
import { type Command, Option } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { noteEmptyScopes } from "../config/note-empty-scopes.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { readQuestions } from "../files/read-questions.ts";
import { printEvaluations, type ProfileEvaluation } from "../output/print-evaluation.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printNote } from "../output/terminal.ts";
import { parseInstantOption } from "./instant-option.ts";
import { type LeastMeasure, missed, parseLeastMeasure } from "./least-measure-option.ts";
import { parseListLimit } from "./number-option.ts";
import { addRecallOptions, readRecallOptions, type RecallOptions } from "./recall-options.ts";

interface EvaluateOptions extends DataOptions, RecallOptions {
  readonly limit?: number;
  readonly profile: readonly ScoringProfileName[];
  readonly evaluationTime?: number;
  readonly atLeast?: readonly LeastMeasure[];
}

/** `loci evaluate FILE`: asks questions of which it is known what answers them, and says how many are answered and where the others stay. */
export function addEvaluateCommand(program: Command, environment: CommandEnvironment): void {
  addRecallOptions(addDataOptions(program.command("evaluate <file>")))
    .description(
      'ask the questions of a JSONL file, such as {"query":"which database?","expected":["PostgreSQL 17"]}, and say how many are answered',
    )
    .option(
      "--limit <number>",
      "most memories a question, and the last place that is measured (default 10)",
      parseListLimit,
    )
    .addOption(
      new Option("--profile <name...>", "balanced, archive, assistant: with several a line for each")
        .choices(["balanced", "archive", "assistant"])
        .default(["balanced"]),
    )
    .option("--evaluation-time <date>", 'the "now" of every score, ISO 8601', parseInstantOption)
    .option("--at-least <measure=share...>", "end with exit code 1 below it, such as hit@3=0.85", parseLeastMeasure)
    .action(async (file: string, options: EvaluateOptions) => {
      const evaluations = await evaluate(file, options, environment);
      if (options.json === true) printJson(evaluations);
      else printEvaluations(evaluations);
      for (const { profile, measures } of evaluations)
        for (const { name, least } of missed(measures, options.atLeast ?? [])) {
          printNote(`loci: ${name} is below ${least} with the profile ${profile}.`);
          process.exitCode = 1;
        }
    });
}

async function evaluate(
  file: string,
  options: EvaluateOptions,
  { signal }: CommandEnvironment,
): Promise<readonly ProfileEvaluation[]> {
  const { limit, evaluationTime, json } = options;
  const questions = await readQuestions(file);
  const { evaluateRecall } = await import("@loci/evaluation");
  const scopes = readScopes(options);
  return await withLoci(options, "read", async (loci) => {
    await noteEmptyScopes(loci, scopes, signal);
    const evaluations: ProfileEvaluation[] = [];
    for (const profile of options.profile) {
      using progress = progressLine(`questions, ${profile}`, { enabled: json !== true });
      const recall = { ...readRecallOptions(options), scopes, limit, profile, evaluationTime };
      const call = { signal };
      const evaluation = await evaluateRecall(loci, questions, { ...recall, onProgress: progress.update }, call);
      evaluations.push({ profile, ...evaluation });
    }
    return evaluations;
  });
}
