import { compareItems } from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { openingLine } from "../rendering/xml.ts";
import { shortenAtCharacter } from "../shortening/characters.ts";
import { chooseItems } from "../shortening/items.ts";
import { shortenAtSentence } from "../shortening/sentences.ts";
import type { ShortenedText, TextRoom } from "../shortening/shorten-text.ts";
import {
  closingTokens,
  type FittedSection,
  keepsItsOwn,
  leftOut,
  renderBlock,
  type SectionDraft,
} from "./section-draft.ts";
import type { TokenMeter } from "./token-meter.ts";

export interface TextSectionOptions {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  /** The application's own words. */
  readonly text: string | undefined;
  /** Stands behind the text and is never cut. */
  readonly notice?: string | undefined;
  /** Memories that belong here, best first. They stand at the end. */
  readonly memories: readonly PlacedMemory[];
  readonly meter: TokenMeter;
}

/** A section of given text, with the memories that belong to it. The text comes before the memories. */
export class TextSection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens: number;
  readonly memories: readonly PlacedMemory[];
  /** Memories that do not fit the base budget of a section that is never cut. */
  readonly overflow: readonly PlacedMemory[];
  readonly #text: string | undefined;
  readonly #wholeTextTokens: number;
  readonly #notice: string;
  readonly #noticeTokens: number;
  readonly #closingTokens: number;
  readonly #meter: TokenMeter;
  #shortened: ShortenedText | undefined;

  constructor({ section, rank, baseTokens, text, notice, memories, meter }: TextSectionOptions) {
    this.section = section;
    this.rank = rank;
    this.baseTokens = baseTokens;
    this.#meter = meter;
    this.#text = text === undefined || text.trim() === "" ? undefined : text;
    this.#notice = notice === undefined ? "" : `${notice}\n`;
    this.#noticeTokens = notice === undefined ? 0 : meter.count(this.#notice);
    this.#closingTokens = closingTokens(section.name, meter);
    this.#wholeTextTokens = meter.count(this.#textLines(this.#text));
    const own = this.#wholeTextTokens + this.#noticeTokens + this.#closingTokens;
    const isNeverCut = section.shortening === "never";
    // A memory is no reason to refuse a system text that would fit by itself.
    const { chosen, left, tokens } = chooseItems(memories, isNeverCut ? baseTokens - own : Infinity, tokensOf);
    this.memories = chosen;
    this.overflow = left;
    const isEmpty = this.#text === undefined && notice === undefined && chosen.length === 0;
    this.neededTokens = isEmpty ? 0 : own + tokens;
    this.minimumTokens = isNeverCut ? this.neededTokens : 0;
  }

  /** Tokens the given text would take whole, with the opening tag. 0 without one. */
  get wholeTextTokens(): number {
    return this.#text === undefined ? 0 : this.#wholeTextTokens;
  }

  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection {
    const fixed = this.#noticeTokens + this.#closingTokens;
    const text = this.#fitText(maxTokens - fixed);
    const givenTokens = text.tokens + this.#noticeTokens;
    const { chosen, tokens: recalledTokens } = chooseItems(
      memories,
      maxTokens - givenTokens - this.#closingTokens,
      tokensOf,
    );
    const kept = chosen.toSorted(compareItems);
    const isWhole = text.value === this.#text && keepsItsOwn(this, kept);
    if (text.value === undefined && this.#notice === "" && kept.length === 0) return leftOut(isWhole);
    const tokens = givenTokens + recalledTokens + this.#closingTokens;
    const block = renderBlock(
      {
        name: this.section.name,
        given: this.#textLines(text.value).slice(openingLine(this.section.name).length) + this.#notice,
        givenTokens,
        recalled: kept.map(({ rendered }) => rendered).join(""),
        recalledTokens,
      },
      this.#meter,
    );
    return {
      tokens,
      textTokens: tokens,
      isWhole,
      blocks: [block],
      text: text.value === undefined ? undefined : { tokens: text.tokens, isShortened: text.value !== this.#text },
      kept,
    };
  }

  #fitText(maxTokens: number): { readonly value: string | undefined; readonly tokens: number } {
    if (this.#wholeTextTokens <= maxTokens || this.#text === undefined)
      return { value: this.#text, tokens: this.#wholeTextTokens };
    const known = this.#shortened;
    if (known !== undefined && known.tokens <= maxTokens && maxTokens < known.nextTokens)
      return { value: known.text, tokens: known.tokens };
    this.#shortened = this.#shorten(this.#text, {
      counter: this.#meter.counter,
      maxTokens,
      wholeTokens: this.#wholeTextTokens,
      tokensOf: (text) => this.#meter.count(this.#textLines(text)),
    });
    return this.#shortened === undefined
      ? { value: undefined, tokens: this.#meter.count(this.#textLines(undefined)) }
      : { value: this.#shortened.text, tokens: this.#shortened.tokens };
  }

  #shorten(text: string, room: TextRoom): ShortenedText | undefined {
    switch (this.section.shortening) {
      case "characters":
        return shortenAtCharacter(text, room);
      case "sentences":
        return shortenAtSentence(text, room);
      default:
        return { text, tokens: room.wholeTokens, nextTokens: Infinity };
    }
  }

  /** The opening tag and the text, counted together: a text may begin with white space. */
  #textLines(text: string | undefined): string {
    const opening = openingLine(this.section.name);
    if (text === undefined) return opening;
    return this.#notice === "" ? `${opening}${text}\n` : `${opening}${text}\n\n`;
  }
}

function tokensOf({ tokens }: PlacedMemory): number {
  return tokens;
}
