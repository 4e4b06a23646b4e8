import type {
  AssembledContext,
  ChatMessage,
  Degradation,
  DroppedCandidate,
  HistoryOptions,
  Instant,
  LayeredFiles,
  RankProfile,
  RecallHit,
  WaterfallMode,
} from "@loci/domain";
import type { WindowPlan } from "../budget/window.ts";
import type { GivenSummary } from "../history/fit-conversation.ts";
import type { HistoryCache } from "../history/history-cache.ts";
import type { KnownConversation } from "../history/known-conversation.ts";
import type { ShownMemory } from "../knowledge/memory-item.ts";
import type { WrittenMemories } from "../knowledge/written-memories.ts";
import type { Layout } from "../layout/layout.ts";
import type { ModelProvider, ResolvedModel } from "../tokens/resolved-model.ts";
import type { TokenCountCache } from "../tokens/token-count-cache.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { KeptText } from "./kept-text.ts";

/** Everything an assembly depends on. Equal inputs give equal contexts, byte for byte. */
export interface AssemblyInput {
  readonly layout: Layout;
  readonly profile: RankProfile;
  readonly mode: WaterfallMode;
  /** How the window is divided. Its budgets go by section name. */
  readonly plan: WindowPlan;
  readonly counter: TokenCounter;
  /** Counts the finished context once more, which must be within the same budget: the model's own, when the layout counts with another. */
  readonly checkCounter?: TokenCounter | undefined;
  /** The model the caller named, and whether anything is known of it. */
  readonly model?: (Pick<ResolvedModel, "known" | "meant"> & { readonly name: string }) | undefined;
  /** The application's own words, rendered as they are. */
  readonly system?: string | undefined;
  readonly project?: string | undefined;
  readonly task?: string | undefined;
  readonly coreMemory?: string | undefined;
  readonly files?: LayeredFiles | undefined;
  /** Texts that Loci keeps, in the order in which they stand behind what is given for their sections. */
  readonly kept?: readonly KeptText[] | undefined;
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  /** What is known of `messages`, when it is kept from one assembly to the next. It may have grown meanwhile: then it is not used. */
  readonly conversation?: KnownConversation | undefined;
  /** Default: a summary of what does not fit. */
  readonly history?: HistoryOptions | undefined;
  /** A summary of the oldest messages that a model has made. They are not shown word for word, unless all messages fit. */
  readonly historySummary?: GivenSummary | undefined;
  /** Absent in the middle of a turn: the question stands in the messages, where it was said. */
  readonly query: string | undefined;
  /** What recall found. Absent when none was asked for. */
  readonly recall?: AssemblyMemories | undefined;
  readonly evaluationTime: Instant;
  /** Says when each memory was said and what day it is, in days of this time zone. Absent: no dates are shown. */
  readonly dateZone?: string | undefined;
  /** SHA-256 of the text as UTF-8, as lower-case hex. */
  readonly sha256: (text: string) => string;
  /** Counts kept from one assembly to the next. */
  readonly counts?: TokenCountCache | undefined;
  /** What was read of conversations, kept from one assembly to the next. */
  readonly conversations?: HistoryCache | undefined;
  /** Memories as they were written down, kept from one assembly to the next. */
  readonly written?: WrittenMemories | undefined;
  /** Whose rule images are counted by. Default `openai`. */
  readonly provider?: ModelProvider | undefined;
}

export interface AssemblyMemories {
  /** Each text is cut to the maximum for one memory already. */
  readonly hits: readonly RecallHit[];
  /**
   * True: they are tried and shown in the order in which they stand, which is not always that of their scores: recall puts what is
   * newer before what it replaced. Default false: by score, then id.
   */
  readonly areInOrder?: boolean | undefined;
  /**
   * What stands whatever the query says, each text cut like those of the hits. Absent: then what was recalled may stand in
   * the sections whose text stays the same.
   */
  readonly standing?: readonly ShownMemory[] | undefined;
  /** Candidates recall left out, for the receipt. */
  readonly dropped: readonly DroppedCandidate[];
  readonly degraded: readonly Degradation[];
  /** How many that were relevant recall left out because of how many, or how many tokens, it was asked for. Default 0. */
  readonly overLimit?: number | undefined;
  /** False when nothing was searched for and these are just the newest. Default true. */
  readonly hasQuery?: boolean | undefined;
}

/** A context, without the timings only its caller can measure. */
export type Assembly = Omit<AssembledContext, "timings">;
