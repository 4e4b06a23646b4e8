import {
  type ConversationSummary,
  defaultPolicies,
  type DetectionPolicies,
  type GivenSummary,
  messageText,
} from "@loci/core";
import { type ChatMessage, LociError, type Principal, throwIfAborted } from "@loci/domain";
import type { GeneratedText } from "@loci/language-model";
import type { GuardedModel } from "../usage/guarded-model.ts";
import { isUnavailable, isWorthAnotherTry } from "../usage/worth-another-try.ts";
import { countLookup } from "../calls/engine-metrics.ts";
import { sha256 } from "../calls/content-hash.ts";
import { KeyedLock } from "../calls/keyed-lock.ts";
import { withinTime } from "../calls/within-time.ts";
import { ModelRest } from "./model-rest.ts";
import { SummaryCache } from "./summary-cache.ts";
import { summaryInstructions, summaryPrompt, type SummaryPromptOptions } from "./summary-prompt.ts";
import { readSummary, summarySchema } from "./summary-schema.ts";

export interface ModelSummarizerOptions {
  readonly model: GuardedModel;
  /** What the model is told a summary is for and should keep, in place of our own words. */
  readonly template?: string | undefined;
  /** For all that one assembly asks of the model, in milliseconds. Default: the model's, else 20,000. */
  readonly timeLimit?: number | undefined;
  /** The most text of messages in one prompt, in UTF-16 units. Default 60,000: about 15,000 tokens. */
  readonly maxPromptLength?: number | undefined;
  /** What becomes of secrets in messages before a model is shown them. Default: they are taken out. */
  readonly detection?: DetectionPolicies | undefined;
  readonly cache?: SummaryCache | undefined;
  readonly rest?: ModelRest | undefined;
}

/** How far a conversation could be summarised. */
export interface SummarizedBeginning {
  /** Absent when not even its first part could be. */
  readonly given?: GivenSummary | undefined;
  /** Why not all of it was, as a sentence that quotes nothing. */
  readonly problem?: string | undefined;
}

/** How far a summary is known. */
interface KnownBeginning {
  readonly covered: number;
  readonly summary: ConversationSummary | undefined;
}

const defaultTimeLimit = 20_000;
const defaultPromptLength = 60_000;
const maxOutputTokens = 1_500;
const attempts = 2;

/**
 * Has a language model summarise the beginning of conversations. What it says is checked and never used raw; an answer that
 * cannot be used is asked for once more. A longer beginning is summarised from the summary of the shorter one and the
 * messages since, so that nothing is sent twice; calls about one conversation at once ask one after the other. A model that did not
 * answer the last times is left alone for a while.
 */
export class ModelSummarizer {
  readonly #model: GuardedModel;
  readonly #instructions: string;
  readonly #timeLimit: number;
  readonly #promptOptions: SummaryPromptOptions;
  readonly #cache: SummaryCache;
  readonly #rest: ModelRest;
  readonly #conversations = new KeyedLock();

  /** @throws LociError `INVALID_CONFIGURATION` for a template that cannot be used */
  constructor(options: ModelSummarizerOptions) {
    this.#instructions = summaryInstructions(options.template);
    this.#model = options.model;
    this.#timeLimit = options.timeLimit ?? options.model.timeLimit ?? defaultTimeLimit;
    const { maxPromptLength = defaultPromptLength, detection = defaultPolicies } = options;
    this.#promptOptions = { maxLength: maxPromptLength, detection };
    this.#cache = options.cache ?? new SummaryCache();
    this.#rest = options.rest ?? new ModelRest();
  }

  /**
   * A failing model is an answer, too: then the summary covers less, or nothing.
   *
   * @param messages from the first of the conversation on: what a summary that is asked for covers, as far as the calls for those that
   *   are needed have room
   * @param needed how many of them a summary must cover. One that is known and covers so many will do. Default: all
   * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when the signal aborts
   */
  async summarize(
    principal: Principal,
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    needed: number = messages.length,
  ): Promise<SummarizedBeginning> {
    const isEnough = ({ covered }: KnownBeginning): boolean => covered >= needed;
    let known = this.#known(principal, messages);
    const wasKnown = isEnough(known);
    countLookup("summary", wasKnown);
    if (wasKnown) return givenOf(known);
    const { remaining } = this.#rest;
    if (remaining > 0) return { ...givenOf(known), problem: leftAlone(remaining) };
    const answersBefore = this.#rest.answers;
    const work = async (inner: AbortSignal): Promise<void> => {
      // Somebody else may have had it summarised while this call waited for its turn.
      known = this.#known(principal, messages);
      while (!inner.aborted && !isEnough(known)) {
        const { covered, summary } = known;
        const next = await this.#extend(principal, summary, messages.slice(covered), inner);
        // Too late: the answer went out without it.
        if (inner.aborted) return;
        known = { covered: covered + next.count, summary: next.summary };
        this.#cache.set(principal.tenant, { messages: messages.slice(0, known.covered), summary: next.summary });
      }
    };
    const inTurn = (inner: AbortSignal): Promise<void> =>
      this.#conversations.run(conversationOf(principal, messages), () => work(inner));
    const result = await withinTime(inTurn, this.#timeLimit, signal);
    if ("value" in result) return givenOf(known);
    if (this.#rest.answers === answersBefore && isNoAnswer(result.failure)) this.#rest.failed();
    return { ...givenOf(known), problem: problemOf(result.failure) };
  }

  #known({ tenant }: Principal, messages: readonly ChatMessage[]): KnownBeginning {
    const cached = this.#cache.find(tenant, messages);
    return { covered: cached?.messages.length ?? 0, summary: cached?.summary };
  }

  /** One summary of the summary and the messages behind it, or of as many of them as one prompt holds. */
  async #extend(
    principal: Principal,
    previous: ConversationSummary | undefined,
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): Promise<{ readonly summary: ConversationSummary; readonly count: number }> {
    const { prompt, count } = summaryPrompt(previous, messages, this.#promptOptions);
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#ask(principal, prompt, signal).catch((error: unknown) => {
        throwIfAborted(signal);
        if (attempt === attempts || !isWorthAnotherTry(error)) throw error;
        return undefined;
      });
      if (reply !== undefined) this.#rest.answered();
      const summary = reply === undefined || reply.isCutOff ? undefined : readSummary(reply.text);
      if (summary !== undefined) return { summary: withoutInventions(summary, previous, messages), count };
      if (attempt === attempts) throw unusable();
    }
  }

  #ask(principal: Principal, prompt: string, signal: AbortSignal): Promise<GeneratedText> {
    const request = { system: this.#instructions, prompt, schema: summarySchema, maxOutputTokens, signal };
    return this.#model.generate(principal, request);
  }
}

function givenOf({ covered, summary }: KnownBeginning): SummarizedBeginning {
  return summary === undefined ? {} : { given: { coveredMessages: covered, summary } };
}

/** So many messages tell one conversation from the others that begin like it. */
const tellingMessages = 8;

function conversationOf({ tenant }: Principal, messages: readonly ChatMessage[]): string {
  return sha256(JSON.stringify([tenant, messages.slice(0, tellingMessages)]));
}

/** Whether nothing came, or nothing in time: an answer that cannot be used is one. */
function isNoAnswer(failure: unknown): boolean {
  return isUnavailable(failure) || (failure instanceof DOMException && failure.name === "TimeoutError");
}

function leftAlone(milliseconds: number): string {
  return `The language model did not answer the last times, and is not asked for the next ${Math.ceil(milliseconds / 1_000)} s.`;
}

/** A model's word is not enough for what can be looked up: tools must have been called, files have been named. */
function withoutInventions(
  summary: ConversationSummary,
  previous: ConversationSummary | undefined,
  messages: readonly ChatMessage[],
): ConversationSummary {
  const tools = new Set(previous?.toolsUsed);
  for (const { tool_calls: calls = [] } of messages) for (const call of calls) tools.add(call.function.name);
  const texts = messages.map(messageText);
  const isNamed = (file: string): boolean =>
    previous?.filesModified.includes(file) === true || texts.some((text) => text.includes(file));
  return {
    ...summary,
    toolsUsed: summary.toolsUsed.filter((tool) => tools.has(tool)),
    filesModified: summary.filesModified.filter((file) => file !== "" && isNamed(file)),
  };
}

function problemOf(failure: unknown): string {
  if (LociError.is(failure)) return failure.message;
  return failure instanceof DOMException && failure.name === "TimeoutError"
    ? "The language model did not answer in time."
    : "The language model failed.";
}

function unusable(): LociError {
  return new LociError("LANGUAGE_MODEL_UNAVAILABLE", {
    message: `None of ${attempts} answers of the language model was a summary of the form asked for.`,
    advice: "Use a model that keeps to a JSON schema.",
  });
}
