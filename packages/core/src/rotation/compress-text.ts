import { LociError } from "@loci/domain";

/**
 * How free text is made shorter: `aggressive` keeps its newest end, `preservative` lines that begin with `[` before others,
 * `adaptive` lines by what their tag is worth.
 */
export type CompressionStrategy = "aggressive" | "preservative" | "adaptive";

/** Stands for what was cut off. */
const marker = "...";

/** What a line is worth to `adaptive`, by how it begins; the first that fits counts. */
const worths: readonly (readonly [beginning: string, worth: number])[] = [
  ["[TASK]", 100],
  ["[USER]", 90],
  ["[CONTEXT]", 80],
  ["[", 50],
];
const worthOfOthers = 10;

/**
 * The text in at most `targetChars` UTF-16 units. What fits already comes back unchanged. Kept lines are whole and in their
 * order; none fits: empty.
 *
 * @throws LociError `INVALID_NUMBER` unless the target is a whole number from 0 on
 */
export function compressText(content: string, strategy: CompressionStrategy, targetChars: number): string {
  if (!Number.isSafeInteger(targetChars) || targetChars < 0)
    throw new LociError("INVALID_NUMBER", {
      message: `targetChars must be a whole number from 0 on, but is ${targetChars}.`,
      field: "targetChars",
      advice: "Pass the greatest length in UTF-16 units.",
    });
  if (content.length <= targetChars) return content;
  if (strategy === "aggressive") return newestEnd(content, targetChars);
  return worthiestLines(content, strategy === "adaptive" ? worthOfLine : worthOfTag, targetChars);
}

function newestEnd(content: string, targetChars: number): string {
  if (targetChars <= marker.length) return marker.slice(0, targetChars);
  const start = content.length - (targetChars - marker.length);
  // The second half of a pair alone is no character: it is left out with the first.
  const splitsPair = isHighSurrogate(content.charCodeAt(start - 1)) && isLowSurrogate(content.charCodeAt(start));
  return marker + content.slice(splitsPair ? start + 1 : start);
}

function worthiestLines(content: string, worthOf: (line: string) => number, targetChars: number): string {
  const ranked = content
    .split("\n")
    .map((line, place) => ({ line, place, worth: worthOf(line) }))
    .toSorted((left, right) => right.worth - left.worth || left.place - right.place);
  const kept: typeof ranked = [];
  let length = 0;
  for (const entry of ranked) {
    // From the second line on, the line break before it is paid for too.
    const cost = entry.line.length + (kept.length === 0 ? 0 : 1);
    if (length + cost > targetChars) continue;
    length += cost;
    kept.push(entry);
  }
  return kept
    .toSorted((left, right) => left.place - right.place)
    .map(({ line }) => line)
    .join("\n");
}

function worthOfLine(line: string): number {
  return worths.find(([beginning]) => line.startsWith(beginning))?.[1] ?? worthOfOthers;
}

function worthOfTag(line: string): number {
  return line.startsWith("[") ? 1 : 0;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
