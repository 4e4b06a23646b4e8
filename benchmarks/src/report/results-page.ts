import { escapeHtml } from "./escape-html.ts";
import { formatTime, verdictOf } from "./format-table.ts";
import { growthPlot } from "./growth-plot.ts";
import type { BenchmarkResults, Result } from "./results.ts";

const barWidth = 460;
const rowHeight = 46;

/**
 * A page that shows each figure next to its target, on a logarithmic scale. Made from the JSON alone.
 *
 * @param further sections of HTML below them
 */
export function resultsPage(results: BenchmarkResults | undefined, further: string = ""): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Loci benchmarks</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  svg text { font-size: 13px; fill: #1c2430 }
  .name { font-weight: 600 } .small { fill: #5b6675; font-size: 11px }
  .axis { stroke: #5b6675 } .growth { fill: none; stroke: #2b5c9e; stroke-width: 2 }
  .range { fill: #b9cbe4 } .median { fill: #2b5c9e } .target { stroke: #b3541e; stroke-width: 2 } .missed { fill: #b3541e; color: #b3541e }
  table { border-collapse: collapse; font-size: 13px } th, td { padding: 0.25rem 0.7rem 0.25rem 0; text-align: left; vertical-align: top }
  tr + tr { border-top: 1px solid #d7dde5 }
</style>
<h1>Loci benchmarks</h1>
${results === undefined ? "" : operations(results)}${further}`;
}

function operations(results: BenchmarkResults): string {
  const times = results.results
    .flatMap(({ minimum, p99, target }) => [minimum, p99, target?.p50, target?.p99])
    .filter((time) => time !== undefined);
  const least = Math.log10(Math.min(...times)) - 0.2;
  const most = Math.log10(Math.max(...times)) + 0.2;
  const at = (microseconds: number): number => ((Math.log10(microseconds) - least) / (most - least)) * barWidth;
  const height = results.results.length * rowHeight;
  return `<p>${escapeHtml(results.processor)}, ${results.cores} cores, Node ${results.node}, ${results.time.slice(0, 16)} UTC. Logarithmic: the
light bar goes from the minimum to p99, the dark mark is p50, the orange line is the target of p50. Verdicts go by CPU time.</p>
<svg viewBox="0 0 960 ${height}" role="img" aria-label="Time of each operation next to its target">
${results.results.map((result, index) => row(result, index * rowHeight, at)).join("\n")}
</svg>
<ul>
${results.comparisons.map(({ name, value, unit, target, isMet }) => `<li${isMet ? "" : ' class="missed"'}>${escapeHtml(name)}: <b>${value.toPrecision(3)} ${unit}</b>, target ${target}: ${isMet ? "met" : "missed"}</li>`).join("\n")}
</ul>
${growthPlot(results.results)}`;
}

function row(result: Result, top: number, at: (microseconds: number) => number): string {
  const left = 250;
  const { minimum, p50, p99, target, publishedClaim } = result;
  const verdict = verdictOf(result);
  return `<g transform="translate(0 ${top})"><title>${escapeHtml(result.description)}</title>
  <text class="name" x="0" y="20">${escapeHtml(result.name)}</text>
  <text class="small" x="0" y="36">${publishedClaim === undefined ? "" : `published: ${escapeHtml(publishedClaim)}`}</text>
  <rect class="range" x="${left + at(minimum)}" y="10" width="${Math.max(1, at(p99) - at(minimum))}" height="12"/>
  <rect class="median" x="${left + at(p50) - 1.5}" y="7" width="3" height="18"/>
  ${target?.p50 === undefined ? "" : `<line class="target" x1="${left + at(target.p50)}" x2="${left + at(target.p50)}" y1="4" y2="28"/>`}
  <text x="${left + barWidth + 20}" y="20"${verdict === "missed" ? ' class="missed"' : ""}>${formatTime(p50)} / ${formatTime(p99)} ${verdict}</text>
</g>`;
}
