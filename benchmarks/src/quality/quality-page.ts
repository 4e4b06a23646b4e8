import { escapeHtml } from "../report/escape-html.ts";
import { measuredCells, rowsOf } from "./quality-table.ts";
import type { QualityResults, QualityRow, QualitySetResults } from "./quality-results.ts";

const barWidth = 560;
const rowHeight = 26;

/** A page that shows what each variant finds next to the target. Made from the JSON alone. */
export function qualityPage(results: QualityResults): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Loci: memory quality</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  table { border-collapse: collapse; font-size: 13px } td, th { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left }
  svg text { font-size: 12px; fill: #1c2430 }
  .low { fill: #b9cbe4 } .middle { fill: #7c9fce } .high { fill: #2b5c9e } .target { stroke: #b3541e; stroke-width: 2 }
</style>
<h1>Loci: memory quality</h1>
<p>${results.time.slice(0, 16)} UTC, Node ${escapeHtml(results.node)}. How much of a question's evidence is found, in percent, over all
questions. Dark: among the best ${results.cuts[0]}; lighter: ${results.cuts.slice(1).join(" and ")}. Orange: the targets.</p>
${results.sets.map((set) => section(set, results)).join("\n")}
<h2>Further measures</h2>
<ul>
${results.further.map(({ name, value, unit }) => `<li>${escapeHtml(name)}: ${value} ${escapeHtml(unit)}</li>`).join("\n")}
</ul>
`;
}

function section(set: QualitySetResults, { contextSizes }: QualityResults): string {
  const rows = [set.baseline, ...set.variants];
  const contexts =
    set.contexts === undefined
      ? ""
      : `<p>In an assembled context of ${contextSizes.join(" / ")} tokens (target ${set.contexts.target.join(" / ")}, best published
${set.contexts.published.join(" / ")}):</p>
<ul>
${set.contexts.rows.map((row) => `<li>${escapeHtml(measuredCells(row).slice(0, 2).join(": "))}</li>`).join("\n")}
</ul>`;
  return `<h2>${escapeHtml(set.set)}, ${set.questions} questions</h2>
<svg viewBox="0 0 960 ${rows.length * rowHeight}" role="img" aria-label="Evidence found by each variant">
${rows.map((row, index) => bars(row, set.target, index * rowHeight)).join("\n")}
</svg>
<table>
${rowsOf(set)
  .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
  .join("\n")}
</table>
${contexts}`;
}

function bars({ name, all }: QualityRow, target: readonly number[], top: number): string {
  const width = (percent: number): number => (percent / 100) * barWidth;
  const shades = ["high", "middle", "low"];
  // The widest first, so that the narrower ones lie on it.
  const drawn = all.map((percent, cut) => ({ percent, shade: shades[cut] ?? "low" })).toReversed();
  return `<g transform="translate(0 ${top})">
  <text x="0" y="16">${escapeHtml(name)}</text>
  ${drawn.map(({ percent, shade }) => `<rect class="${shade}" x="330" y="5" width="${width(percent)}" height="14"/>`).join("")}
  ${target.map((percent) => `<line class="target" x1="${330 + width(percent)}" x2="${330 + width(percent)}" y1="2" y2="22"/>`).join("")}
</g>`;
}
