import { explanationOf } from "@loci/domain";
import type { EvaluatedQuestion, MeasureName, MissingAnswer, RecallEvaluation } from "@loci/evaluation";
import type { ScoringProfileName } from "@loci/loci";
import { counted, oneLine } from "./format-text.ts";
import { outdatedWords } from "./outdated-words.ts";
import { printLine } from "./terminal.ts";

/** How questions were answered with a profile. */
export interface ProfileEvaluation extends RecallEvaluation {
  readonly profile: ScoringProfileName;
}

/** An answer that stands further down is told of: few read on to it. */
const readPlaces = 3;
const shownLength = 100;

/** Prints the measures of each profile, and of the first one which questions were not answered, and why. */
export function printEvaluations(evaluations: readonly ProfileEvaluation[]): void {
  const [first] = evaluations;
  if (first === undefined) return;
  const { answerable, unanswerable, questions } = first;
  printLine(`${counted(answerable, "question")} that something answers, ${unanswerable} that nothing does\n`);
  printMeasures(evaluations);
  printMissed(questions.filter(({ expected }) => expected.length > 0));
  printFoundNonetheless(questions.filter(({ expected, hits }) => expected.length === 0 && hits.length > 0));
}

function printMeasures(evaluations: readonly ProfileEvaluation[]): void {
  const hasSeveral = evaluations.some(({ questions }) => questions.some(({ expected }) => expected.length > 1));
  const measured = Object.keys(evaluations[0]?.measures ?? {}) as MeasureName[];
  // Where each question has one answer, the two are the same.
  const names = hasSeveral ? measured : measured.filter((name) => !name.startsWith("recall@"));
  const rows = [
    ["profile", ...names, "median", "p95"],
    ...evaluations.map(({ profile, measures, milliseconds: { median, p95 } }) => [
      profile,
      ...names.map((name) => (name === "mrr" ? (measures.mrr ?? 0).toFixed(3) : percent(measures[name] ?? 0))),
      `${median.toFixed(1)} ms`,
      `${p95.toFixed(1)} ms`,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    );
}

function printMissed(questions: readonly EvaluatedQuestion[]): void {
  const missed = questions.filter(({ places }) => !places.some((place) => place !== undefined && place <= readPlaces));
  if (missed.length === 0) return;
  printLine(`\nNot among the first ${readPlaces}:`);
  for (const { query, expected, hits, places, missing } of missed) {
    printLine(`  ${oneLine(query, shownLength)}`);
    for (const [index, place] of places.entries())
      if (place !== undefined)
        printLine(`    ${quoted(expected[index] ?? "")} is ${place}.${overOf(hits, place - 1, ", ")}`);
    for (const each of missing) printLine(`    ${quoted(each.expected)} ${whyMissing(each)}`);
  }
}

/** By what became of the memory that came nearest. */
function whyMissing({ memories, accounts }: MissingAnswer): string {
  if (memories.length === 0) return "stands in no memory of these scopes.";
  const [account] = accounts.toSorted((left, right) => (left.rank ?? Infinity) - (right.rank ?? Infinity));
  const { reason, closeness, floor, rank } = account ?? {};
  if (reason === undefined) return "is remembered, and was not found.";
  const says = explanationOf(reason)?.says ?? "was left out";
  const near =
    closeness === undefined || floor === undefined
      ? ""
      : `: closeness ${closeness.toFixed(3)}, and it takes ${floor.toFixed(3)}`;
  return `${says} (${reason}${rank === undefined ? "" : `, rank ${rank}`})${near}.`;
}

function printFoundNonetheless(questions: readonly EvaluatedQuestion[]): void {
  if (questions.length === 0) return;
  printLine("\nSomething was found where nothing answers:");
  for (const { query, hits } of questions) {
    printLine(`  ${oneLine(query, shownLength)}`);
    const [hit] = hits;
    if (hit === undefined) continue;
    printLine(`    ${hit.score.toFixed(3)}  ${oneLine(hit.memory.text, shownLength)}${overOf(hits, 0, "\n    ")}`);
  }
}

/** What of a hit is over, behind what is said of it; nothing where nothing is known to be. What holds instead is named by place or id. */
function overOf(hits: EvaluatedQuestion["hits"], index: number, before: string): string {
  const outdated = hits[index]?.outdated;
  return outdated === undefined ? "" : `${before}${outdatedWords(outdated, hits, new Map())}`;
}

function quoted(expected: string): string {
  return `“${oneLine(expected, shownLength)}”`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
