import { LociError, type ModelTokens, type Principal, throwIfAborted } from "@loci/domain";
import type { GeneratedText, GenerateRequest, LanguageModel } from "@loci/language-model";
import { type ReportProblem, warnOfProblem } from "../calls/report-problem.ts";
import type { ModelTokenRate } from "./model-token-rate.ts";
import type { ModelUsage } from "./model-usage.ts";

// What a text takes at most, at two UTF-16 units a token: for caps, and where a server does not say what a call used.
const unitsPerToken = 2;

export interface GuardedModelOptions {
  readonly model: LanguageModel;
  readonly usage: Pick<ModelUsage, "checkCaps" | "recordOwn">;
  /** Of each caller. Absent: no limit. */
  readonly rate?: ModelTokenRate | undefined;
  /** Told when what a call used could not be added up: its answer is given, and its error thrown, all the same. Default: a warning of the process. */
  readonly reportProblem?: ReportProblem | undefined;
}

/** An answer, and what it took: as the server says, or else at most. */
export interface GuardedReply extends GeneratedText {
  readonly used: Required<ModelTokens>;
}

/**
 * A language model each of whose calls is made on somebody's behalf: within their caps and their rate, and added up. One that was given up counts
 * with all that it may have used.
 */
export class GuardedModel {
  readonly #options: GuardedModelOptions;

  constructor(options: GuardedModelOptions) {
    this.#options = options;
  }

  /** Its name. */
  get model(): string {
    return this.#options.model.model;
  }

  /** How long to wait for its answers, in milliseconds, where somebody has said it. */
  get timeLimit(): number | undefined {
    return this.#options.model.timeLimit;
  }

  /**
   * @param onAsked told what the call used, answered or not, as soon as it is over
   * @throws LociError `USAGE_CAP_REACHED`, `TOO_MANY_REQUESTS` before the model is asked; as `LanguageModel` does
   */
  async generate(
    principal: Principal,
    request: GenerateRequest,
    onAsked?: (used: Required<ModelTokens>) => void,
  ): Promise<GuardedReply> {
    const { model, usage, rate } = this.#options;
    const inputTokens = Math.ceil((request.system.length + request.prompt.length) / unitsPerToken);
    const planned = { inputTokens, outputTokens: request.maxOutputTokens };
    await usage.checkCaps(principal, { model: this.model }, planned);
    if (request.signal !== undefined) throwIfAborted(request.signal);
    const settle = rate?.reserve(principal, inputTokens + request.maxOutputTokens);
    let used: Required<ModelTokens> = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    try {
      const reply = await whileWanted(model.generate(request), request.signal);
      const outputTokens = Math.ceil(reply.text.length / unitsPerToken);
      const tokens = { cachedInputTokens: 0, ...(reply.usage ?? { inputTokens, outputTokens }) };
      used = tokens;
      return { ...reply, used: tokens };
    } catch (error) {
      // It was asked, and nobody says how far it came: who goes away each time would use as much as they like.
      const taken = request.signal?.aborted === true ? 1 : requestsTaken(error);
      used = {
        inputTokens: planned.inputTokens * taken,
        cachedInputTokens: 0,
        outputTokens: planned.outputTokens * taken,
      };
      throw error;
    } finally {
      onAsked?.(used);
      settle?.(used.inputTokens + used.outputTokens);
      if (used.inputTokens > 0) await this.#record(principal, used);
    }
  }

  async #record({ tenant }: Principal, used: Required<ModelTokens>): Promise<void> {
    const { usage, reportProblem = warnOfProblem } = this.#options;
    try {
      await usage.recordOwn(tenant, { model: this.model, ...used });
    } catch (error) {
      reportProblem(error, "recording what a language model used");
    }
  }
}

/** How many requests a server has taken without an answer that could be used. */
function requestsTaken(error: unknown): number {
  const taken = LociError.is(error) ? Number(error.details["requestsTaken"] ?? 0) : 0;
  return Number.isSafeInteger(taken) && taken > 0 ? taken : 0;
}

/** A model that does not listen to the signal is left behind. */
async function whileWanted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  const { promise: unwanted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, unwanted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
