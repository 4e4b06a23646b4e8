import { type ChatMessage, type HistoryOptions, LociError } from "@loci/domain";
import {
  type ConversationFit,
  fitConversation,
  type GivenSummary,
  mostSummaryTokens,
} from "../history/fit-conversation.ts";
import type { Conversation } from "../history/conversation.ts";
import type { RenderedMessage } from "../history/conversation-reading.ts";
import { describeLargest, type LargestMessage, toolOfResult } from "../history/largest-message.ts";
import { messageTokens, readMessage } from "../history/read-message.ts";
import { keptFrom, keptTokens, type KeptUnits, unitsOf } from "../history/window.ts";
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
  /** True when the base grows with the messages. */
  readonly mayGrow: boolean;
  readonly conversation: Conversation;
  /** True in the middle of a turn: the question is the conversation's latest message of the user. */
  readonly isRunning: boolean;
  readonly options: HistoryOptions;
  /** A summary that was made before, by a model. */
  readonly summary?: GivenSummary | undefined;
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
  /** By their text: what is fitted again mostly comes out the same. */
  readonly #summaryMessages = new Map<string, RenderedMessage>();
  readonly #tools: SectionTools;

  /** @throws LociError `HISTORY_TOO_LARGE` when what must stay is larger than `options.maxTokens` */
  constructor({ section, rank, conversation, options, summary, tools, ...base }: HistorySectionOptions) {
    this.section = section;
    this.rank = rank;
    this.conversation = conversation;
    this.#tools = tools;
    const { format, meter } = tools;
    this.#openingTokens = meter.count(format.openingLine(section));
    this.#closingTokens = closingTokens(section, tools);
    this.#mostTokens = options.maxTokens ?? Infinity;
    const { length } = conversation;
    this.#fit = {
      conversation,
      strategy: options.strategy ?? "summary",
      mostUnits: unitsOfLastTurns(conversation, options.lastTurns),
      form: options.turnNumbers === true ? "turns" : "roles",
      escape: (text) => format.escapeText(text, "line"),
      countSummary: (text) => messageTokens(this.#summaryMessage(text).read),
      given: summary,
      wholeSummaries: new Map(),
      summaryLines: new Map(),
    };
    const mustStayTokens = keptTokens(conversation, keptFrom(conversation, length));
    if (mustStayTokens > this.#mostTokens) throw tooLarge(mustStayTokens, this.#mostTokens, this.largestKept);
    this.neededTokens = this.#tagTokens + (length === 0 ? meter.count(emptyHistory) : this.#wantedTokens());
    this.baseTokens = base.mayGrow && length > 0 ? this.#grownTokens(base) : base.baseTokens;
    this.minimumTokens = mustStayTokens === 0 ? 0 : this.#tagTokens + mustStayTokens;
  }

  fit(maxTokens: number): FittedSection {
    const { conversation } = this;
    const { meter } = this.#tools;
    if (conversation.length === 0 && maxTokens < this.neededTokens) return leftOut(false);
    const room = Math.min(this.#mostTokens, maxTokens - this.#tagTokens);
    const { kept, summary, tokens, aheadTokens } = fitConversation(this.#fit, room);
    const shown = unitsOf(conversation, kept).flatMap(({ messages }) => messages);
    if (summary !== undefined) shown.splice(messagesAhead(conversation, kept), 0, this.#summaryMessage(summary.text));
    let lines = "";
    let lineTokens = 0;
    for (const { read } of shown) {
      lines += read.line;
      lineTokens += read.textTokens;
    }
    const isEmpty = shown.length === 0;
    if (isEmpty) {
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
      tokens: this.#tagTokens + (isEmpty ? lineTokens : tokens),
      textTokens: this.#tagTokens + lineTokens,
      aheadTokens,
      isWhole: kept.from === kept.before.length && kept.shortened === undefined,
      blocks: [block],
      kept: [],
      conversation: { messages: shown, kept, summary },
    };
  }

  get largestKept(): LargestMessage | undefined {
    const { conversation } = this;
    return describeLargest(
      conversation.mustStay.flatMap((position) => {
        const { messages } = conversation.unit(position);
        const all = messages.map(({ message }) => message);
        return messages.map(({ index, message, read }, place) => ({
          index,
          message,
          tokens: messageTokens(read),
          tool: () => toolOfResult(all, place),
        }));
      }),
    );
  }

  get #tagTokens(): number {
    return this.#openingTokens + this.#closingTokens;
  }

  /** What it would take with all the room there is. */
  #wantedTokens(): number {
    const { conversation, mostUnits, strategy } = this.#fit;
    const hasSummary = mostUnits < conversation.length && strategy === "summary";
    return Math.min(this.#mostTokens, this.#wholeTokens() + (hasSummary ? mostSummaryTokens : 0));
  }

  /**
   * What the messages take that may be shown, with the tags. What a turn adds while it runs comes on top: it takes nothing
   * from what the turn's first call was shown.
   */
  #grownTokens({ baseTokens, isRunning }: Pick<HistorySectionOptions, "baseTokens" | "isRunning">): number {
    const { conversation } = this.#fit;
    const shown = this.#tagTokens + Math.min(this.#mostTokens, this.#wholeTokens());
    if (!isRunning) return Math.max(baseTokens, shown);
    const added = Math.min(shown, conversation.tokens(conversation.answersFrom, conversation.length));
    return Math.max(baseTokens, shown - added) + added;
  }

  #wholeTokens(): number {
    const { conversation, mostUnits } = this.#fit;
    return keptTokens(conversation, keptFrom(conversation, Math.max(0, conversation.length - mostUnits)));
  }

  /** A summary takes part in both forms like a message of the user: it is untrusted, and never of system role. */
  #summaryMessage(text: string): RenderedMessage {
    const known = this.#summaryMessages.get(text);
    if (known !== undefined) return known;
    const { meter } = this.#tools;
    const message: ChatMessage = { role: "user", content: text.slice(0, -1) };
    const chatTokens = chatMessageTokens(message, meter.count);
    const read = readMessage(message, { line: text, textTokens: meter.count(text), chatTokens });
    const rendered = { index: -1, message, turn: 0, read };
    this.#summaryMessages.set(text, rendered);
    return rendered;
  }
}

/** How many messages are kept before the first that is not: a task that was given at the beginning stays in its place. */
function messagesAhead(conversation: Conversation, { before }: KeptUnits): number {
  let messages = 0;
  for (let unit = 0; before[unit] === unit; unit++) messages += conversation.unit(unit).messages.length;
  return messages;
}

/** How many units, counted from the newest, are of the last so many turns. */
function unitsOfLastTurns(conversation: Conversation, lastTurns: number | undefined): number {
  if (lastTurns === undefined) return conversation.length;
  const turnOf = (position: number): number => conversation.unit(position).messages[0]?.turn ?? 0;
  let first = conversation.length;
  const turnBefore = first === 0 ? 0 : turnOf(first - 1) - lastTurns;
  while (first > 0 && turnOf(first - 1) > turnBefore) first--;
  return conversation.length - first;
}

function tooLarge(neededTokens: number, maxTokens: number, largest: LargestMessage | undefined): LociError {
  const { sentence, shorten, details } = largest ?? {};
  return new LociError("HISTORY_TOO_LARGE", {
    message: `The newest message (a tool's result with its call) and the latest of the user take ${neededTokens} tokens, but history.maxTokens is ${maxTokens}.${sentence === undefined ? "" : ` ${sentence}`}`,
    field: "history.maxTokens",
    advice: `${shorten ?? "Shorten these messages"}, or raise history.maxTokens.`,
    details: { neededTokens: String(neededTokens), budgetTokens: String(maxTokens), ...details },
  });
}
