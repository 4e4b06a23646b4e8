import {
  AgentMemory,
  type AgentMemoryOptions,
  type KnownConversation,
  type PromptQuestion,
  questionOf,
  type RecalledBlock,
  summaryOfBlock,
} from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import type {
  OutputResult,
  ProcessInputStepArgs,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  Processor,
  ProcessOutputResultArgs,
  ProcessorMessageResult,
} from "@mastra/core/processors";
import type { RequestContext } from "@mastra/core/request-context";
import { recalledPrompt } from "./recalled-prompt.ts";

export interface LociProcessorOptions extends AgentMemoryOptions<RequestContext | undefined> {
  /** Is told before each call what it is shown, with the receipt that says why: an answer has only ids and tokens of it. */
  readonly onRecalled?: ((block: RecalledBlock, request: RequestContext | undefined) => void) | undefined;
}

/** For `inputProcessors` and `outputProcessors` of an agent: the same one in both. */
export interface LociProcessor extends Processor<"loci"> {
  processInputStep(args: ProcessInputStepArgs): void;
  processLLMRequest(args: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult>;
  processOutputResult(args: ProcessOutputResultArgs): ProcessorMessageResult;
  /** Resolves when everything that was said so far is kept, or has failed: wait for it before you close. */
  settled(): Promise<void>;
}

/** What is known of the run that a processor is called for. Mastra keeps it, by the name of the processor. */
interface RunState {
  tools?: readonly string[];
  asked?: {
    readonly conversation: KnownConversation;
    readonly question: PromptQuestion;
    readonly block: RecalledBlock | undefined;
    readonly signal: AbortSignal | undefined;
  };
}

/**
 * Recalls before a model is called, and keeps what was said when the agent has answered. What was recalled stands before the latest
 * message of the user, for this call only: it is in no thread of Mastra's. The `metadata.loci` of the answer says which memories.
 *
 * @throws LociError `INVALID_BUDGET`. Runs fail with `SCOPE_REQUIRED` where nobody says who speaks
 */
export function lociProcessor({ onRecalled, ...options }: LociProcessorOptions): LociProcessor {
  const memory = new AgentMemory<RequestContext | undefined>(options);
  return {
    id: "loci",
    name: "Loci",
    settled: () => memory.settled(),

    processInputStep({ tools, state }) {
      if (tools !== undefined) (state as RunState).tools = Object.keys(tools);
    },

    async processLLMRequest({ prompt, requestContext, state, abortSignal: signal }) {
      const run = state as RunState;
      const conversation = await memory.conversationOf(requestContext);
      const question = questionOf(prompt);
      if (question === undefined) return undefined;
      const { text, position, earlier } = question;
      const { tools } = run;
      const block = await memory.blockFor({ conversation, question: text, position, earlier, tools, signal });
      if (block !== undefined) onRecalled?.(block, requestContext);
      run.asked = { conversation, question, block, signal };
      return { prompt: recalledPrompt(prompt, question.place, block) };
    },

    processOutputResult({ messageList, messages, state, result }) {
      const { asked } = state as RunState;
      if (asked === undefined) return messageList;
      const { conversation, question, block, signal } = asked;
      const content = messages.findLast(({ role }) => role === "assistant")?.content;
      if (block !== undefined && content !== undefined) {
        content.metadata = { ...content.metadata, loci: summaryOfBlock(block) };
      }
      if (signal?.aborted !== true && isAnswered(result)) {
        const { text, position, before, turns } = question;
        memory.finished({ conversation, question: text, position, before, turns: [...turns, answerOf(result)] });
      }
      return messageList;
    },
  };
}

/** Whether a run has an answer: it neither failed, nor does it wait for a tool or a person. */
function isAnswered({ finishReason, steps }: OutputResult): boolean {
  const last = steps.at(-1);
  return last !== undefined && last.tripwire === undefined && answeredReasons.has(finishReason);
}

const answeredReasons: ReadonlySet<string> = new Set(["stop", "length", "content-filter", "other"]);

function answerOf({ steps }: OutputResult): TurnInput {
  return { role: "assistant", content: steps.at(-1)?.text ?? "" };
}
