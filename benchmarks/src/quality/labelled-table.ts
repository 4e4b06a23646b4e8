import { alignColumns } from "../report/align-columns.ts";
import { difference } from "./difference.ts";
import type { LabelledResults } from "./labelled-results.ts";

/** A table for a terminal: right answers in percent. */
export function labelledLines({ set, name, questions, target, rows }: LabelledResults): readonly string[] {
  return [
    `${set}: ${name}, percent of ${questions} questions`,
    ...alignColumns([
      ["", "", "less the plain search (95%)"],
      ...(target === undefined ? [] : [["target", String(target), ""]]),
      ...rows.map((row) => [row.name, row.value.toFixed(1), row.gain === undefined ? "" : difference(row.gain)]),
    ]),
  ];
}
