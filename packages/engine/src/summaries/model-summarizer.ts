import { type ConversationSummary, type GivenSummary, messageText } from "@loci/core";
import { type ChatMessage, LociError, type Principal, throwIfAborted } from "@loci/domain";
import type { GeneratedText } from "@loci/language-model";
import type { GuardedModel } from "../usage/guarded-model.ts";
import { countLookup } from "../calls/engine-metrics.ts";
import { withinTime } from "../calls/within-time.ts";
import { SummaryCache } from "./summary-cache.ts";
import { summaryInstructions, summaryPrompt } from "./summary-prompt.ts";
import { readSummary, summarySchema } from "./summary-schema.ts";

export interface ModelSummarizerOptions {
  readonly model: GuardedModel;
  /** What the model is told a summary is for and should keep, in place of our own words. */
  readonly template?: string | undefined;
  /** For all that one assembly asks of the model, in milliseconds. Default 20,000. */
  readonly timeLimit?: number | undefined;
  /** The most text of messages in one prompt, in UTF-16 units. Default 60,000: about 15,000 tokens. */
  readonly maxPromptLength?: number | undefined;
  readonly cache?: SummaryCache | undefined;
}

/** How far a conversation could be summarised. */
export interface SummarizedBeginning {
  /** Absent when not even its first part could be. */
  readonly given?: GivenSummary | undefined;
  /** Why not all of it was, as a sentence that quotes nothing. */
  readonly problem?: string | undefined;
}

const defaultTimeLimit = 20_000;
const defaultPromptLength = 60_000;
const maxOutputTokens = 1_500;
const attempts = 2;

/**
 * Has a language model summarise the beginning of conversations. What it says is checked and never used raw; an answer that
 * cannot be used is asked for once more. A longer beginning is summarised from the summary of the shorter one and the
 * messages since, so that nothing is sent twice.
 */
export class ModelSummarizer {
  readonly #model: GuardedModel;
  readonly #instructions: string;
  readonly #timeLimit: number;
  readonly #maxPromptLength: number;
  readonly #cache: SummaryCache;

  /** @throws LociError `INVALID_CONFIGURATION` for a template that cannot be used */
  constructor(options: ModelSummarizerOptions) {
    this.#instructions = summaryInstructions(options.template);
    this.#model = options.model;
    this.#timeLimit = options.timeLimit ?? defaultTimeLimit;
    this.#maxPromptLength = options.maxPromptLength ?? defaultPromptLength;
    this.#cache = options.cache ?? new SummaryCache();
  }

  /**
   * A failing model is an answer, too: then the summary covers less, or nothing.
   *
   * @param messages from the first of the conversation on, all of them to be summarised
   * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when the signal aborts
   */
  async summarize(
    principal: Principal,
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): Promise<SummarizedBeginning> {
    const known = this.#cache.find(principal.tenant, messages);
    let covered = known?.messages.length ?? 0;
    countLookup("summary", covered === messages.length);
    let summary = known?.summary;
    const work = async (inner: AbortSignal): Promise<void> => {
      while (covered < messages.length) {
        const next = await this.#extend(principal, summary, messages.slice(covered), inner);
        // Too late: the answer went out without it.
        if (inner.aborted) return;
        summary = next.summary;
        covered += next.count;
        this.#cache.set(principal.tenant, { messages: messages.slice(0, covered), summary });
      }
    };
    const result = covered === messages.length ? { value: undefined } : await withinTime(work, this.#timeLimit, signal);
    const given = summary === undefined ? {} : { given: { coveredMessages: covered, summary } };
    return "value" in result ? given : { ...given, problem: problemOf(result.failure) };
  }

  /** One summary of the summary and the messages behind it, or of as many of them as one prompt holds. */
  async #extend(
    principal: Principal,
    previous: ConversationSummary | undefined,
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): Promise<{ readonly summary: ConversationSummary; readonly count: number }> {
    const { prompt, count } = summaryPrompt(previous, messages, this.#maxPromptLength);
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#ask(principal, prompt, signal).catch((error: unknown) => {
        throwIfAborted(signal);
        if (attempt === attempts || !isWorthAnotherTry(error)) throw error;
        return undefined;
      });
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

function isWorthAnotherTry(error: unknown): boolean {
  return LociError.is(error) && error.reason === "LANGUAGE_MODEL_UNAVAILABLE";
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
