import type { BenchmarkResults, Result } from "./results.ts";

/** `830 µs`, `1.25 ms`, `2.1 s`: three digits at most. */
export function formatTime(microseconds: number): string {
  if (microseconds < 1) return `${(microseconds * 1000).toFixed(0)} ns`;
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return `${(microseconds / 1e6).toPrecision(3)} s`;
}

/** `met`, `missed`, or nothing where there is no target. By CPU time: on a shared machine wall time measures the others. */
export function verdictOf({ cpuP50, cpuP99, target }: Result): "met" | "missed" | "" {
  if (target === undefined) return "";
  return (target.p50 === undefined || cpuP50 <= target.p50) && (target.p99 === undefined || cpuP99 <= target.p99)
    ? "met"
    : "missed";
}

/** A table for a terminal. */
export function formatTable({ results, comparisons, processor, cores, node }: BenchmarkResults): string {
  const rows = results.map((result) => [
    result.name,
    formatTime(result.minimum),
    formatTime(result.p50),
    formatTime(result.p99),
    formatTime(result.cpuP50),
    formatTime(result.cpuP99),
    result.ratio.toPrecision(3),
    [result.target?.p50, result.target?.p99]
      .filter((time) => time !== undefined)
      .map(formatTime)
      .join(" / "),
    verdictOf(result),
    result.publishedClaim ?? "",
  ]);
  const header = [
    "benchmark",
    "minimum",
    "p50",
    "p99",
    "CPU p50",
    "CPU p99",
    "ratio",
    "target p50 / p99",
    "",
    "published",
  ];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [
    line(header),
    line(widths.map((width) => "─".repeat(width))),
    ...rows.map(line),
    "",
    ...comparisons.map(
      ({ name, value, unit, target, isMet }) =>
        `${name}: ${value.toPrecision(3)}${unit === "ms" ? " ms" : unit} (target ${target}: ${isMet ? "met" : "missed"})`,
    ),
    `${processor}, ${cores} cores, Node ${node}. ratio: to the reference workload of the same run.`,
  ].join("\n");
}
