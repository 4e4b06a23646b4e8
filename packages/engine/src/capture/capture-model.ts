import {
  type DetectionPolicies,
  type JudgedProposals,
  type Proposals,
  type ReadCandidates,
  readCandidates,
  readDecisions,
  replyLimits,
  type ShownProposal,
} from "@loci/core";
import { type CapturedTurn, type CaptureModelUsage, LociError, type ModelTokens, type Principal } from "@loci/domain";
import { type GeneratedText, type GenerateRequest, parseJsonReply } from "@loci/language-model";
import { withinTime } from "../calls/within-time.ts";
import type { GuardedModel } from "../usage/guarded-model.ts";
import { isWorthAnotherTry } from "../usage/worth-another-try.ts";
import type { ModelUsage } from "../usage/model-usage.ts";
import {
  candidatesPrompts,
  type CaptureWishes,
  extractionInstructionsFor,
  judgingInstructions,
  type TurnsPrompt,
  turnsPrompts,
} from "./capture-prompts.ts";
import { candidatesSchema, decisionsSchema } from "./capture-reply-schemas.ts";

export interface CaptureModelOptions {
  readonly model: GuardedModel;
  readonly usage: Pick<ModelUsage, "costOf">;
  /** For each call, in milliseconds. Default: the model's, else 30,000. */
  readonly timeLimit?: number | undefined;
  /** What becomes of secrets in turns that hold them. */
  readonly detection: DetectionPolicies;
}

/** What a model has said, or why it could not be used: as a sentence that quotes nothing. */
export type ModelAnswer<Value> =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** What a model has found in all turns, and how many of its candidates could not be read. */
export interface FoundProposals {
  readonly proposals: readonly Proposals[];
  readonly leftOut: number;
}

const defaultTimeLimit = 30_000;
const attempts = 2;
const maxOutputTokens = 8_000;
/** Turns of one prompt are asked about in eight at the most. */
const mostHalvings = 3;

/** Has a language model find and judge candidates. What it says is read, not believed: `readProposals` and `judgeProposals` check it. */
export class CaptureModel {
  readonly #options: CaptureModelOptions;

  constructor(options: CaptureModelOptions) {
    this.#options = options;
  }

  /** What it takes for one capture: what its calls use is added up. */
  forCapture(principal: Principal): CaptureModelCalls {
    return new CaptureModelCalls(this.#options, principal);
  }
}

/** What a model is to find candidates in. */
export interface TurnsToExtract {
  readonly turns: readonly CapturedTurn[];
  /** Turns up to this one are shown only to be understood. */
  readonly after: number;
  readonly wishes: CaptureWishes;
}

/** The calls of one capture. */
export class CaptureModelCalls {
  readonly #options: CaptureModelOptions;
  readonly #principal: Principal;
  #extracted: FoundProposals | undefined;
  #usage: CaptureModelUsage = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

  constructor(options: CaptureModelOptions, principal: Principal) {
    this.#options = options;
    this.#principal = principal;
  }

  /** The model's name. */
  get model(): string {
    return this.#options.model.model;
  }

  /** What the calls have used so far, with its price where that is known. */
  get usage(): CaptureModelUsage {
    const cost = this.#options.usage.costOf({ model: this.model, ...this.#usage });
    return { ...this.#usage, ...(cost === undefined ? {} : { cost }) };
  }

  /**
   * Has the model find candidates. What it has found once is not asked for again: the turns stay the same.
   *
   * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when the signal aborts; a failing model is an answer
   */
  async extract({ turns, after, wishes }: TurnsToExtract, signal: AbortSignal): Promise<ModelAnswer<FoundProposals>> {
    if (this.#extracted !== undefined) return { value: this.#extracted };
    const found: FoundProposals[] = [];
    const { detection } = this.#options;
    const system = extractionInstructionsFor(wishes, detection);
    for (const prompt of turnsPrompts(turns, after, detection)) {
      const { value, problem } = await this.#extractFrom({ ...prompt, system }, mostHalvings, signal);
      if (value === undefined) return { problem };
      found.push(value);
    }
    this.#extracted = joined(found);
    return { value: this.#extracted };
  }

  /** @param halvings that are left: of an answer with as many candidates as there may be, each half is asked for once more */
  async #extractFrom(
    { system, prompt, shownTurns, halves }: TurnsPrompt & { readonly system: string },
    halvings: number,
    signal: AbortSignal,
  ): Promise<ModelAnswer<FoundProposals>> {
    const request = { system, prompt, schema: candidatesSchema, maxOutputTokens };
    const { value: read, problem } = await this.#ask<ReadCandidates>(request, readCandidates, signal);
    if (read === undefined) return { problem };
    const { candidates, leftOut } = read;
    const whole = { value: { proposals: [{ candidates, shownTurns }], leftOut } };
    if (candidates.length + leftOut < replyLimits.candidates || halvings === 0) return whole;
    const found: FoundProposals[] = [];
    for (const half of halves()) {
      const { value } = await this.#extractFrom({ ...half, system }, halvings - 1, signal);
      if (value === undefined) return whole;
      found.push(value);
    }
    return found.length === 0 ? whole : { value: joined(found) };
  }

  /** @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when the signal aborts; a failing model is an answer */
  async judge(
    proposals: readonly ShownProposal[],
    signal: AbortSignal,
  ): Promise<ModelAnswer<readonly JudgedProposals[]>> {
    const found: JudgedProposals[] = [];
    for (const { prompt, shown } of candidatesPrompts(proposals)) {
      const request = { system: judgingInstructions, prompt, schema: decisionsSchema, maxOutputTokens };
      const { value: decisions, problem } = await this.#ask(request, readDecisions, signal);
      if (decisions === undefined) return { problem };
      found.push({ shown, decisions });
    }
    return { value: found };
  }

  async #ask<Value>(
    request: GenerateRequest,
    read: (reply: unknown) => Value | undefined,
    signal: AbortSignal,
  ): Promise<ModelAnswer<Value>> {
    let problem = "";
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await this.#generate(request, signal);
      if ("failure" in answer) {
        problem = problemOf(answer.failure);
        if (!isWorthAnotherTry(answer.failure)) return { problem };
        continue;
      }
      const { text, isCutOff } = answer.value;
      const value = isCutOff || text.length > replyLimits.reply ? undefined : read(parseJsonReply(text));
      if (value !== undefined) return { value };
      problem =
        text.trim() === "" ? withoutText : `None of ${attempts} answers of the language model had the form asked for.`;
    }
    return { problem };
  }

  async #generate(
    request: GenerateRequest,
    signal: AbortSignal,
  ): Promise<{ readonly value: GeneratedText } | { readonly failure: unknown }> {
    const { model, timeLimit = model.timeLimit ?? defaultTimeLimit } = this.#options;
    const work = (inner: AbortSignal): Promise<GeneratedText> =>
      model.generate(this.#principal, { ...request, signal: inner }, (used) => this.#add(used));
    return withinTime(work, timeLimit, signal);
  }

  #add({ inputTokens, cachedInputTokens = 0, outputTokens }: ModelTokens): void {
    const used = this.#usage;
    this.#usage = {
      calls: used.calls + 1,
      inputTokens: used.inputTokens + inputTokens,
      cachedInputTokens: used.cachedInputTokens + cachedInputTokens,
      outputTokens: used.outputTokens + outputTokens,
    };
  }
}

function joined(found: readonly FoundProposals[]): FoundProposals {
  return {
    proposals: found.flatMap(({ proposals }) => proposals),
    leftOut: found.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

const withoutText = "The language model answered without text: it refused, called a tool, or had no tokens left.";

function problemOf(failure: unknown): string {
  if (LociError.is(failure)) return failure.message;
  return failure instanceof DOMException && failure.name === "TimeoutError"
    ? "The language model did not answer in time."
    : "The language model failed.";
}
