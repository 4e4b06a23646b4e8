import type { RecallHit } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "../rendering/context-format.ts";
import { escapeAttribute, singleLine } from "../rendering/escape.ts";
import { compareIds } from "../scoring/compare-ids.ts";
import { mayBeFollowed } from "./standing.ts";

/** A recalled memory, rendered. */
export interface MemoryItem {
  readonly hit: RecallHit;
  /** A procedure to follow stands apart from the memories, as a line of a list. */
  readonly form: "memory" | "procedure";
  /** Begins at the start of a line and ends with a line break. */
  readonly rendered: string;
  readonly tokens: number;
  /** Tokens it would take had it not been cut to the maximum for one memory. */
  readonly wholeTokens: number;
}

export const emptyKnowledge = "No relevant context found.\n";

export const proceduresIntroduction = "These are learned behaviors. Follow them.\n";

/** Writes memories down as one layout wants them. */
export class MemoryWriter {
  readonly #layout: Layout;
  readonly #format: ContextFormat;
  readonly #count: (text: string) => number;

  constructor(layout: Layout, format: ContextFormat, count: (text: string) => number) {
    this.#layout = layout;
    this.#format = format;
    this.#count = count;
  }

  write(hit: RecallHit): MemoryItem {
    // In Markdown a procedure is a memory like the others: there is no block to keep it apart.
    const form = this.#layout.rendering === "xml" && mayBeFollowed(hit.memory) ? "procedure" : "memory";
    const rendered = this.#render(hit, hit.text, form);
    const tokens = this.#count(rendered);
    const wholeTokens = hit.truncated ? this.#count(this.#render(hit, hit.memory.text, form)) : tokens;
    return { hit, form, rendered, tokens, wholeTokens };
  }

  #render({ memory }: RecallHit, text: string, form: MemoryItem["form"]): string {
    if (form === "procedure") {
      const tags = memory.tags.length === 0 ? "" : ` (${memory.tags.join(", ")})`;
      return `- ${this.#format.escapeText(singleLine(text + tags), "inline")}\n`;
    }
    if (this.#layout.memoryForm === "list")
      return `- [${memory.category}] ${this.#format.escapeText(singleLine(text), "inline")}\n`;
    const heading = { name: "memory", title: "Memory" };
    const source = escapeAttribute(memory.provenance?.sourceId ?? memory.id);
    const open = this.#format.openingLine(heading, [
      ["source", source],
      ["confidence", memory.confidence.toFixed(2)],
    ]);
    return `${open}${this.#format.escapeText(text, "line")}\n${this.#format.closing(heading)}\n`;
  }
}

/** Best first: by score, then id. */
export function compareItems(left: MemoryItem, right: MemoryItem): number {
  return right.hit.score - left.hit.score || compareIds(left.hit.memory.id, right.hit.memory.id);
}
