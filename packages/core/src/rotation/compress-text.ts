import type { RotationStrategy } from "./rotation-usage.ts";

const marker = "...";

/**
 * What stays of free text that is too long. Text within the target stays as it is.
 *
 * @param target most UTF-16 units
 */
export function compressText(text: string, target: number, strategy: RotationStrategy): string {
  if (text.length <= target) return text;
  if (strategy === "aggressive") return newestUnits(text, target);
  return fittingLines(text.split("\n"), target, strategy === "adaptive" ? adaptiveScore : preservativeScore);
}

/** The end of the text behind a marker. A pair of surrogates is not split. */
function newestUnits(text: string, target: number): string {
  if (target <= marker.length) return marker.slice(0, Math.max(0, target));
  let start = text.length - (target - marker.length);
  if (isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start))) start++;
  return marker + text.slice(start);
}

/** As many lines as fit, the highest scores first, in the order of the page. One that does not fit is passed over. */
function fittingLines(lines: readonly string[], target: number, scoreOf: (line: string) => number): string {
  const byScore = lines.map((line, place) => ({ line, place, score: scoreOf(line) }));
  byScore.sort((left, right) => right.score - left.score || left.place - right.place);
  const kept: typeof byScore = [];
  let length = 0;
  for (const candidate of byScore) {
    const cost = candidate.line.length + (kept.length === 0 ? 0 : 1);
    if (length + cost > target) continue;
    length += cost;
    kept.push(candidate);
  }
  return kept
    .toSorted((left, right) => left.place - right.place)
    .map(({ line }) => line)
    .join("\n");
}

function preservativeScore(line: string): number {
  return line.startsWith("[") ? 1 : 0;
}

function adaptiveScore(line: string): number {
  if (line.startsWith("[TASK]")) return 100;
  if (line.startsWith("[USER]")) return 90;
  if (line.startsWith("[CONTEXT]")) return 80;
  return line.startsWith("[") ? 50 : 10;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
