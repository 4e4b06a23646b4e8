import { type ChatMessage, type HistoryOptions, LociError } from "@loci/domain";
import {
  type ConversationFit,
  fitConversation,
  type GivenSummary,
  mostSummaryTokens,
} from "../history/fit-conversation.ts";
import type { HistoryCache } from "../history/history-cache.ts";
import type { Conversation, MessageUnit } from "../history/message-unit.ts";
import { readMessage } from "../history/history-cache.ts";
import type { RenderedSummary } from "../history/render-summary.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { chatMessageTokens } from "../tokens/message-framing.ts";
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
  readonly options: HistoryOptions;
  /** A summary that was made before, by a model. */
  readonly summary?: GivenSummary | undefined;
  readonly cache?: HistoryCache | undefined;
  readonly tools: SectionTools;
}

/** What was said before: the newest messages as they are, and of those before them a summary. */
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
  readonly #mostTokens: number;
  readonly #fit: ConversationFit;
  readonly #tools: SectionTools;

  /** @throws LociError `HISTORY_TOO_LARGE` when what must stay is larger than `options.maxTokens` */
  constructor({ section, rank, baseTokens, conversation, options, summary, cache, tools }: HistorySectionOptions) {
    this.section = section;
    this.rank = rank;
    this.baseTokens = baseTokens;
    this.conversation = conversation;
    this.#tools = tools;
    const { format, meter } = tools;
    this.#openingTokens = meter.count(format.openingLine(section));
    this.#closingTokens = closingTokens(section, tools);
    this.#mostTokens = options.maxTokens ?? Infinity;
    const { units } = conversation;
    this.#fit = {
      units,
      strategy: options.strategy ?? "summary",
      mostUnits: unitsOfLastTurns(units, options.lastTurns),
      form: options.turnNumbers === true ? "turns" : "roles",
      escape: (text, place) => format.escapeText(text, place),
      countSummary: (text) => Math.max(meter.count(text), chatMessageTokens(summaryMessage(text), meter.count)),
      given: summary,
      cache,
    };
    const keptTokens = sumTokens(units.filter(({ mustStay }) => mustStay));
    if (keptTokens > this.#mostTokens) throw tooLarge(keptTokens, this.#mostTokens);
    this.neededTokens = this.#tagTokens + (units.length === 0 ? meter.count(emptyHistory) : this.#wantedTokens());
    this.minimumTokens = keptTokens === 0 ? 0 : this.#tagTokens + keptTokens;
  }

  fit(maxTokens: number): FittedSection {
    const { units } = this.conversation;
    const { meter } = this.#tools;
    if (units.length === 0 && maxTokens < this.neededTokens) return leftOut(false);
    const room = Math.min(this.#mostTokens, maxTokens - this.#tagTokens);
    const { kept, summary } = fitConversation(this.#fit, room);
    const shown = summary === undefined ? kept : [this.#summaryUnit(summary), ...kept];
    let lines = "";
    let lineTokens = 0;
    for (const { messages } of shown) {
      for (const { line, textTokens } of messages) {
        lines += line;
        lineTokens += textTokens;
      }
    }
    if (shown.length === 0) {
      lines = emptyHistory;
      lineTokens = meter.count(emptyHistory);
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
      tokens: this.#tagTokens + (shown.length === 0 ? lineTokens : sumTokens(shown)),
      textTokens: this.#tagTokens + lineTokens,
      isWhole: kept.length === units.length,
      blocks: [block],
      kept: [],
      units: shown,
      summary,
    };
  }

  get #tagTokens(): number {
    return this.#openingTokens + this.#closingTokens;
  }

  /** What it would take with all the room there is. */
  #wantedTokens(): number {
    const { units, mostUnits, strategy } = this.#fit;
    if (mostUnits >= units.length) return Math.min(this.#mostTokens, sumTokens(units));
    const kept = units.filter(({ mustStay }, index) => mustStay || index >= units.length - mostUnits);
    return Math.min(this.#mostTokens, sumTokens(kept) + (strategy === "summary" ? mostSummaryTokens : 0));
  }

  /** A summary takes part in both forms like a message of the user: it is untrusted, and never of system role. */
  #summaryUnit({ text, tokens }: RenderedSummary): MessageUnit {
    const { meter } = this.#tools;
    const message = summaryMessage(text);
    const rendered = {
      line: text,
      textTokens: meter.count(text),
      chatTokens: chatMessageTokens(message, meter.count),
    };
    const read = readMessage(message, rendered);
    return { messages: [{ index: -1, message, turn: 0, read, ...rendered }], tokens, mustStay: false };
  }
}

function summaryMessage(text: string): ChatMessage {
  return { role: "user", content: text.slice(0, -1) };
}

/** How many units, counted from the newest, are of the last so many turns. */
function unitsOfLastTurns(units: readonly MessageUnit[], lastTurns: number | undefined): number {
  const last = units.at(-1)?.messages[0]?.turn ?? 0;
  if (lastTurns === undefined) return units.length;
  const first = units.findIndex(({ messages }) => (messages[0]?.turn ?? 0) > last - lastTurns);
  return units.length - first;
}

function sumTokens(units: readonly MessageUnit[]): number {
  let sum = 0;
  for (const { tokens } of units) sum += tokens;
  return sum;
}

function tooLarge(neededTokens: number, maxTokens: number): LociError {
  return new LociError("HISTORY_TOO_LARGE", {
    message: `The newest message and the latest of the user take ${neededTokens} tokens, but history.maxTokens is ${maxTokens}.`,
    field: "history.maxTokens",
    advice: "Raise history.maxTokens, or shorten these messages.",
    details: { neededTokens: String(neededTokens), budgetTokens: String(maxTokens) },
  });
}
