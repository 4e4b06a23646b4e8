import {
  type DroppedCandidate,
  type ItemReceipt,
  messageItemId,
  messageSpan,
  type Receipt,
  type ScoreParts,
} from "@loci/domain";
import { formatNumber, formatScore, textTable } from "./text-table.ts";
import type { MemoryLabel } from "./receipt-labels.ts";

/** The beginning of each item's text, by id. */
export type ItemPreviews = ReadonlyMap<string, string>;

/** Best of what was not recalled that are listed one by one. */
const listedCandidates = 10;
const previewLength = 60;

/** Given texts and messages; messages in a row with the same fate are one line. */
export function formatTextItems({ items }: Receipt, previews: ItemPreviews): string[] {
  const rows: string[][] = [];
  for (const run of runsOf(items.filter(({ kind }) => kind !== "memory"))) {
    const [first] = run;
    if (first === undefined) continue;
    const span = messageSpan(first);
    const last = messageSpan(run.at(-1) ?? first)?.last;
    const id = span === undefined || last === undefined ? first.id : messageItemId(span.first, last);
    const preview = previewOf(span === undefined ? first.id : messageItemId(span.first, span.first), previews);
    const tokens = run.reduce((sum, item) => sum + item.tokens, 0);
    const wholeTokens = run.reduce((sum, item) => sum + item.wholeTokens, 0);
    rows.push([...itemCells(id, { ...first, tokens, wholeTokens }), preview]);
  }
  return textTable([["Text", "Section", "Outcome", "Tokens", "Whole", "Reason"], ...rows]);
}

/** Every memory with the parts of its score, best first. */
export function formatMemories({ items }: Receipt, labelOf: MemoryLabel, previews: ItemPreviews): string[] {
  const memories = items.filter(({ kind }) => kind === "memory");
  if (memories.length === 0) return [];
  const heading = ["Memory", "Section", "Outcome", "Tokens", "Whole", "Reason"];
  return textTable([
    [...heading, "Score", ...partNames],
    ...memories.map((item) => {
      const [id = "", ...cells] = itemCells(labelOf(item.id), item);
      return [id, ...cells, formatScore(item.score), ...partCells(item.parts), previewOf(item.id, previews)];
    }),
  ]);
}

/** What recall left out and does not stand there otherwise: how many for each reason, then the best of them. */
export function formatNotRecalled(
  { droppedCandidates: candidates, items }: Receipt,
  labelOf: MemoryLabel,
  previews: ItemPreviews,
): string[] {
  const shown = new Set(items.filter(({ outcome }) => outcome !== "dropped").map(({ id }) => id));
  const droppedCandidates = candidates.filter(({ id }) => !shown.has(id));
  if (droppedCandidates.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of droppedCandidates) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const summary = Array.from(counts, ([reason, count]) => `${formatNumber(count)} ${reason}`).join(", ");
  const best = droppedCandidates.toSorted(byScore).slice(0, listedCandidates);
  const rest = droppedCandidates.length - best.length;
  return [
    `Not recalled: ${formatNumber(droppedCandidates.length)} (${summary})`,
    "",
    ...textTable([
      ["Not recalled", "Reason", "In favour of", "Score", ...partNames],
      ...best.map(({ id, reason, inFavourOf, score, parts }) => [
        labelOf(id),
        reason,
        inFavourOf === undefined ? "" : labelOf(inFavourOf),
        formatScore(score),
        ...partCells(parts),
        previewOf(id, previews),
      ]),
    ]),
    ...(rest === 0 ? [] : [`and ${formatNumber(rest)} more`]),
  ];
}

/**
 * Relevance and what it is made of: cosine, words, nearness in time. Floors are held against the cosine and the words alone, so that
 * the relevance does not tell what passes them. Then recency, importance, frequency; what stale recalls, matching tags and
 * neighbouring turns changed.
 */
const partNames = ["Rel", "Cos", "Words", "Time", "Rec", "Imp", "Freq", "Stale", "Tags", "Near"] as const;

function partCells(parts: ScoreParts | undefined): readonly string[] {
  if (parts === undefined) return partNames.map(() => "");
  const { relevance, cosine, text, time, recency, importance, frequency, stale, tagBoost, neighbours } = parts;
  return [
    ...[relevance, cosine, text, time].map((part) => part?.toFixed(2) ?? ""),
    ...[recency, importance, frequency].map((part) => part.toFixed(2)),
    // What changes nothing is left out, so that what does is seen.
    stale === 1 ? "" : `x${stale.toFixed(2)}`,
    tagBoost === 1 ? "" : `x${tagBoost.toFixed(2)}`,
    neighbours === 0 ? "" : `+${neighbours.toFixed(2)}`,
  ];
}

function itemCells(id: string, { section, outcome, tokens, wholeTokens, reason }: ItemReceipt): readonly string[] {
  return [id, section, outcome, formatNumber(tokens), formatNumber(wholeTokens), reason ?? ""];
}

/** Messages that follow one another and ended the same, together; anything else alone. */
function runsOf(items: readonly ItemReceipt[]): readonly (readonly ItemReceipt[])[] {
  const runs: ItemReceipt[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const before = run?.[0];
    const continues =
      item.kind === "message" &&
      before?.kind === "message" &&
      before.section === item.section &&
      before.outcome === item.outcome &&
      before.reason === item.reason;
    if (continues) run?.push(item);
    else runs.push([item]);
  }
  return runs;
}

function byScore(left: DroppedCandidate, right: DroppedCandidate): number {
  return (right.score ?? -1) - (left.score ?? -1);
}

function previewOf(id: string, previews: ItemPreviews): string {
  const line = (previews.get(id) ?? "").replaceAll(/\s+/g, " ").trim();
  return line.length <= previewLength ? line : `${line.slice(0, previewLength - 1).trimEnd()}…`;
}
