import {
  compareItems,
  emptyKnowledge,
  type MemoryItem,
  proceduresIntroduction,
  proceduresTag,
} from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { openingLine } from "../rendering/xml.ts";
import { chooseItems } from "../shortening/items.ts";
import {
  closingTokens,
  type FittedSection,
  keepsItsOwn,
  leftOut,
  type RenderedBlock,
  renderBlock,
  type SectionDraft,
} from "./section-draft.ts";
import type { TokenMeter } from "./token-meter.ts";

export interface KnowledgeSectionOptions {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  /** Memories that belong here, best first. */
  readonly memories: readonly PlacedMemory[];
  readonly meter: TokenMeter;
}

/** What was recalled for this question; behind it, outside its tags but on its budget, the procedures to follow. */
export class KnowledgeSection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens = 0;
  readonly memories: readonly PlacedMemory[];
  readonly #openingTokens: number;
  readonly #closingTokens: number;
  readonly #emptyTokens: number;
  /** Tokens of the procedures' tags and introduction. The opening tag is counted with the largest count it can show. */
  readonly #procedureTagTokens: number;
  readonly #meter: TokenMeter;

  constructor({ section, rank, baseTokens, memories, meter }: KnowledgeSectionOptions) {
    this.section = section;
    this.rank = rank;
    this.baseTokens = baseTokens;
    this.memories = memories;
    this.#meter = meter;
    this.#openingTokens = meter.count(openingLine(section.name));
    this.#closingTokens = closingTokens(section.name, meter);
    this.#emptyTokens = meter.count(emptyKnowledge);
    const procedures = memories.filter(isProcedure).length;
    this.#procedureTagTokens =
      meter.count(proceduresOpening(procedures) + proceduresIntroduction) + closingTokens(proceduresTag, meter);
    this.neededTokens = this.#choose(memories, Infinity).tokens;
  }

  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection {
    if (this.#openingTokens + this.#emptyTokens + this.#closingTokens > maxTokens) return leftOut(false);
    const { chosen, tokens } = this.#choose(memories, maxTokens);
    const kept = chosen.toSorted(compareItems);
    const isWhole = keepsItsOwn(this, kept);
    return { tokens, textTokens: tokens, isWhole, blocks: this.#blocks(kept), kept };
  }

  #choose(
    memories: readonly PlacedMemory[],
    maxTokens: number,
  ): { readonly chosen: readonly PlacedMemory[]; readonly tokens: number } {
    const tags = this.#openingTokens + this.#closingTokens + this.#emptyTokens;
    const choice = chooseItems(memories, maxTokens - tags, (item, chosen) => {
      const isFirst = !chosen.some(({ form }) => form === item.form);
      if (!isFirst) return item.tokens;
      // The first memory takes the place of the sentence that says there is none; the first procedure brings its tags.
      return item.tokens + (isProcedure(item) ? this.#procedureTagTokens : -this.#emptyTokens);
    });
    return { chosen: choice.chosen, tokens: choice.tokens + tags };
  }

  #blocks(kept: readonly PlacedMemory[]): readonly RenderedBlock[] {
    const memories = kept.filter((item) => !isProcedure(item));
    const procedures = kept.filter(isProcedure);
    const knowledge = renderBlock(
      {
        name: this.section.name,
        given: "",
        givenTokens: this.#openingTokens,
        recalled: memories.length === 0 ? emptyKnowledge : renderedTexts(memories),
        recalledTokens: memories.length === 0 ? this.#emptyTokens : sumTokens(memories),
      },
      this.#meter,
    );
    return procedures.length === 0 ? [knowledge] : [knowledge, this.#procedureBlock(procedures)];
  }

  #procedureBlock(procedures: readonly PlacedMemory[]): RenderedBlock {
    return renderBlock(
      {
        name: proceduresTag,
        attributes: [["count", String(procedures.length)]],
        given: "",
        givenTokens: this.#meter.count(proceduresOpening(procedures.length)),
        recalled: proceduresIntroduction + renderedTexts(procedures),
        recalledTokens: this.#meter.count(proceduresIntroduction) + sumTokens(procedures),
      },
      this.#meter,
    );
  }
}

function proceduresOpening(count: number): string {
  return openingLine(proceduresTag, [["count", String(count)]]);
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
