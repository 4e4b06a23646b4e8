import type { TaughtPoint } from "./self-teaching.ts";

const width = 720;
const height = 260;
const left = 60;
const right = 90;
const bottom = 40;
const top = 30;

/** The share of later jobs that know all that concerns them, and what procedures take of their contexts, by corrections. SVG. */
export function teachingPlot(points: readonly TaughtPoint[], target: number): string {
  const last = points.at(-1)?.corrections ?? 1;
  const mostTokens = Math.max(1, ...points.map(({ procedureTokens }) => procedureTokens));
  const x = (corrections: number): number => round(left + (corrections / last) * (width - left - right));
  const y = (share: number): number => round(height - bottom - share * (height - bottom - top));
  const shares = points.map(({ corrections, share }) => `${x(corrections)},${y(share)}`).join(" ");
  const tokens = points.map((point) => `${x(point.corrections)},${y(point.procedureTokens / mostTokens)}`).join(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Jobs that know all their corrections, by corrections given">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<line x1="${left}" x2="${x(last)}" y1="${y(0)}" y2="${y(0)}" stroke="#5b6675"/>
<line x1="${left}" x2="${x(last)}" y1="${y(target)}" y2="${y(target)}" stroke="#b3541e" stroke-dasharray="4 3"/>
<polyline points="${shares}" fill="none" stroke="#2b5c9e" stroke-width="2"/>
<polyline points="${tokens}" fill="none" stroke="#8a94a3" stroke-width="1.5"/>
<text x="${left - 8}" y="${y(0) + 4}" text-anchor="end">0%</text>
<text x="${left - 8}" y="${y(1) + 4}" text-anchor="end">100%</text>
<text x="${x(last) + 8}" y="${y(target) + 4}" fill="#b3541e">target ${Math.round(100 * target)}%</text>
<text x="${left + 8}" y="16" fill="#2b5c9e">later jobs whose context holds every correction that concerns them</text>
<text x="${x(last)}" y="16" text-anchor="end" fill="#5b6675">tokens of procedures, at most ${mostTokens}</text>
${[0, 10, 20, 30, 40].map((corrections) => `<text x="${x(corrections)}" y="${height - 22}" text-anchor="middle">${corrections}</text>`).join("\n")}
<text x="${x(last / 2)}" y="${height - 6}" text-anchor="middle" fill="#5b6675">corrections given</text>
</svg>
`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
