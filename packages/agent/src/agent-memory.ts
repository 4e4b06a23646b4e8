import { LociError } from "@loci/domain";
import type { AgentMemoryOptions, AgentMemoryStage } from "./agent-memory-options.ts";
import { askedApplication } from "./asked-application.ts";
import { leastBlockTokens } from "./block-layout.ts";
import { type KnownConversation, nameOfConversation, readConversation } from "./conversation.ts";
import type { FinishedRun } from "./finished-run.ts";
import { KeptRuns } from "./kept-runs.ts";
import { QuestionBlocks } from "./question-blocks.ts";
import { recallBlock, type RecalledBlock } from "./recalled-block.ts";
import { warnOfProblem } from "./warn-of-problem.ts";
import { withinTime } from "./within-time.ts";
import { withoutRecalled } from "./without-recalled.ts";

/** A question that a model is about to be asked. */
export interface AskedQuestion {
  readonly conversation: KnownConversation;
  /** The latest message of the user, its texts together. A block in front of it is passed over. */
  readonly question: string;
  /** Where it stands: how many turns or messages are before it, counted in the same way in all steps. */
  readonly position: number;
  /**
   * What the user said before it, oldest first, as far as it is known: a question that goes on from that, such as `and on Saturday?`, is
   * asked together with it.
   */
  readonly earlier?: readonly string[] | undefined;
  /** Names of the tools in use, which bring the procedures for them. */
  readonly tools?: readonly string[] | undefined;
  /** Of the call. When it aborts the recall is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeout = 2_000;

/**
 * The rules by which every adapter remembers: who speaks comes from the application, a question is recalled for once, and a run is kept
 * once, when it is finished.
 */
export class AgentMemory<Request = void> {
  readonly #options: AgentMemoryOptions<Request>;
  readonly #blocks = new QuestionBlocks();
  readonly #runs: KeptRuns;
  readonly #background = new Set<Promise<void>>();

  /** @throws LociError `INVALID_BUDGET` for a block of less than 200 tokens */
  constructor(options: AgentMemoryOptions<Request>) {
    checkBlockTokens(options.recall?.maxTokens);
    this.#options = options;
    this.#runs = new KeptRuns(options.loci, options.capture ?? true);
  }

  /**
   * Who speaks, by what the application says: ask before the model is called.
   *
   * @throws LociError `SCOPE_REQUIRED` when nobody says it, also where the function fails because a request has not what it reads;
   *   `INVALID_SCOPE`, `INVALID_IDENTIFIER`
   */
  async conversationOf(request: Request): Promise<KnownConversation> {
    const { conversation } = this.#options;
    return readConversation(
      typeof conversation === "function" ? await askedApplication(conversation, request) : conversation,
    );
  }

  /**
   * What is to stand before a question: the same bytes in all steps of its run. `undefined` when there is nothing to show, and when
   * Loci did not answer, which `onError` is told.
   *
   * @throws the signal's reason when it aborts; where memory is required, what went wrong
   */
  async blockFor({
    conversation,
    question,
    position,
    earlier,
    tools,
    signal,
  }: AskedQuestion): Promise<RecalledBlock | undefined> {
    const { loci, recall, required = false, recallTimeoutMilliseconds = defaultTimeout } = this.#options;
    const asked = withoutRecalled(question);
    const find = (signal: AbortSignal): Promise<RecalledBlock | undefined> =>
      withinTime(recallTimeoutMilliseconds, signal, (signal) =>
        recallBlock(loci, conversation, { question: asked, earlier, recall, tools }, { signal }),
      ).catch((error: unknown) => {
        if (required || signal.aborted) throw error;
        // The other steps of the run go on without as well, instead of waiting each anew.
        this.tell(error, "recall");
        return undefined;
      });
    return this.#blocks.find(nameOfQuestion(conversation, position, asked), find, signal);
  }

  /** Keeps a finished run in the background, once, however often this is called. Without a session there is nothing to keep. */
  finished(run: FinishedRun): void {
    const { conversation, position, turns } = run;
    const question = run.question ?? turns.findLast(({ role }) => role === "user")?.content ?? "";
    this.#blocks.forget(nameOfQuestion(conversation, position, withoutRecalled(question)));
    const kept = this.#runs.keep(run)?.catch((error: unknown) => this.tell(error, "capture"));
    if (kept === undefined) return;
    this.#background.add(kept);
    void kept.then(() => this.#background.delete(kept));
    try {
      this.#options.waitUntil?.(kept);
    } catch (error) {
      this.tell(error, "capture");
    }
  }

  /** Resolves when everything that was finished so far is kept, or has failed: wait for it before you close. */
  async settled(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** Tells `onError` of something that failed, also of what an adapter did for it. Never throws. */
  tell(error: unknown, stage: AgentMemoryStage): void {
    const { onError = warnOfProblem } = this.#options;
    try {
      onError(error instanceof Error ? error : new Error(String(error)), stage);
    } catch (problem) {
      warnOfProblem(problem, stage);
    }
  }
}

function nameOfQuestion(conversation: KnownConversation, position: number, question: string): string {
  return JSON.stringify([nameOfConversation(conversation), position, question]);
}

function checkBlockTokens(maxTokens: number | undefined): void {
  if (maxTokens === undefined || (Number.isSafeInteger(maxTokens) && maxTokens >= leastBlockTokens)) return;
  throw new LociError("INVALID_BUDGET", {
    message: `recall.maxTokens is ${maxTokens}, but must be a whole number from ${leastBlockTokens}.`,
    field: "recall.maxTokens",
    advice: "Leave it out for 2,000.",
  });
}
