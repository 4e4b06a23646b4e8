import { compareItems } from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { shortenAtCharacter } from "../shortening/characters.ts";
import { chooseItems } from "../shortening/items.ts";
import { shortenAtSentence } from "../shortening/sentences.ts";
import type { ShortenedText, TextRoom } from "../shortening/shorten-text.ts";
import { withoutCutHeading } from "./given-text.ts";
import {
  closingTokens,
  type FittedSection,
  keepsItsOwn,
  leftOut,
  renderBlock,
  type SectionDraft,
  type SectionTools,
} from "./section-draft.ts";

export interface TextSectionOptions {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  /** True when the base grows with the text. */
  readonly mayGrow: boolean;
  readonly text: string | undefined;
  /** True for what was written down or said, and is escaped already: it is no part of what stays the same. */
  readonly isData?: boolean | undefined;
  /** Stands behind the text and is never cut. */
  readonly notice?: string | undefined;
  /** Memories that stand here whatever the query says, in their order. They stand behind the text, and do not change. */
  readonly standing: readonly PlacedMemory[];
  /** Memories that belong here, best first. They stand at the end. */
  readonly memories: readonly PlacedMemory[];
  readonly tools: SectionTools;
}

/** What stands whatever the query says has at most this share of what the text leaves of the base. */
const shareForStanding = 0.5;

/** A section of one text, with the memories that belong to it. The text comes before the memories. */
export class TextSection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens: number;
  readonly memories: readonly PlacedMemory[];
  /** Memories that do not fit: what stands, its share of the base; other memories, that of a section that is never cut. */
  readonly overflow: readonly PlacedMemory[];
  /** True when there is a text, be it empty, for the receipt to speak of. */
  readonly isGiven: boolean;
  readonly #text: string | undefined;
  readonly #isData: boolean;
  readonly #wholeTextTokens: number;
  readonly #notice: string;
  readonly #noticeTokens: number;
  readonly #openingLine: string;
  readonly #closingTokens: number;
  readonly #tools: SectionTools;
  #shortened: ShortenedText | undefined;

  constructor(options: TextSectionOptions) {
    const { section, rank, mayGrow, text, isData = false, notice, standing, memories, tools } = options;
    const { format, meter } = tools;
    this.section = section;
    this.rank = rank;
    this.#tools = tools;
    this.#text = text === undefined || text.trim() === "" ? undefined : text;
    this.isGiven = text !== undefined;
    this.#isData = isData;
    this.#notice = notice === undefined ? "" : `${notice}\n`;
    this.#noticeTokens = notice === undefined ? 0 : meter.count(this.#notice);
    this.#openingLine = format.openingLine(section);
    this.#closingTokens = closingTokens(section, tools);
    this.#wholeTextTokens = meter.count(this.#openingLine + this.#textLines(this.#text));
    const own = this.#wholeTextTokens + this.#noticeTokens + this.#closingTokens;
    const isGivenAnything = this.#text !== undefined || notice !== undefined;
    const baseTokens = mayGrow && isGivenAnything ? Math.max(options.baseTokens, own) : options.baseTokens;
    this.baseTokens = baseTokens;
    const isNeverCut = section.shortening === "never";
    // Of what the base is without growth, so that it depends on nothing but the text.
    const room = Math.floor((options.baseTokens - own) * shareForStanding);
    const stands = chooseItems(standing, room, tokensOf);
    // A memory is no reason to refuse a system text that would fit by itself.
    const most = isNeverCut ? baseTokens - own - stands.tokens : Infinity;
    const { chosen, left, tokens } = chooseItems(memories, most, tokensOf);
    this.memories = [...stands.chosen, ...chosen];
    this.overflow = [...stands.left, ...left];
    this.neededTokens = isGivenAnything || this.memories.length > 0 ? own + stands.tokens + tokens : 0;
    this.minimumTokens = isNeverCut ? this.neededTokens : 0;
  }

  /** Tokens the text would take whole, with the opening line. 0 without one. */
  get wholeTextTokens(): number {
    return this.#text === undefined ? 0 : this.#wholeTextTokens;
  }

  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection {
    const fixed = this.#noticeTokens + this.#closingTokens;
    const text = this.#fitText(maxTokens - fixed);
    const givenTokens = text.tokens + this.#noticeTokens;
    const room = maxTokens - givenTokens - this.#closingTokens;
    const { chosen, tokens: memoryTokens } = chooseItems(memories, room, tokensOf);
    const kept = chosen.toSorted(compareItems);
    const stands = kept.filter(({ standing }) => standing !== undefined);
    const isWhole = text.value === this.#text && keepsItsOwn(this, kept);
    if (text.value === undefined && this.#notice === "" && kept.length === 0) return leftOut(isWhole);
    const tokens = givenTokens + memoryTokens + this.#closingTokens;
    const lines = this.#textLines(text.value);
    const standing = stands.map(({ rendered }) => rendered).join("");
    const standingTokens = stands.reduce((sum, item) => sum + item.tokens, 0);
    const recalled = kept
      .slice(stands.length)
      .map(({ rendered }) => rendered)
      .join("");
    const openingTokens = this.#isData ? this.#tools.meter.count(this.#openingLine) : 0;
    const block = renderBlock(
      this.#isData
        ? {
            heading: this.section,
            given: "",
            givenTokens: openingTokens,
            recalled: lines + this.#notice + recalled,
            recalledTokens: givenTokens + memoryTokens - openingTokens,
          }
        : {
            heading: this.section,
            given: lines + this.#notice + standing,
            givenTokens: givenTokens + standingTokens,
            recalled,
            recalledTokens: memoryTokens - standingTokens,
          },
      this.#tools,
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
    const { meter } = this.#tools;
    this.#shortened = this.#shorten(this.#text, {
      counter: meter.counter,
      maxTokens,
      wholeTokens: this.#wholeTextTokens,
      tokensOf: (text) => meter.count(this.#openingLine + this.#textLines(text)),
    });
    return this.#shortened === undefined
      ? { value: undefined, tokens: meter.count(this.#openingLine) }
      : { value: this.#shortened.text, tokens: this.#shortened.tokens };
  }

  #shorten(text: string, room: TextRoom): ShortenedText | undefined {
    switch (this.section.shortening) {
      case "characters": {
        const shortened = shortenAtCharacter(text, room);
        return this.#isData && shortened !== undefined ? withoutCutHeading(shortened, room) : shortened;
      }
      case "sentences":
        return shortenAtSentence(text, room);
      default:
        return { text, tokens: room.wholeTokens, nextTokens: Infinity };
    }
  }

  /** The text as lines. Counted together with the opening line: it may begin with white space. */
  #textLines(text: string | undefined): string {
    if (text === undefined) return "";
    const complete = this.#tools.format.completeText(text);
    return this.#notice === "" ? `${complete}\n` : `${complete}\n\n`;
  }
}

function tokensOf({ tokens }: PlacedMemory): number {
  return tokens;
}
