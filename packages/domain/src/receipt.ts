import type { Instant } from "./instant.ts";
import type { DroppedCandidate, ScoreParts } from "./recall.ts";
import type { RankProfile, WaterfallMode } from "./window.ts";

/** What happened to an item. */
export type ItemOutcome = "kept" | "shortened" | "dropped";

/** Why an item was shortened or dropped, or went elsewhere than first meant. */
export type ItemReason =
  | "SECTION_FULL"
  | "ITEM_MAXIMUM"
  | "MOVED_TO_SECONDARY_SECTION"
  | "NO_SECTION_LEFT"
  | "OLDER_THAN_WINDOW"
  | "SUMMARIZED"
  | "REPEATS_QUERY"
  | "EMPTY";

/**
 * What was considered for the window: a memory, a message, a given text, a block, the summary of older messages. Messages that
 * follow one another and were left out for the same reason are one item; so a receipt is as long as what stands in the
 * window, however long the conversation is. Of messages only long texts are ever shortened: results of tools, what tools were called
 * with, and what a user pasted.
 */
export interface ItemReceipt {
  /**
   * Memory id, `summary:SECTION`, `text:SECTION` (`text:query` for the query), `block:LABEL@VERSION`, `turnState`, or
   * `message:N` by position in the conversation, of several `messages:FIRST-LAST`, see {@link messageSpan}.
   */
  readonly id: string;
  readonly kind: "memory" | "message" | "summary" | "text" | "block" | "turnState";
  /** The section it stands in, or was meant for when dropped. */
  readonly section: string;
  readonly outcome: ItemOutcome;
  /** How many messages it stands for, when more than one. */
  readonly count?: number | undefined;
  /** Tokens as rendered, tags included; of a message in the dearer of its two forms. 0 when dropped. */
  readonly tokens: number;
  /** Tokens it would have taken whole; of several messages, all together. */
  readonly wholeTokens: number;
  readonly reason?: ItemReason | undefined;
  /** For memories. */
  readonly source?: string | undefined;
  readonly score?: number | undefined;
  readonly parts?: ScoreParts | undefined;
}

export interface SectionReceipt {
  readonly name: string;
  readonly rank: number;
  /** Base budget after overrides and scaling. */
  readonly baseTokens: number;
  /** What the waterfall gave it, and what others had left for it. */
  readonly grantedTokens: number;
  /** What it would have taken whole. Messages count in the dearer of their two forms. */
  readonly neededTokens: number;
  /** What it takes in the text, its tags and the blank line behind it included. */
  readonly usedTokens: number;
  /** What it could take: the larger of base and grant; in `sequential` its maximum, as far as tokens were left. */
  readonly budgetTokens: number;
  /** Used share of that; 0 when it is 0. */
  readonly utilization: number;
}

/** A context counted a second time. */
export interface ReceiptCheck {
  readonly tokenizer: string;
  readonly estimated: boolean;
  readonly totalTokens: number;
  readonly messagesTokens: number;
  /** What each form may take. */
  readonly budgetTokens: number;
}

/** Explains an assembly. The same inputs give the same receipt, byte for byte. */
export interface Receipt {
  readonly layout: string;
  readonly profile: RankProfile;
  readonly mode: WaterfallMode;
  readonly model?: string | undefined;
  /** The counter's id, such as `o200k_base`. */
  readonly tokenizer: string;
  /** True when the model's own tokenizer is not public and a stated factor was used. */
  readonly estimated: boolean;
  readonly window: {
    readonly preset: string;
    /** Sections, query, response and buffer together. */
    readonly totalTokens: number;
    readonly sectionsTokens: number;
    readonly queryTokens: number;
    readonly responseTokens: number;
    readonly safetyBufferTokens: number;
    /** What the dearest form leaves of sections and query, with 8 tokens for what other chat APIs take more than OpenAI's. */
    readonly unusedTokens: number;
  };
  /** The finished context by the model's own tokenizer, when the layout counts with another. */
  readonly check?: ReceiptCheck | undefined;
  readonly evaluationTime: Instant;
  readonly sections: readonly SectionReceipt[];
  readonly items: readonly ItemReceipt[];
  /** What recall left out, with `explain`. */
  readonly droppedCandidates: readonly DroppedCandidate[];
  readonly stablePrefixHash: string;
}

/** Positions in a request, both included. */
export interface MessageSpan {
  readonly first: number;
  readonly last: number;
}

/** The id of the item for these messages: `message:12`, `messages:0-1499`. */
export function messageItemId(first: number, last: number): string {
  return first === last ? `message:${first}` : `messages:${first}-${last}`;
}

/** The messages an item stands for. `undefined` for an item that is none. */
export function messageSpan({ id, kind }: Pick<ItemReceipt, "id" | "kind">): MessageSpan | undefined {
  if (kind !== "message") return undefined;
  const [first, last = first] = id.slice(id.indexOf(":") + 1).split("-");
  return { first: Number(first), last: Number(last) };
}
