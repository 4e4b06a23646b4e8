import { alignColumns } from "../report/align-columns.ts";
import { difference } from "./difference.ts";
import { labelledLines } from "./labelled-table.ts";
import type { QualityKind, QualityResults, QualityRow, QualitySetResults } from "./quality-results.ts";

/** Tables for a terminal: evidence found, in percent. */
export function qualityTables({ sets, further, labelled, cuts, contextSizes }: QualityResults): string {
  return [
    ...labelled.flatMap((results) => [...labelledLines(results), ""]),
    ...sets.flatMap((set) => [
      `${set.set}: evidence among the best ${cuts.join(" / ")}, percent, ${set.questions} questions`,
      "",
      ...alignColumns(rowsOf(set)),
      "",
      ...(set.kinds.length === 0 ? [] : [...alignColumns(kindRows(set, "kind of question", set.kinds)), ""]),
      ...(set.stores.length === 0 ? [] : [...alignColumns(kindRows(set, "store", set.stores)), ""]),
      ...(set.contexts === undefined
        ? []
        : [
            `${set.set}: evidence in an assembled context of ${contextSizes.join(" / ")} tokens, percent`,
            "",
            ...alignColumns([
              ["", "all", "", "chosen on", "held out"],
              ["target", figures(set.contexts.target)],
              ["plain search published", figures(set.contexts.published)],
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
    ["", "all", "all less the plain baseline (95%)", "chosen on", "held out", "held out less the plain baseline (95%)"],
    ...(target.length > 0 ? [["target", figures(target)]] : []),
    ...(published.length > 0 ? [["plain search published", figures(published)]] : []),
    measuredCells(baseline),
    ...variants.map(measuredCells),
  ];
}

/** A row for each kind of questions or each store, headed. */
function kindRows(
  { baseline, variants }: QualitySetResults,
  head: string,
  kinds: readonly QualityKind[],
): readonly (readonly string[])[] {
  return [
    [head, "questions", baseline.name, variants[0]?.name ?? ""],
    ...kinds.map((row) => [row.kind, String(row.questions), figures(row.baseline), figures(row.found)]),
  ];
}

export function measuredCells({ name, all, chosenOn, heldOut, gain, gainOverAll }: QualityRow): readonly string[] {
  const differences = (of: QualityRow["gain"]): string => (of ?? []).map(difference).join(" / ");
  return [name, figures(all), differences(gainOverAll), figures(chosenOn), figures(heldOut), differences(gain)];
}

export function figures(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(" / ");
}
