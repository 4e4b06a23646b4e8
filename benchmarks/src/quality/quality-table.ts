import { alignColumns } from "../report/align-columns.ts";
import type { PairedDifference } from "./paired-bootstrap.ts";
import type { QualityResults, QualityRow, QualitySetResults } from "./quality-results.ts";

/** Tables for a terminal: evidence found, in percent. */
export function qualityTables({ sets, further, cuts, contextSizes }: QualityResults): string {
  return [
    ...sets.flatMap((set) => [
      `${set.set}: evidence among the best ${cuts.join(" / ")}, percent, ${set.questions} questions`,
      "",
      ...alignColumns(rowsOf(set)),
      "",
      ...(set.contexts === undefined
        ? []
        : [
            `${set.set}: evidence in an assembled context of ${contextSizes.join(" / ")} tokens, percent`,
            "",
            ...alignColumns([
              ["", "all", "chosen on", "held out"],
              ["target", figures(set.contexts.target)],
              ["best published", figures(set.contexts.published)],
              ...set.contexts.rows.map(measuredCells),
            ]),
            "",
          ]),
    ]),
    ...further.map(({ name, value, unit }) => `${name}: ${value} ${unit}`),
  ].join("\n");
}

/** The rows of a set, headed: target, published baseline, baseline, then every variant. */
export function rowsOf({ target, published, baseline, variants }: QualitySetResults): readonly (readonly string[])[] {
  return [
    ["", "all", "chosen on", "held out", "held out less the plain baseline (95%)"],
    ["target", figures(target)],
    ["best published", figures(published)],
    measuredCells(baseline),
    ...variants.map(measuredCells),
  ];
}

export function measuredCells({ name, all, chosenOn, heldOut, gain }: QualityRow): readonly string[] {
  return [name, figures(all), figures(chosenOn), figures(heldOut), (gain ?? []).map(difference).join(" / ")];
}

export function figures(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(" / ");
}

function difference({ mean, low, high }: PairedDifference): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
