import { keepNewest } from "../history/window.ts";
import type { Conversation, MessageUnit } from "../history/message-unit.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import {
  closingTokens,
  type FittedSection,
  leftOut,
  renderBlock,
  type SectionDraft,
  type SectionTools,
} from "./section-draft.ts";

const emptyHistory = "No previous conversation.\n";

export interface HistorySectionOptions {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly conversation: Conversation;
  readonly tools: SectionTools;
}

/** What was said before, newest kept first. */
export class HistorySection implements SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  readonly baseTokens: number;
  readonly neededTokens: number;
  readonly minimumTokens: number;
  readonly memories: readonly PlacedMemory[] = [];
  readonly conversation: Conversation;
  readonly #openingTokens: number;
  readonly #closingTokens: number;
  readonly #tools: SectionTools;

  constructor({ section, rank, baseTokens, conversation, tools }: HistorySectionOptions) {
    this.section = section;
    this.rank = rank;
    this.baseTokens = baseTokens;
    this.conversation = conversation;
    this.#tools = tools;
    const { format, meter } = tools;
    this.#openingTokens = meter.count(format.openingLine(section));
    this.#closingTokens = closingTokens(section, tools);
    const { units } = conversation;
    const kept = units.filter(({ mustStay }) => mustStay);
    this.neededTokens = this.#tagTokens + (units.length === 0 ? meter.count(emptyHistory) : sumTokens(units));
    this.minimumTokens = kept.length === 0 ? 0 : this.#tagTokens + sumTokens(kept);
  }

  fit(maxTokens: number): FittedSection {
    const { units } = this.conversation;
    if (units.length === 0 && maxTokens < this.neededTokens) return leftOut(false);
    const kept = keepNewest(units, maxTokens - this.#tagTokens);
    let lines = "";
    let lineTokens = 0;
    for (const { messages } of kept) {
      for (const { line, textTokens } of messages) {
        lines += line;
        lineTokens += textTokens;
      }
    }
    if (kept.length === 0) {
      lines = emptyHistory;
      lineTokens = this.#tools.meter.count(emptyHistory);
    }
    const block = renderBlock(
      {
        heading: this.section,
        given: "",
        givenTokens: this.#openingTokens,
        recalled: lines,
        recalledTokens: lineTokens,
      },
      this.#tools,
    );
    return {
      tokens: this.#tagTokens + (kept.length === 0 ? lineTokens : sumTokens(kept)),
      textTokens: this.#tagTokens + lineTokens,
      isWhole: kept.length === units.length,
      blocks: [block],
      kept: [],
      units: kept,
    };
  }

  get #tagTokens(): number {
    return this.#openingTokens + this.#closingTokens;
  }
}

function sumTokens(units: readonly MessageUnit[]): number {
  let sum = 0;
  for (const { tokens } of units) sum += tokens;
  return sum;
}
