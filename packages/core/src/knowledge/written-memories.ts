import type { RecallHit } from "@loci/domain";
import type { MemoryDates } from "./memory-dates.ts";

/** What a memory is written down from. */
export interface WritableMemory {
  readonly form: "memory" | "procedure";
  readonly text: string;
  readonly category: string;
  readonly source: string;
  readonly confidence: number;
  readonly tags: readonly string[];
  /** A rule that a user told. */
  readonly isWish: boolean;
  /** Absent where a context does not say them. */
  readonly dates?: MemoryDates | undefined;
  /** How far it is over, and since when, as far as that is told. Absent: nothing is known to be over. */
  readonly outdated?: string | undefined;
}

/** A memory as it stands in a context. */
export interface WrittenMemory {
  readonly rendered: string;
  readonly tokens: number;
}

export interface WrittenMemoriesOptions {
  /**
   * How much is kept, in UTF-16 units: between this and half of it. Default 16,000,000, so that the sixty longest memories that one
   * question may find stay for its context.
   */
  readonly maxLength?: number | undefined;
}

type Entry = WritableMemory & WrittenMemory;

/** By layout and counter, then by id. */
type Generation = Map<string, Map<string, Entry>>;

/** What an entry takes besides its text, in UTF-16 units. */
const unitsPerEntry = 200;

/**
 * Remembers memories as they were written down, from one assembly to the next. They are looked up by id and compared by
 * all that they are written from: a memory that was changed, or cut elsewhere, is written again.
 */
export class WrittenMemories {
  readonly #maxLength: number;
  // Two generations: what is not asked for while one fills up is forgotten with the other.
  #young: Generation = new Map();
  #old: Generation = new Map();
  #length = 0;

  constructor(options: WrittenMemoriesOptions = {}) {
    this.#maxLength = options.maxLength ?? 16_000_000;
  }

  /** @param form distinguishes layouts and counters, whose results differ */
  read(id: RecallHit["memory"]["id"], memory: WritableMemory, form: string, write: () => WrittenMemory): WrittenMemory {
    const young = this.#young.get(form)?.get(id);
    if (young !== undefined && isSame(young, memory)) return young;
    const old = this.#old.get(form)?.get(id);
    const entry = old !== undefined && isSame(old, memory) ? old : { ...memory, tags: [...memory.tags], ...write() };
    this.#remember(form, id, entry);
    return entry;
  }

  #remember(form: string, id: string, entry: Entry): void {
    const entries = this.#young.get(form) ?? new Map<string, Entry>();
    entries.set(id, entry);
    this.#young.set(form, entries);
    this.#length += unitsPerEntry + entry.text.length + entry.rendered.length;
    if (this.#length <= this.#maxLength / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#length = 0;
  }
}

function isSame(known: WritableMemory, given: WritableMemory): boolean {
  return (
    known.text === given.text &&
    known.source === given.source &&
    known.confidence === given.confidence &&
    known.form === given.form &&
    known.isWish === given.isWish &&
    known.category === given.category &&
    known.dates?.date === given.dates?.date &&
    known.dates?.since === given.dates?.since &&
    known.dates?.until === given.dates?.until &&
    known.outdated === given.outdated &&
    known.tags.length === given.tags.length &&
    known.tags.every((tag, index) => tag === given.tags[index])
  );
}
