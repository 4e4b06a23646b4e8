import {
  compareItems,
  emptyKnowledge,
  type MemoryItem,
  nothingMore,
  proceduresIntroduction,
} from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { Layout, LayoutSection } from "../layout/layout.ts";
import { type Attributes, proceduresHeading } from "../rendering/context-format.ts";
import { chooseItems } from "../shortening/items.ts";
import {
  closingTokens,
  type FittedSection,
  keepsItsOwn,
  leftOut,
  type RenderedBlock,
  renderBlock,
  type SectionDraft,
  type SectionTools,
} from "./section-draft.ts";

export interface MemorySectionOptions {
  readonly layout: Pick<Layout, "memoryForm" | "rendering">;
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  /** Memories that belong here, best first. */
  readonly memories: readonly PlacedMemory[];
  /** What day it is, where the section says so. */
  readonly today?: string | undefined;
  /** Whether what is remembered stands in other sections, whatever the query says. Default false. */
  readonly isBesideOthers?: boolean | undefined;
  readonly tools: SectionTools;
}

/**
 * What was recalled; next to it, outside its tags but on its budget, the procedures to follow: behind elements, before a
 * list. Only `knowledge` says so when there is nothing; other sections are then left out.
 */
export class MemorySection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens = 0;
  readonly memories: readonly PlacedMemory[];
  readonly #layout: Pick<Layout, "memoryForm" | "rendering">;
  readonly #today: string | undefined;
  /** Tokens of the opening lines, counted with the largest count they can show. */
  readonly #openingTokens: number;
  readonly #closingTokens: number;
  /** What it says when there is nothing. Empty: it is left out. */
  readonly #emptyText: string;
  readonly #emptyTokens: number;
  readonly #procedureTagTokens: number;
  readonly #tools: SectionTools;

  constructor({
    layout,
    section,
    rank,
    baseTokens,
    memories,
    today,
    isBesideOthers = false,
    tools,
  }: MemorySectionOptions) {
    this.#layout = layout;
    this.#today = today;
    this.section = section;
    this.rank = rank;
    this.baseTokens = baseTokens;
    this.memories = memories;
    this.#tools = tools;
    const { format, meter } = tools;
    const procedures = memories.filter(isProcedure).length;
    this.#openingTokens = meter.count(format.openingLine(section, this.#attributes(memories.length - procedures)));
    this.#closingTokens = closingTokens(section, tools);
    this.#emptyText = section.source !== "knowledge" ? "" : isBesideOthers ? nothingMore : emptyKnowledge;
    this.#emptyTokens = this.#emptyText === "" ? 0 : meter.count(this.#emptyText);
    this.#procedureTagTokens =
      meter.count(format.openingLine(proceduresHeading, countOf(procedures)) + proceduresIntroduction) +
      closingTokens(proceduresHeading, tools);
    this.neededTokens = this.#isLeftOut(memories) ? 0 : this.#choose(memories, Number.MAX_SAFE_INTEGER).tokens;
  }

  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection {
    if (this.#isLeftOut(memories)) return leftOut(this.memories.length === 0);
    if (this.#openingTokens + this.#emptyTokens + this.#closingTokens > maxTokens) return leftOut(false);
    const { chosen, tokens } = this.#choose(memories, maxTokens);
    const { kept, continued } = inGroups(chosen.toSorted(compareItems));
    const isWhole = keepsItsOwn(this, kept);
    if (this.#isLeftOut(kept)) return leftOut(isWhole);
    const blocks = this.#blocks(kept.map((item) => (continued.has(item) ? { ...item, ...item.continued } : item)));
    let textTokens = 0;
    for (const block of blocks) textTokens += block.tokens + block.separatorTokens;
    return { tokens, textTokens, isWhole, blocks, kept, continued };
  }

  #isLeftOut(memories: readonly PlacedMemory[]): boolean {
    return memories.length === 0 && this.section.source !== "knowledge";
  }

  #choose(
    memories: readonly PlacedMemory[],
    maxTokens: number,
  ): { readonly chosen: readonly PlacedMemory[]; readonly tokens: number } {
    const { maxItems = Infinity, maxProcedures = Infinity } = this.section;
    const tags = this.#openingTokens + this.#closingTokens + this.#emptyTokens;
    const chosenOf = { memory: 0, procedure: 0 };
    const groups = new Set<string>();
    const mostOf = { memory: maxItems, procedure: maxProcedures };
    const choice = chooseItems(memories, maxTokens - tags, (item, chosen) => {
      // Counted along: what was chosen last is the only news.
      const sofar = chosenOf.memory + chosenOf.procedure;
      for (const { form, continued } of chosen.slice(sofar)) {
        chosenOf[form]++;
        if (continued !== undefined) groups.add(continued.group);
      }
      // More than any room: what is one too many never fits.
      if (chosenOf[item.form] >= mostOf[item.form]) return Infinity;
      if (item.continued !== undefined && groups.has(item.continued.group)) return item.continued.tokens;
      if (chosenOf[item.form] > 0) return item.tokens;
      // The first memory takes the place of the sentence that says there is none; the first procedure brings its tags.
      return item.tokens + (isProcedure(item) ? this.#procedureTagTokens : -this.#emptyTokens);
    });
    return { chosen: choice.chosen, tokens: choice.tokens + tags };
  }

  #blocks(kept: readonly PlacedMemory[]): readonly RenderedBlock[] {
    const memories = kept.filter((item) => !isProcedure(item));
    const procedures = kept.filter(isProcedure);
    const { format, meter } = this.#tools;
    const attributes = this.#attributes(memories.length);
    const isEmpty = memories.length === 0;
    if (isEmpty && this.section.source !== "knowledge") return [this.#procedureBlock(procedures)];
    const memoryBlock = renderBlock(
      {
        heading: this.section,
        ...(attributes === undefined ? {} : { attributes }),
        given: "",
        givenTokens: meter.count(format.openingLine(this.section, attributes)),
        recalled: isEmpty ? this.#emptyText : renderedTexts(memories),
        recalledTokens: isEmpty ? this.#emptyTokens : sumTokens(memories),
      },
      this.#tools,
    );
    if (procedures.length === 0) return [memoryBlock];
    const procedureBlock = this.#procedureBlock(procedures);
    return this.#layout.memoryForm === "element" ? [memoryBlock, procedureBlock] : [procedureBlock, memoryBlock];
  }

  #procedureBlock(procedures: readonly PlacedMemory[]): RenderedBlock {
    const { format, meter } = this.#tools;
    const attributes = countOf(procedures.length);
    return renderBlock(
      {
        heading: proceduresHeading,
        attributes,
        given: "",
        givenTokens: meter.count(format.openingLine(proceduresHeading, attributes)),
        recalled: proceduresIntroduction + renderedTexts(procedures),
        recalledTokens: meter.count(proceduresIntroduction) + sumTokens(procedures),
      },
      this.#tools,
    );
  }

  /** In XML a list says how many it holds, and what day it is stands beside memories with dates. */
  #attributes(count: number): Attributes | undefined {
    const { memoryForm, rendering } = this.#layout;
    if (rendering !== "xml") return undefined;
    const attributes: Attributes = [
      ...(memoryForm === "list" ? countOf(count) : []),
      ...(this.#today === undefined ? [] : [["today", this.#today] as const]),
    ];
    return attributes.length === 0 ? undefined : attributes;
  }
}

/** Memories of one source together, where the best of them stands: only that one says what the source is. */
function inGroups(
  items: readonly PlacedMemory[],
): Required<Pick<FittedSection, "kept">> & { readonly continued: ReadonlySet<PlacedMemory> } {
  const groups = new Map<unknown, PlacedMemory[]>();
  const continued = new Set<PlacedMemory>();
  for (const item of items) {
    const group = groups.get(item.continued?.group);
    if (item.continued === undefined || group === undefined) groups.set(item.continued?.group ?? item, [item]);
    else {
      group.push(item);
      continued.add(item);
    }
  }
  return { kept: [...groups.values()].flat(), continued };
}

function countOf(count: number): Attributes {
  return [["count", String(count)]];
}

function isProcedure({ form }: MemoryItem): boolean {
  return form === "procedure";
}

function renderedTexts(items: readonly MemoryItem[]): string {
  return items.map(({ rendered }) => rendered).join("");
}

function sumTokens(items: readonly MemoryItem[]): number {
  let sum = 0;
  for (const { tokens } of items) sum += tokens;
  return sum;
}
