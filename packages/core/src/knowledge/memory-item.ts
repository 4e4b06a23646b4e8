import type { RecallHit } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "../rendering/context-format.ts";
import { escapeAttribute, singleLine } from "../rendering/escape.ts";
import { compareIds } from "../scoring/compare-ids.ts";
import { mayBeFollowed } from "./standing.ts";
import type { WritableMemory, WrittenMemories, WrittenMemory } from "./written-memories.ts";

/** A memory with the text it is shown with. Without a score when it stands whatever the query says. */
export type ShownMemory = Pick<RecallHit, "memory" | "text" | "truncated"> &
  Partial<Pick<RecallHit, "score" | "parts">>;

/** A memory, rendered. */
export interface MemoryItem {
  readonly hit: ShownMemory;
  /** Its place among those that stand whatever the query says, from 0. Absent for what was recalled. */
  readonly standing?: number | undefined;
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

export interface MemoryWriterOptions {
  readonly layout: Layout;
  readonly format: ContextFormat;
  readonly count: (text: string) => number;
  /** What was written before. */
  readonly written?: WrittenMemories | undefined;
  /** Names counter and layout, whose results are kept apart. */
  readonly key: string;
}

/** Writes memories down as one layout wants them. */
export class MemoryWriter {
  readonly #layout: Layout;
  readonly #format: ContextFormat;
  readonly #count: (text: string) => number;
  readonly #written: WrittenMemories | undefined;
  readonly #key: string;

  constructor({ layout, format, count, written, key }: MemoryWriterOptions) {
    this.#layout = layout;
    this.#format = format;
    this.#count = count;
    this.#written = written;
    this.#key = `${key}:${layout.memoryForm}`;
  }

  write(hit: ShownMemory): MemoryItem {
    const { memory, text, truncated } = hit;
    // In Markdown a procedure is a memory like the others: there is no block to keep it apart.
    const form = this.#layout.rendering === "xml" && mayBeFollowed(memory) ? "procedure" : "memory";
    const { category, confidence, tags } = memory;
    const writable = {
      form,
      text,
      category,
      source: memory.provenance?.sourceId ?? memory.id,
      confidence,
      tags,
    } as const;
    const write = (): WrittenMemory => this.#write(writable);
    const { rendered, tokens } = this.#written?.read(memory.id, writable, this.#key, write) ?? write();
    const wholeTokens = truncated ? this.#write({ ...writable, text: memory.text }).tokens : tokens;
    return { hit, form, rendered, tokens, wholeTokens };
  }

  #write(memory: WritableMemory): WrittenMemory {
    const rendered = this.#render(memory);
    return { rendered, tokens: this.#count(rendered) };
  }

  #render({ form, text, category, source, confidence, tags }: WritableMemory): string {
    if (form === "procedure") {
      const shown = tags.length === 0 ? "" : ` (${tags.join(", ")})`;
      return `- ${this.#format.escapeText(singleLine(text + shown), "inline")}\n`;
    }
    if (this.#layout.memoryForm === "list")
      return `- [${category}] ${this.#format.escapeText(singleLine(text), "inline")}\n`;
    const heading = { name: "memory", title: "Memory" };
    const open = this.#format.openingLine(heading, [
      ["source", escapeAttribute(source)],
      ["confidence", confidence.toFixed(2)],
    ]);
    return `${open}${this.#format.escapeText(text, "line")}\n${this.#format.closing(heading)}\n`;
  }
}

/** What stands whatever the query says first, in its order; then best first: by score, then id. */
export function compareItems(left: MemoryItem, right: MemoryItem): number {
  if (left.standing !== undefined || right.standing !== undefined)
    return (left.standing ?? Infinity) - (right.standing ?? Infinity);
  return (right.hit.score ?? 0) - (left.hit.score ?? 0) || compareIds(left.hit.memory.id, right.hit.memory.id);
}
