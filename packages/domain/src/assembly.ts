import type { Instant } from "./instant.ts";
import type { LayeredFiles, LayoutDefinition, LayoutName } from "./layout.ts";
import type { ChatMessage, OpenAiMessage } from "./message.ts";
import type { Receipt } from "./receipt.ts";
import type { RecallRequest } from "./recall.ts";
import type { ScopeInput } from "./scope.ts";
import type { SessionKeyInput } from "./session.ts";
import type { RankProfile, WaterfallMode, WindowOverrides } from "./window.ts";

/**
 * The recall an assembly makes: its query is the assembly's unless given. Without `limit`, `procedureLimit` and `maxTokens`
 * it fills what the context has room for, or leaves out nothing that is relevant. Memories that stand in every context of
 * these scopes are brought in, too: preferences, static facts and entities, and what is pinned.
 */
export interface AssemblyRecall extends Omit<
  RecallRequest,
  "query" | "evaluationTime" | "recordUsage" | "explain" | "also"
> {
  readonly query?: string | undefined;
}

/** How a conversation is made to fit. */
export interface HistoryOptions {
  /**
   * `summary`: whole messages, newest first, in 70% of the section, and a summary of those before them. `window`: the newest
   * messages, and nothing of the others. Default `summary`.
   */
  readonly strategy?: "summary" | "window" | undefined;
  /** Shows at most so many turns word for word. A turn begins with a message of the user. Default no limit. */
  readonly lastTurns?: number | undefined;
  /** What messages and summary may take together, in tokens. Default no limit but the section's. */
  readonly maxTokens?: number | undefined;
  /** Begins lines with `[Turn 3] User: ` instead of `[user]: `. Default false. */
  readonly turnNumbers?: boolean | undefined;
}

export interface AssembleRequest {
  /** Which sections there are and in what order. Default `memoryBlocks`. */
  readonly layout?: LayoutName | LayoutDefinition | undefined;
  /** Default `conversation`. */
  readonly profile?: RankProfile | undefined;
  /** Default: the layout's, which is `fill` for `memoryBlocks`. */
  readonly mode?: WaterfallMode | undefined;
  /**
   * Chooses window and tokenizer. The window grows with what is given, up to what the model takes: see `window`. Default:
   * the 8K window counted with `o200k_base`, which does not grow. An unknown name does the same, with a warning.
   */
  readonly model?: string | undefined;
  readonly window?: WindowOverrides | undefined;
  /**
   * The application's own words, rendered verbatim. `system` is never cut: longer than the model takes it is
   * `WINDOW_TOO_SMALL`, longer than a budget that does not grow `SECTION_OVER_BUDGET`.
   */
  readonly system?: string | undefined;
  /** Verbatim too. When there is no room, `project` and `task` are cut at the end of a sentence, and end with `...`. */
  readonly project?: string | undefined;
  readonly task?: string | undefined;
  /** What the agent always knows of itself and its user, for layouts with a section for it. Never cut in `threeTier`. */
  readonly coreMemory?: string | undefined;
  /** Texts of files, for layouts with sections for them. */
  readonly files?: LayeredFiles | undefined;
  /** The conversation so far, oldest first, in the OpenAI form. Not together with `session`. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /**
   * A session that Loci keeps, whose turns stand for `messages`. Its turn state is the task unless `task` is given, the logs of
   * its scope's last seven days fill a section for `days` unless there are files of days, its title is what a layout's
   * own recall asks for, and `recall.rotation` is by default of the session. Without `blockOwners` it also says whose blocks
   * are shown: those of its agent, of its scope and of its project.
   */
  readonly session?: SessionKeyInput | undefined;
  /**
   * Whose blocks fill the context, such as `["agent:coach", "user:ann"]`; of several with one label the first owner's
   * that says anything, and the warning `BLOCK_NOT_SHOWN` names the others. They are escaped: `persona` behind `system`, `human` behind `project`, the task of `human` where nothing else is the task;
   * `core_memory`, else `persona` and `human`, as core memory, where a layout has a section for that; `persona` for a missing `IDENTITY.md`; others where a layout has
   * a section for `block:LABEL`. Default: those of the session, none without one.
   */
  readonly blockOwners?: readonly ScopeInput[] | undefined;
  /** Where midnight is for the days of a session and the times that the query names: an IANA name such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined;
  /** What is done when the conversation does not fit. The newest message and the latest of the user always stay. */
  readonly history?: HistoryOptions | undefined;
  /**
   * What the user asks now. Rendered last, once, whole.
   *
   * Left out or empty, it is the latest message of the user among `messages`, and recall is by it. Where something stands
   * behind that message, or it shows an image, nothing is moved: it stays where it was said. So it is, too, for a query that
   * repeats the latest message of the user while calls of tools or their results stand behind it: a turn is running.
   */
  readonly query?: string | undefined;
  /**
   * Which memories to bring in. Without it none are. They are looked for by its query, else by the assembly's; by one that goes on from
   * what the user said before, such as `and on Saturday?` or `when is she back?`, together with that.
   */
  readonly recall?: AssemblyRecall | undefined;
  /**
   * Says of each memory when it was said (`createdAt`), since when it holds where that is another day, and until when where that
   * is known; and of the section `knowledge` what day it is: `<knowledge today="Friday, 2026-03-13">`,
   * `<memory source="…" date="2026-03-02" until="2026-04-10">`. Days are those of `timeZone`. Procedures to follow have none.
   * Default false.
   */
  readonly memoryDates?: boolean | undefined;
  /** The "now" of every score. Default now. */
  readonly evaluationTime?: Instant | undefined;
  /**
   * `kept`: memories in the context count as used, and are noted for rotation. Default `kept`, but `none` with
   * `evaluationTime`, `recall.knownAt` or `explain`.
   */
  readonly recordUsage?: "kept" | "none" | undefined;
  /** Also list the candidates recall dropped, in the receipt. Default false. */
  readonly explain?: boolean | undefined;
}

export interface AssembledSection {
  /** A section of the layout, or `procedures`, which stand behind the knowledge and on its budget. */
  readonly name: string;
  /** Its content without the delimiters, exactly as it stands in the text. */
  readonly content: string;
  /** Tokens of the rendered section, delimiters included. */
  readonly tokens: number;
}

/**
 * A hint that something could be better. It never changes the text.
 *
 * `STALE_TASK` goes by earlier calls of the session that `recall.rotation` names: the same `task` for ten turns, each with
 * another query. The process remembers them, so a restart begins anew; without a session, or with `recordUsage: 'none'`,
 * there is no such hint.
 */
export interface AssemblyWarning {
  readonly reason:
    | "UNKNOWN_MODEL"
    | "ESTIMATED_TOKENS"
    | "EMPTY_KNOWLEDGE"
    | "KNOWLEDGE_MISMATCH"
    | "SHORT_HISTORY"
    | "STALE_TASK"
    | "CORE_MEMORY_INVALID"
    | "CORE_MEMORY_NOT_SHOWN"
    | "BLOCK_NOT_SHOWN"
    | "SYSTEM_NEAR_BUDGET"
    | "SECTION_NEARLY_FULL"
    | "TEXT_SHORTENED"
    | "ITEMS_DROPPED"
    | "MEMORIES_LEFT_OUT"
    | "SUMMARY_FALLBACK"
    | "RECALL_DEGRADED";
  readonly section?: string | undefined;
  readonly message: string;
  readonly advice: string;
}

/** What a prompt cache needs to know. */
export interface CachePlan {
  /** SHA-256 of the text before the first recalled or conversational item, as lower-case hex. */
  readonly stablePrefixHash: string;
  readonly stablePrefixTokens: number;
  /** Length of that text, in UTF-16 units of `text`. */
  readonly stablePrefixLength: number;
  /** The last section that is wholly stable: put the cache breakpoint behind it. Absent when none is. */
  readonly breakpointAfter?: string | undefined;
}

export interface TokenUsage {
  /** Tokens of `text`. */
  readonly totalTokens: number;
  /** Tokens of `messages`, with OpenAI's framing. Images count as the largest by the rule of the model's provider. */
  readonly messagesTokens: number;
  /** What each form may take: sections and query together. */
  readonly budgetTokens: number;
  /** Tokens of the query in `text`, tags included. */
  readonly queryTokens: number;
  /** Reserved for the answer. */
  readonly responseTokens: number;
}

/** The context for one model call. */
export interface AssembledContext {
  /** Everything, ready to send. Never more than `usage.budgetTokens` by the model's own tokenizer. */
  readonly text: string;
  /**
   * The same items as chat messages: one system message, the kept history as turns with a summary of the others where they
   * were, as the user's, the query last. Turns and query are as they were given, without `id`; but calls without a result, which
   * the API refuses, are said in words. Within `usage.budgetTokens` too. Pass them to OpenAI's library as they are.
   */
  readonly messages: OpenAiMessage[];
  readonly sections: readonly AssembledSection[];
  /** What was kept, shortened or dropped, and why. Deterministic. */
  readonly receipt: Receipt;
  /** What the receipt can be looked up under later, by `receipts.get`. Absent where none are kept, and with `recordUsage: "none"`. */
  readonly receiptId?: string | undefined;
  readonly usage: TokenUsage;
  readonly warnings: readonly AssemblyWarning[];
  readonly cache: CachePlan;
  /** Milliseconds for each step. Not part of what is deterministic. */
  readonly timings: Readonly<Record<string, number>>;
}
