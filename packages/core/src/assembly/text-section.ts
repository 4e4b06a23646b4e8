import { compareItems } from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { chooseItems } from "../shortening/items.ts";
import {
  closingTokens,
  type FittedSection,
  keepsItsOwn,
  leftOut,
  renderBlock,
  type SectionDraft,
  type SectionTools,
} from "./section-draft.ts";
import type { SectionTexts } from "./section-texts.ts";
import { type FittedRun, TextRun } from "./text-run.ts";

export interface TextSectionOptions {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  /** By how much the base may grow with the text. Absent: it stays as it is. */
  readonly growthTokens?: number | undefined;
  readonly texts: SectionTexts;
  /** Stands behind what stays the same and is never cut. */
  readonly notice?: string | undefined;
  /** Memories that stand here whatever the query says, in their order. They stand behind that text, and do not change. */
  readonly standing: readonly PlacedMemory[];
  /** Memories that belong here, best first. They stand at the end. */
  readonly memories: readonly PlacedMemory[];
  readonly tools: SectionTools;
}

/**
 * What stands whatever the query says has at most this share of the base where that grows with the text, however long it is, and
 * elsewhere of what the text leaves of it.
 */
const shareForStanding = 0.5;

/** A section of texts, with the memories that belong to it. What stays the same comes first, recalled memories last. */
export class TextSection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens: number;
  readonly memories: readonly PlacedMemory[];
  /** Memories that do not fit: what stands, its share of the base; other memories, that of a section that is never cut. */
  readonly overflow: readonly PlacedMemory[];
  /** Its texts in their order, in the runs they are cut in. */
  readonly runs: readonly [stable: TextRun, changing: TextRun];
  readonly #notice: string;
  readonly #noticeTokens: number;
  readonly #openingTokens: number;
  readonly #closingTokens: number;
  readonly #tools: SectionTools;

  constructor(options: TextSectionOptions) {
    const { section, rank, growthTokens, texts, notice, standing, memories, tools } = options;
    const { format, meter } = tools;
    this.section = section;
    this.rank = rank;
    this.#tools = tools;
    this.#notice = notice === undefined ? "" : `${notice}\n`;
    this.#noticeTokens = notice === undefined ? 0 : meter.count(this.#notice);
    this.#closingTokens = closingTokens(section, tools);
    const openingLine = format.openingLine(section);
    const lineEnd = notice === undefined ? "\n" : "\n\n";
    const stable = new TextRun({ section, parts: texts.stable, openingLine, lineEnd, tools });
    // What opens the section is counted together with its first text.
    const isFirst = stable.isEmpty && notice === undefined && texts.changing.length > 0;
    const changing = new TextRun({
      section,
      parts: texts.changing,
      openingLine: isFirst ? openingLine : "",
      lineEnd: "\n",
      tools,
    });
    this.runs = [stable, changing];
    this.#openingTokens = isFirst ? meter.count(openingLine) : 0;
    const textTokens = stable.wholeTokens + changing.wholeTokens - this.#openingTokens;
    const own = textTokens + this.#noticeTokens + this.#closingTokens;
    const isGivenAnything = !stable.isEmpty || !changing.isEmpty || notice !== undefined;
    // Of what the base is without growth, so that it depends on nothing but the text.
    const most = Math.min(options.baseTokens, options.baseTokens + (growthTokens ?? 0) - own);
    const stands = chooseItems(standing, Math.floor(most * shareForStanding), tokensOf);
    const baseTokens =
      growthTokens !== undefined && isGivenAnything
        ? Math.max(options.baseTokens, own + stands.tokens)
        : options.baseTokens;
    this.baseTokens = baseTokens;
    const isNeverCut = section.shortening === "never";
    // A memory is no reason to refuse a system text that would fit by itself.
    const room = isNeverCut ? baseTokens - own - stands.tokens : Infinity;
    const { chosen, left, tokens } = chooseItems(memories, room, tokensOf);
    this.memories = [...stands.chosen, ...chosen];
    this.overflow = [...stands.left, ...left];
    this.neededTokens = isGivenAnything || this.memories.length > 0 ? own + stands.tokens + tokens : 0;
    this.minimumTokens = isNeverCut ? this.neededTokens : 0;
  }

  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection {
    const fixed = this.#noticeTokens + this.#closingTokens;
    const [stable, changing] = this.#fitTexts(maxTokens - fixed);
    const textTokens = stable.tokens + changing.tokens;
    const room = maxTokens - fixed - textTokens;
    const { chosen, tokens: memoryTokens } = chooseItems(memories, room, tokensOf);
    const kept = chosen.toSorted(compareItems);
    const stands = kept.filter(({ standing }) => standing !== undefined);
    const isWhole = stable.isWhole && changing.isWhole && keepsItsOwn(this, kept);
    const parts = [...stable.parts, ...changing.parts];
    if (stable.lines === "" && changing.lines === "" && this.#notice === "" && kept.length === 0)
      return { ...leftOut(isWhole), texts: parts };
    const tokens = fixed + textTokens + memoryTokens;
    const standing = stands.map(({ rendered }) => rendered).join("");
    const standingTokens = stands.reduce((sum, item) => sum + item.tokens, 0);
    const recalled = kept
      .slice(stands.length)
      .map(({ rendered }) => rendered)
      .join("");
    const block = renderBlock(
      {
        heading: this.section,
        given: stable.lines + this.#notice + standing,
        givenTokens: stable.tokens + this.#noticeTokens + standingTokens,
        recalled: changing.lines + recalled,
        recalledTokens: changing.tokens + memoryTokens - standingTokens,
      },
      this.#tools,
    );
    return { tokens, textTokens: tokens, isWhole, blocks: [block], texts: parts, kept };
  }

  /** What changes gives way to what stays the same. The line that opens the section is counted with the first. */
  #fitTexts(maxTokens: number): readonly [FittedRun, FittedRun] {
    const [stable, changing] = this.runs;
    const opening = this.#openingTokens;
    if (opening > 0) {
      const fitted = changing.fit(maxTokens);
      return [stable.dropped(), { ...fitted, tokens: fitted.tokens - opening }];
    }
    return stable.wholeTokens <= maxTokens
      ? [stable.whole(), changing.fit(maxTokens - stable.wholeTokens)]
      : [stable.fit(maxTokens), changing.dropped()];
  }
}

function tokensOf({ tokens }: PlacedMemory): number {
  return tokens;
}
