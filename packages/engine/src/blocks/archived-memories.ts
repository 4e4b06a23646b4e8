import { capturedImportance, isStaticStatement } from "@loci/core";
import type { ArchivedEntry, BlockOwner, Category, Instant, MemoryRecord, Scope, TenantId } from "@loci/domain";
import { maxTextBytes, utf8ByteLength } from "@loci/domain";
import { type MemoryWrite, unused } from "../memories/commit-memories.ts";
import type { MemoryServices } from "../memories/memory-services.ts";
import { newMemory } from "../memories/remember.ts";
import { canBeRefreshed } from "../memories/repeated-memory.ts";
import type { StoredMemory } from "@loci/ledger";

/** What all memories are called that have left a block. */
export const archivedTag = "archived";

/** A text that leaves a block. */
export interface ArchivedMemory {
  readonly category: Category;
  readonly text: string;
}

const categories: Readonly<Record<string, Category>> = {
  preferences: "preference",
  facts: "fact",
  contextNotes: "note",
};

/** List entries that had to go, as memories. */
export function archivedEntries(entries: readonly ArchivedEntry[]): readonly ArchivedMemory[] {
  return entries.map(({ field, entry }) => ({
    category: (Object.hasOwn(categories, field) ? categories[field] : undefined) ?? "note",
    text: entry,
  }));
}

/**
 * The facts among entries that room was made of which hold for good: an allergy, a birthday. They go on standing in every
 * context, where the memory of the whole text is only found.
 */
export function lastingFacts(entries: readonly ArchivedEntry[]): readonly ArchivedMemory[] {
  return archivedEntries(entries).filter((entry) => standing(entry).isStatic);
}

/** A fact weighs what it would if it had been captured; what is known by rules of capture to hold for good still does. */
function standing({ category, text }: ArchivedMemory): { readonly isStatic?: boolean; readonly importance?: number } {
  if (category !== "fact") return {};
  if (!isStaticStatement({ text, words: [], isInstinct: false, isOwn: true })) return {};
  const weight = { text, category, isCorrection: false, hasSlot: false, isRule: false };
  return { isStatic: true, importance: capturedImportance(weight) };
}

/** Memories of the owner with what left its block. A text that is too long for one becomes several. */
export function archivedMemories(
  { ids }: Pick<MemoryServices, "ids">,
  { owner, label, now }: { readonly owner: BlockOwner; readonly label: string; readonly now: Instant },
  texts: readonly ArchivedMemory[],
): readonly MemoryWrite[] {
  return texts.flatMap(({ category, text }) =>
    // A memory holds no NUL.
    partsOf(text.replaceAll("\0", "\ufffd")).map((part) => ({
      memory: newMemory(ids.next(now), now, {
        text: part,
        scope: owner,
        category,
        origin: "import",
        ...standing({ category, text: part }),
        tags: [archivedTag],
        provenance: { sourceId: sourceOf(label), kind: "document" },
      }),
      usage: unused,
    })),
  );
}

/** The memories of a scope with these texts that can be found, and those that blocks have left there. */
export async function knownArchived(
  { ledger, clock }: Pick<MemoryServices, "ledger" | "clock">,
  {
    tenant,
    scope,
    texts,
    signal,
  }: {
    readonly tenant: TenantId;
    readonly scope: Scope;
    readonly texts: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<readonly StoredMemory[]> {
  const stored = await ledger.byTexts(tenant, { scope, texts, limitOfEach }, { signal });
  return stored.filter(({ memory }) => canBeRefreshed(memory, clock()));
}

/** Of one text; more are told apart by nothing that matters here. */
const limitOfEach = 4;

/** Whether a memory is what a block left. */
export function isArchivedOf({ tags, provenance }: Pick<MemoryRecord, "tags" | "provenance">, label: string): boolean {
  return tags.includes(archivedTag) && provenance?.sourceId === sourceOf(label);
}

function sourceOf(label: string): string {
  return `block:${label}`;
}

/** A memory holds as many bytes; a UTF-16 unit takes three at most. */
const partLength = Math.floor(maxTextBytes / 3);

function partsOf(text: string): readonly string[] {
  if (utf8ByteLength(text) <= maxTextBytes) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + partLength);
    // Not between the halves of a surrogate pair.
    if (end < text.length && text.charCodeAt(end - 1) >>> 10 === 0x36) end--;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
