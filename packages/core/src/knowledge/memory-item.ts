import type { Instant, Memory, RecallHit } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import type { Attributes, BlockHeading, ContextFormat } from "../rendering/context-format.ts";
import { escapeAttribute, singleLine } from "../rendering/escape.ts";
import { compareIds } from "../scoring/compare-ids.ts";
import { datesTold, dayOfTimeZone, type MemoryDates, memoryDates } from "./memory-dates.ts";
import { isWishOfUser, mayBeFollowed } from "./standing.ts";
import type { WritableMemory, WrittenMemories, WrittenMemory } from "./written-memories.ts";

/** A memory with the text it is shown with. Without a score when it stands whatever the query says. */
export type ShownMemory = Pick<RecallHit, "memory" | "text" | "truncated" | "outdated"> &
  Partial<Pick<RecallHit, "score" | "parts">>;

/** A memory, rendered. */
export interface MemoryItem {
  readonly hit: ShownMemory;
  /** Its place among those that stand whatever the query says, from 0. Absent for what was recalled. */
  readonly standing?: number | undefined;
  /** Its place among what was recalled, from 0. Absent: its score tells. */
  readonly recalled?: number | undefined;
  /** A procedure to follow stands apart from the memories, as a line of a list. */
  readonly form: "memory" | "procedure";
  /** Begins at the start of a line and ends with a line break. */
  readonly rendered: string;
  readonly tokens: number;
  /** Tokens it would take had it not been cut to the maximum for one memory. */
  readonly wholeTokens: number;
  /** How it is written behind a memory that it shares source, confidence and dates with. Absent when none of them all has them. */
  readonly continued?: ContinuedMemory | undefined;
}

/** A memory that does not repeat what the one before it says of itself. */
export interface ContinuedMemory extends WrittenMemory {
  /** The same for all that share source, confidence and dates, and are equally outdated. */
  readonly group: string;
}

/** Where nothing is known at all that a query could be answered by. */
export const emptyKnowledge = "No relevant context found.\n";

/** Where something stands in the context whatever the query says, which may well answer it. */
export const nothingMore = "Nothing else was found for this.\n";

export const proceduresIntroduction = "These are learned behaviors. Follow them.\n";

export interface MemoryWriterOptions {
  readonly layout: Layout;
  readonly format: ContextFormat;
  readonly count: (text: string) => number;
  /** What was written before. */
  readonly written?: WrittenMemories | undefined;
  /** Names counter and layout, whose results are kept apart. */
  readonly key: string;
  /** Says of each memory when it was said, in days of this time zone. Absent: no dates are shown. */
  readonly dateZone?: string | undefined;
}

/** Writes memories down as one layout wants them. */
export class MemoryWriter {
  readonly #layout: Layout;
  readonly #format: ContextFormat;
  readonly #count: (text: string) => number;
  readonly #written: WrittenMemories | undefined;
  readonly #key: string;
  readonly #datesOf: ((memory: Memory) => MemoryDates) | undefined;
  readonly #dayOf: (at: Instant) => string | undefined;

  constructor({ layout, format, count, written, key, dateZone }: MemoryWriterOptions) {
    this.#layout = layout;
    this.#format = format;
    this.#count = count;
    this.#written = written;
    this.#key = `${key}:${layout.memoryForm}`;
    this.#datesOf = dateZone === undefined ? undefined : memoryDates(dateZone);
    this.#dayOf = dateZone === undefined ? () => undefined : dayOfTimeZone(dateZone);
  }

  write(hit: ShownMemory): MemoryItem {
    const { memory, truncated } = hit;
    // In Markdown a procedure is a memory like the others: there is no block to keep it apart.
    const form = this.#layout.rendering === "xml" && mayBeFollowed(memory) ? "procedure" : "memory";
    const writable = this.#writableOf(hit, form);
    const write = (): WrittenMemory => this.#write(() => this.#render(writable));
    const { rendered, tokens } = this.#written?.read(memory.id, writable, this.#key, write) ?? write();
    const wholeTokens = truncated ? this.#wholeTokens(memory.id, { ...writable, text: memory.text }) : tokens;
    return { hit, form, rendered, tokens, wholeTokens };
  }

  /** The same memories, those that share all that is told of them with another also as they are written behind one. */
  withContinued<Item extends MemoryItem>(items: readonly Item[]): readonly Item[] {
    if (this.#layout.memoryForm !== "element") return items;
    const groups = new Map<string, number>();
    for (const item of items)
      if (item.form === "memory") groups.set(this.#groupOf(item), (groups.get(this.#groupOf(item)) ?? 0) + 1);
    if (groups.size === items.length) return items;
    return items.map((item) =>
      item.form === "memory" && (groups.get(this.#groupOf(item)) ?? 0) > 1
        ? { ...item, continued: this.#continue(item) }
        : item,
    );
  }

  #continue(item: MemoryItem): ContinuedMemory {
    const { hit } = item;
    const write = (): WrittenMemory => this.#write(() => this.#element(hit.text, []));
    const writable = this.#writableOf(hit, item.form);
    const { rendered, tokens } =
      this.#written?.read(hit.memory.id, writable, `${this.#key}:continued`, write) ?? write();
    return { group: this.#groupOf(item), rendered, tokens };
  }

  /** Only the number is kept: nobody is shown the whole. */
  #wholeTokens(id: ShownMemory["memory"]["id"], whole: WritableMemory): number {
    const write = (): WrittenMemory => ({ ...this.#write(() => this.#render(whole)), rendered: "" });
    return (this.#written?.read(id, whole, `${this.#key}:whole`, write) ?? write()).tokens;
  }

  #write(render: () => string): WrittenMemory {
    const rendered = render();
    return { rendered, tokens: this.#count(rendered) };
  }

  #render({ form, text, category, source, confidence, tags, isWish, dates = {}, outdated }: WritableMemory): string {
    const over = outdated === undefined ? [] : [`outdated ${outdated}`.trimEnd()];
    if (form === "procedure") {
      const notes = [...tags, ...over];
      const shown = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
      return `- ${this.#format.escapeText(singleLine(text + shown), "inline")}\n`;
    }
    if (this.#layout.memoryForm === "list") {
      const told = datesTold(dates).map(([name, day]) => (name === "date" ? day : `${name} ${day}`));
      return `- [${[category, ...told, ...over].join(", ")}] ${this.#format.escapeText(singleLine(text), "inline")}\n`;
    }
    // Certain is what nobody has said otherwise of: most memories are, and the room goes to what they say.
    const certainty: Attributes = confidence === 1 ? [] : [["confidence", confidence.toFixed(2)]];
    const wish: Attributes = isWish ? [["wish-of", "user"]] : [];
    const ended: Attributes = outdated === undefined ? [] : [["outdated", outdated || "true"]];
    const named: Attributes = [["source", escapeAttribute(source)], ...wish, ...certainty];
    return this.#element(text, [...named, ...datesTold(dates), ...ended]);
  }

  #writableOf({ memory, text, ...shown }: ShownMemory, form: MemoryItem["form"]): WritableMemory {
    const { category, confidence, tags } = memory;
    const dates = form === "memory" ? this.#datesOf?.(memory) : undefined;
    const outdated = this.#outdated(shown);
    const [source, isWish] = [sourceOf(memory), isWishOfUser(memory)];
    return { form, text, category, source, confidence, tags, isWish, dates, outdated };
  }

  /** How far it is over, and since when, as far as that is told. */
  #outdated({ outdated }: Pick<ShownMemory, "outdated">): string | undefined {
    if (outdated === undefined) return undefined;
    const day = this.#dayOf(outdated.since);
    const told = [...(outdated.isInPart ? ["in part"] : []), ...(day === undefined ? [] : [`since ${day}`])];
    return told.join(" ");
  }

  #groupOf({ hit }: Pick<MemoryItem, "hit">): string {
    const { memory } = hit;
    const dates = this.#datesOf === undefined ? "" : datesTold(this.#datesOf(memory)).join();
    const outdated = this.#outdated(hit) ?? "no";
    return `${memory.confidence}:${isWishOfUser(memory)}:${dates}:${outdated}:${sourceOf(memory)}`;
  }

  #element(text: string, attributes: Attributes): string {
    const open = this.#format.openingLine(memoryHeading, attributes);
    return `${open}${this.#format.escapeText(text, "line")}\n${this.#format.closing(memoryHeading)}\n`;
  }
}

const memoryHeading: BlockHeading = { name: "memory", title: "Memory" };

function sourceOf({ id, provenance }: ShownMemory["memory"]): string {
  return provenance?.sourceId ?? id;
}

/** What stands whatever the query says first, in its order; then best first: as recalled, or by score, then id. */
export function compareItems(left: MemoryItem, right: MemoryItem): number {
  if (left.standing !== undefined || right.standing !== undefined)
    return (left.standing ?? Infinity) - (right.standing ?? Infinity);
  if (left.recalled !== undefined && right.recalled !== undefined) return left.recalled - right.recalled;
  return (right.hit.score ?? 0) - (left.hit.score ?? 0) || compareIds(left.hit.memory.id, right.hit.memory.id);
}
