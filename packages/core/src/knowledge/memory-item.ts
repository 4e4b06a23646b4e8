import type { RecallHit } from "@loci/domain";
import { escapeAttribute, escapeText, singleLine } from "../rendering/escape.ts";
import { closingTag, openingLine } from "../rendering/xml.ts";
import { compareIds } from "../scoring/compare-ids.ts";
import { mayBeFollowed } from "./standing.ts";

/** A recalled memory, rendered. */
export interface MemoryItem {
  readonly hit: RecallHit;
  /** A procedure to follow stands outside the knowledge, as a line of a list. */
  readonly form: "memory" | "procedure";
  /** Begins at the start of a line and ends with a line break. */
  readonly rendered: string;
  readonly tokens: number;
}

export const emptyKnowledge = "No relevant context found.\n";

export const proceduresTag = "procedures";
export const proceduresIntroduction = "These are learned behaviors. Follow them.\n";

export function renderMemory(hit: RecallHit, count: (text: string) => number): MemoryItem {
  const form = mayBeFollowed(hit.memory) ? "procedure" : "memory";
  const rendered = renderText(hit, hit.text, form);
  return { hit, form, rendered, tokens: count(rendered) };
}

/** Tokens the memory would take had it not been cut to the maximum for one memory. */
export function wholeMemoryTokens({ hit, form, tokens }: MemoryItem, count: (text: string) => number): number {
  return hit.truncated ? count(renderText(hit, hit.memory.text, form)) : tokens;
}

/** Best first: by score, then id. */
export function compareItems(left: MemoryItem, right: MemoryItem): number {
  return right.hit.score - left.hit.score || compareIds(left.hit.memory.id, right.hit.memory.id);
}

function renderText({ memory }: RecallHit, text: string, form: MemoryItem["form"]): string {
  if (form === "procedure") {
    const tags = memory.tags.length === 0 ? "" : ` (${memory.tags.join(", ")})`;
    return `- ${escapeText(singleLine(text + tags))}\n`;
  }
  const source = escapeAttribute(memory.provenance?.sourceId ?? memory.id);
  const open = openingLine("memory", [
    ["source", source],
    ["confidence", memory.confidence.toFixed(2)],
  ]);
  return `${open}${escapeText(text)}\n${closingTag("memory")}\n`;
}
