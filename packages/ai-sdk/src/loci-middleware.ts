import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import {
  AgentMemory,
  type AgentMemoryOptions,
  type KnownConversation,
  type PromptQuestion,
  questionOf,
  type RecalledBlock,
  summaryOfBlock,
} from "@loci/agent";
import { answerTurns } from "./answer-turns.ts";
import { endsRun, StreamedContent } from "./answered-step.ts";
import { conversationOfCall, type ModelCall, withoutConversation } from "./call-conversation.ts";
import { recalledPrompt } from "./recalled-prompt.ts";

export interface LociMiddlewareOptions extends Omit<AgentMemoryOptions<ModelCall>, "conversation"> {
  /** Who speaks. Default: what `providerOptions.loci` of the call says. */
  readonly conversation?: AgentMemoryOptions<ModelCall>["conversation"] | undefined;
  /**
   * What `providerMetadata.loci` says: ids and numbers, of 37 memories 1.7 KB, or the receipt as well, which says of each memory and section
   * what was decided and why: 17 KB of the same. Default `summary`.
   */
  readonly receipt?: "summary" | "full" | undefined;
}

/** For `wrapLanguageModel`. */
export interface LociMiddleware extends LanguageModelV4Middleware {
  /** Resolves when everything that was said so far is kept, or has failed: wait for it before you close. */
  settled(): Promise<void>;
}

/** A call that is being made. */
interface RunningCall {
  readonly conversation: KnownConversation;
  readonly question: PromptQuestion;
  readonly block: RecalledBlock | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Recalls before a model is called, and keeps what was said when it has answered. What was recalled stands before the latest message of
 * the user, for this call only; `providerMetadata.loci` says which memories.
 *
 * @throws LociError `INVALID_BUDGET`. Calls reject with `SCOPE_REQUIRED` where nobody says who speaks
 */
export function lociMiddleware({
  conversation = conversationOfCall,
  receipt: detail = "summary",
  ...options
}: LociMiddlewareOptions): LociMiddleware {
  const memory = new AgentMemory<ModelCall>({ ...options, conversation });
  // The other parts of the middleware are given the same object as the model.
  const calls = new WeakMap<LanguageModelV4CallOptions, RunningCall>();

  const answered = (
    { conversation, question, signal }: RunningCall,
    content: readonly LanguageModelV4Content[],
    finishReason: LanguageModelV4FinishReason,
  ): void => {
    if (signal?.aborted === true || !endsRun(finishReason, content)) return;
    const { text, position, before, turns } = question;
    const run = [...turns, ...answerTurns(content)];
    memory.finished({ conversation, question: text, position, before, turns: run });
  };

  return {
    specificationVersion: "v4",
    settled: () => memory.settled(),

    async transformParams({ params }) {
      const conversation = await memory.conversationOf(params);
      const call = withoutConversation(params);
      const question = questionOf(params.prompt);
      if (question === undefined) return call;
      const signal = params.abortSignal;
      const tools = params.tools?.map(({ name }) => name);
      const { text, position, earlier } = question;
      const block = await memory.blockFor({ conversation, question: text, position, earlier, tools, signal });
      const recalled = { ...call, prompt: recalledPrompt(params.prompt, question.place, block) };
      calls.set(recalled, { conversation, question, block, signal });
      return recalled;
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const call = calls.get(params);
      if (call === undefined) return result;
      answered(call, result.content, result.finishReason);
      return { ...result, ...metadataWith(call.block, detail, result.providerMetadata) };
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const call = calls.get(params);
      if (call === undefined) return result;
      const said = new StreamedContent();
      const transform = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          said.add(part);
          if (part.type !== "finish") {
            controller.enqueue(part);
            return;
          }
          if (!said.failed) answered(call, said.content, part.finishReason);
          controller.enqueue({ ...part, ...metadataWith(call.block, detail, part.providerMetadata) });
        },
      });
      return { ...result, stream: result.stream.pipeThrough(transform) };
    },
  };
}

/** What was recalled, beside what the provider tells. */
function metadataWith(
  block: RecalledBlock | undefined,
  detail: "summary" | "full",
  given: SharedV4ProviderMetadata | undefined,
): { providerMetadata?: SharedV4ProviderMetadata } {
  if (block === undefined) return given === undefined ? {} : { providerMetadata: given };
  const receipt = detail === "full" ? { receipt: block.receipt } : {};
  const loci = { ...summaryOfBlock(block), ...receipt } as unknown as SharedV4ProviderMetadata[string];
  return { providerMetadata: { ...given, loci } };
}
