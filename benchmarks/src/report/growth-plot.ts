import { escapeHtml } from "./escape-html.ts";
import { formatTime } from "./format-table.ts";
import type { Result } from "./results.ts";

/** One line of the plot: figures of one kind of work at several sizes. */
interface GrowthLine {
  readonly label: string;
  /** By size, the smallest first. */
  readonly points: readonly { readonly size: number; readonly microseconds: number }[];
}

const lines: readonly { readonly prefix: string; readonly label: string }[] = [
  { prefix: "next-turn-", label: "core" },
  { prefix: "next-turn-in-process-", label: "loci.assemble" },
];
const width = 560;
const height = 220;
const left = 70;
const bottom = 30;

/**
 * What the next turn of a session takes, by its length, on linear scales: what grows with the session would rise. By the
 * 5th percentile, which is the work itself. Empty when it was not measured at two lengths.
 */
export function growthPlot(results: readonly Result[]): string {
  const shown = lines
    .map(({ prefix, label }) => lineOf(results, prefix, label))
    .filter(({ points }) => points.length > 1);
  const points = shown.flatMap((line) => line.points);
  if (points.length === 0) return "";
  const largest = Math.max(...points.map(({ size }) => size));
  const highest = Math.max(...points.map(({ microseconds }) => microseconds)) * 1.25;
  const x = (size: number): number => left + (size / largest) * (width - left - 130);
  const y = (microseconds: number): number => height - bottom - (microseconds / highest) * (height - bottom - 10);
  const sizes = [...new Set(points.map(({ size }) => size))];
  return `<h2>The next turn of a session, by its length</h2>
<svg viewBox="0 0 960 ${height}" role="img" aria-label="Time of the next turn by the turns of the session">
<line class="axis" x1="${left}" x2="${x(largest)}" y1="${y(0)}" y2="${y(0)}"/>
<line class="axis" x1="${left}" x2="${left}" y1="10" y2="${y(0)}"/>
<text class="small" x="${left - 8}" y="${y(0)}" text-anchor="end">0</text>
<text class="small" x="${left - 8}" y="${y(highest / 1.25) + 4}" text-anchor="end">${formatTime(highest / 1.25)}</text>
${sizes.map((size) => `<text class="small" x="${x(size)}" y="${height - 10}" text-anchor="middle">${size}</text>`).join("\n")}
<text class="small" x="${x(largest) + 40}" y="${height - 10}">turns</text>
${shown.map((line) => plotted(line, x, y)).join("\n")}
</svg>`;
}

function lineOf(results: readonly Result[], prefix: string, label: string): GrowthLine {
  const points = results.flatMap(({ name, steady }) => {
    const size = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    return Number.isNaN(size) ? [] : [{ size, microseconds: steady }];
  });
  return { label, points: points.toSorted((one, other) => one.size - other.size) };
}

function plotted({ label, points }: GrowthLine, x: (size: number) => number, y: (time: number) => number): string {
  const path = points.map(({ size, microseconds }) => `${x(size)},${y(microseconds)}`).join(" ");
  const last = points.at(-1);
  return `<g><polyline class="growth" points="${path}"/>
${points.map(({ size, microseconds }) => `<circle class="median" cx="${x(size)}" cy="${y(microseconds)}" r="3.5"><title>${escapeHtml(label)}, ${size} turns: ${formatTime(microseconds)}</title></circle>`).join("\n")}
<text x="${x(last?.size ?? 0) + 12}" y="${y(last?.microseconds ?? 0) + 4}">${escapeHtml(label)} ${formatTime(last?.microseconds ?? 0)}</text></g>`;
}
