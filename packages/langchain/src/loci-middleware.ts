import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { InferInteropZodOutput, InteropZodObject } from "@langchain/core/utils/types";
import {
  AgentMemory,
  type AgentMemoryOptions,
  instructionsNotice,
  type KnownConversation,
  type RecalledBlock,
  summaryOfBlock,
} from "@loci/agent";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { type LociRequest, requestOf } from "./agent-request.ts";
import { finishedTurns } from "./finished-turns.ts";
import { knownContext, lenientSchema } from "./known-context.ts";
import { isQuestion, latestQuestion, textOfUser, withTextBefore } from "./question.ts";

/** What a function that says who speaks is given of the context: the fields of the schema. */
type ContextOf<Schema extends InteropZodObject | undefined> = Schema extends InteropZodObject
  ? InferInteropZodOutput<Schema>
  : unknown;

export interface LociMiddlewareOptions<
  Schema extends InteropZodObject | undefined = undefined,
> extends AgentMemoryOptions<LociRequest<ContextOf<Schema>>> {
  /** What of the agent's context says who speaks, as a Zod object. Without it only `configurable` is known. */
  readonly contextSchema?: Schema;
}

/** A middleware of LangChain, and what it still does when an agent has answered. */
export interface LociMiddleware<Schema extends InteropZodObject | undefined = undefined> extends AgentMiddleware<
  undefined,
  Schema,
  ContextOf<Schema>
> {
  /** Resolves when every finished run is kept, or has failed: wait for it before your program ends. */
  settled(): Promise<void>;
}

/**
 * Memory for an agent of `createAgent`: what is remembered stands before the latest message of the user in each call of the
 * model, and only there; a run that was answered is kept in the session, and memories are made of it.
 *
 * @throws LociError `INVALID_BUDGET` for a block of less than 200 tokens. The agent rejects with `SCOPE_REQUIRED`, before its model
 *   is called, when nobody says who speaks
 */
export function lociMiddleware<Schema extends InteropZodObject | undefined = undefined>(
  options: LociMiddlewareOptions<Schema>,
): LociMiddleware<Schema> {
  const { contextSchema } = options;
  const memory = new AgentMemory(options);
  /** Who speaks, by the context and what else the agent was called with. */
  const conversationOf = async (runtime: Parameters<typeof requestOf>[0]): Promise<KnownConversation> => {
    const { context, configurable } = requestOf(runtime);
    const known = contextSchema === undefined ? context : knownContext(contextSchema, context);
    return memory.conversationOf({ context: known as ContextOf<Schema>, configurable });
  };
  const middleware = createMiddleware<undefined, Schema>({
    name: "LociMiddleware",
    ...(contextSchema === undefined ? {} : { contextSchema: lenientSchema(contextSchema) }),

    async beforeAgent(_state, runtime) {
      await conversationOf(runtime);
    },

    async wrapModelCall(request, handler) {
      const { messages, runtime, state, systemMessage, tools } = request;
      const conversation = await conversationOf(runtime);
      const question = latestQuestion(messages);
      const block =
        question &&
        (await memory.blockFor({
          conversation,
          question: textOfUser(question.message),
          position: placeOf(question.message, state.messages) ?? question.index,
          earlier: messages.slice(0, question.index).flatMap((said) => (isQuestion(said) ? [textOfUser(said)] : [])),
          tools: tools.flatMap(({ name }) => (typeof name === "string" ? [name] : [])),
          signal: runtime.signal,
        }));
      const answer = await handler({
        ...request,
        systemMessage: withNotice(systemMessage),
        messages: question && block ? withTextBefore(messages, question, block.text) : messages,
      });
      return block === undefined ? answer : withReceipt(answer, block);
    },

    async afterAgent({ messages }, runtime) {
      const run = finishedTurns(messages);
      if (run === undefined) return;
      try {
        memory.finished({ ...run, conversation: await conversationOf(runtime) });
      } catch (error) {
        // The answer is there: who asked gets it.
        memory.tell(error, "capture");
      }
    },
  });
  return Object.assign(middleware, { settled: () => memory.settled() });
}

/** Other middlewares may show a call less than there is: where the question stands is told by all that was said. */
function placeOf({ id }: BaseMessage, all: readonly BaseMessage[]): number | undefined {
  const index = id === undefined ? -1 : all.findIndex((message) => message.id === id);
  return index === -1 ? undefined : index;
}

/** At the end, as what stands before it stays the same from call to call. */
function withNotice(instructions: SystemMessage): SystemMessage {
  return instructions.text === ""
    ? new SystemMessage(instructionsNotice)
    : instructions.concat(`\n\n${instructionsNotice}`);
}

/** Says with an answer what it was given. Where an output has a schema LangChain hands on more than a message. */
function withReceipt(answer: AIMessage, block: RecalledBlock): AIMessage {
  // Larger than all else in a message: whoever has the message can read it, and what keeps messages does not write it.
  const loci = Object.defineProperty(summaryOfBlock(block), "receipt", { value: block.receipt });
  if (AIMessage.isInstance(answer)) answer.response_metadata = { ...answer.response_metadata, loci };
  return answer;
}
