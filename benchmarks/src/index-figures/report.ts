import { formatTime } from "../report/format-table.ts";
import { type IndexFigure, verdictOf } from "./index-figure.ts";

/** What was measured with vectors of so many dimensions. */
export interface IndexPart {
  readonly title: string;
  readonly figures: readonly IndexFigure[];
}

export interface IndexReport {
  readonly time: string;
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  /** The reference workload of the other benchmarks in the same run, in microseconds, at best. */
  readonly reference: number;
  readonly parts: readonly IndexPart[];
}

const columns = ["", "CPU p50", "CPU p99", "CPU min", "wall p50", "wall p99", "wall min", "target p50 / p99", ""];

/** Tables in Markdown: for a terminal, and to be kept in the documentation. */
export function formatReport({ parts, processor, cores, node, reference }: IndexReport): string {
  const tables = parts.map(({ title, figures }) =>
    [
      `### ${title}`,
      "",
      line(columns),
      line(columns.map(() => "---")),
      ...figures.map((figure) => line(cells(figure))),
      "",
    ].join("\n"),
  );
  return [...tables, `${processor}, ${cores} cores, Node ${node}; reference workload ${formatTime(reference)}.`].join(
    "\n",
  );
}

function cells(figure: IndexFigure): readonly string[] {
  const { name, calls, value, unit = "", target } = figure;
  if (calls === undefined) {
    const { most, least } = target ?? {};
    const bound = most !== undefined ? `≤ ${most.toPrecision(2)}` : least !== undefined ? `≥ ${least}` : "";
    return [name, `${value?.toPrecision(4) ?? ""} ${unit}`, "", "", "", "", "", bound, verdictOf(figure)];
  }
  const { cpu, wall } = calls;
  const bounds = [target?.p50, target?.p99].filter((bound) => bound !== undefined).map((bound) => `${bound} ms`);
  const times = [cpu.p50, cpu.p99, cpu.minimum, wall.p50, wall.p99, wall.minimum].map(
    (time) => `${time.toPrecision(3)} ms`,
  );
  return [name, ...times, bounds.join(" / "), verdictOf(figure)];
}

function line(parts: readonly string[]): string {
  return `| ${parts.join(" | ")} |`;
}

/** A page of the same tables. Made from the JSON alone. */
export function reportPage(report: IndexReport): string {
  const tables = report.parts.map(
    ({ title, figures }) => `<h2>${title}</h2><table><tr>${columns.map((column) => `<th>${column}</th>`).join("")}</tr>
${figures
  .map(
    (figure) =>
      `<tr class="${verdictOf(figure).replaceAll(" ", "-")}">${cells(figure)
        .map((cell) => `<td>${cell}</td>`)
        .join("")}</tr>`,
  )
  .join("\n")}
</table>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Loci's embedded index</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  td, th { padding: 2px 12px 2px 0; text-align: left } .missed td:last-child { color: #b3541e }
</style>
<h1>Loci's embedded index</h1>
${tables.join("\n")}
<p>${report.processor}, ${report.cores} cores, Node ${report.node}, ${report.time.slice(0, 16)} UTC. CPU time of all threads;
“met at best”: by the fastest call, which is what a shared machine tells.</p>
`;
}
