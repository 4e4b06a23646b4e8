import { formatScope } from "@loci/domain";
import type { Memory, RecallHit, RecallResult } from "@loci/loci";
import { bar, forTerminal, formatInstant, oneLine } from "./format-text.ts";
import { outdatedWords } from "./outdated-words.ts";
import { printAccount } from "./print-account.ts";
import { printLeftOut } from "./print-left-out.ts";
import { placeReason } from "./place-reason.ts";
import { printLine } from "./terminal.ts";

/** What came closest and yet not close enough. */
export interface NearMiss {
  readonly memory: Memory;
  readonly relevance: number;
}

export interface PrintedRecall {
  readonly explain: boolean;
  readonly nearest: readonly NearMiss[];
  /** Texts by id of memories that are no hits: of those that were left out, and of what holds instead of hits, as far as they are to be shown. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Prints what was recalled, best first; with `explain` every part of every score and what was left out. When there is nothing,
 * what came nearest.
 */
export function printRecall(result: RecallResult, { explain, nearest, texts }: PrintedRecall): void {
  if (result.usedFallback) printLine("No memory answers this more than others. The most recent ones:\n");
  for (const reason of result.degraded) printLine(`Degraded: ${reason}\n`);
  if (result.hits.length === 0)
    printLine(nearest.length === 0 ? "Nothing found." : "Nothing comes close enough. Closest, by relevance:");
  for (const { memory, relevance } of result.hits.length === 0 ? nearest : [])
    printLine(`  ${relevance.toFixed(3)}  ${memory.category}  ${oneLine(memory.text, 160)}`);
  // The most recent ones stand by their age.
  const reasonOf = (index: number): string | undefined =>
    result.usedFallback ? undefined : placeReason(result.hits, index);
  result.hits.forEach((hit, index) => {
    const outdated = hit.outdated && outdatedWords(hit.outdated, result.hits, texts);
    printHit(hit, index + 1, { outdated, explained: explain ? { reason: reasonOf(index) } : undefined });
  });
  if (!explain) return;
  printLeftOut(result.dropped, texts);
  // What was asked for stands last, where it is seen.
  for (const account of result.accounts ?? []) printAccount(account);
}

interface SaidOfHit {
  /** What of it is over. Absent: nothing is known to be. */
  readonly outdated: string | undefined;
  /** Why it stands where it stands; absent where nothing is explained. */
  readonly explained: { readonly reason: string | undefined } | undefined;
}

function printHit(
  { memory, score, parts, text, foundBy, truncated, tokens }: RecallHit,
  place: number,
  { outdated, explained }: SaidOfHit,
): void {
  const source = memory.provenance === undefined ? "" : `  ${memory.provenance.sourceId}`;
  printLine(
    `${String(place).padStart(2)}. ${score.toFixed(3)}  ${memory.category}  ${forTerminal(`${formatScope(memory.scope)}${source}`)}`,
  );
  if (explained === undefined) {
    printLine(`    ${oneLine(text, 200)}${outdated === undefined ? "" : `\n    ${outdated}`}\n`);
    return;
  }
  printLine(`    ${forTerminal(text).replaceAll("\n", "\n    ")}${truncated ? " …" : ""}`);
  printLine(`    ${memory.id}  ${tokens} tokens, found by ${foundBy}`);
  if (outdated !== undefined) printLine(`    ${outdated}`);
  if (explained.reason !== undefined) printLine(`    ${explained.reason}`);
  printLine(
    `    created ${formatInstant(memory.createdAt)}, used ${memory.usage.accessCount} times, last ${formatInstant(memory.usage.lastAccessedAt)}`,
  );
  for (const [name, value] of [
    ["relevance", parts.relevance],
    ["  cosine", parts.cosine],
    ["  text", parts.text],
    ...(parts.time === undefined ? [] : [["  time", parts.time] as const]),
    ...(parts.rerank === undefined ? [] : [["  rerank", parts.rerank] as const]),
    ["recency", parts.recency],
    ["importance", parts.importance],
    ["frequency", parts.frequency],
  ] as const)
    printLine(`    ${name.padEnd(11)} ${value === undefined ? "no vector" : `${bar(value, 20)} ${value.toFixed(3)}`}`);
  const speaker = parts.speaker === undefined ? "" : `× speaker ${parts.speaker} (in relevance), `;
  const asking = parts.asking === undefined ? "" : `× asking ${parts.asking.toFixed(2)} (in relevance), `;
  const role = parts.role === undefined ? "" : `× role ${parts.role} (in relevance), `;
  const instruction = parts.instruction === undefined ? "" : `× instruction ${parts.instruction} (in relevance), `;
  printLine(
    `    ${speaker}${asking}${role}${instruction}× stale ${parts.stale}, × tags ${parts.tagBoost}, + neighbours ${parts.neighbours.toFixed(3)}\n`,
  );
}
