import { setImmediate } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** What the model says in one call: a text, a call of a tool, or a failure. */
export type Script =
  | string
  | { readonly name: string; readonly args: Record<string, unknown>; readonly id: string }
  | Error;

/** A model that says what it is told to, streams it word by word, and keeps what it was shown. */
export class ScriptedModel extends BaseChatModel {
  /** The messages of each call, as JSON, before anybody can change them. */
  readonly shown: BaseMessage[][] = [];
  /** Is waited for before each word. */
  beforeWord: (word: string) => Promise<void> | void = () => undefined;
  readonly #script: Script[];

  constructor(...script: readonly Script[]) {
    super({});
    this.#script = [...script];
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const said = this.#next(messages);
    const message =
      typeof said === "string"
        ? new AIMessage(said)
        : new AIMessage({ content: "", tool_calls: [{ ...said, type: "tool_call" }] });
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const said = this.#next(messages);
    const pieces =
      typeof said === "string"
        ? said.split(/(?<= )/).map((text) => new AIMessageChunk(text))
        : [
            new AIMessageChunk({
              content: "",
              tool_call_chunks: [{ ...said, args: JSON.stringify(said.args), index: 0, type: "tool_call_chunk" }],
            }),
          ];
    for (const message of pieces) {
      await this.beforeWord(message.text);
      await setImmediate();
      options.signal?.throwIfAborted();
      yield new ChatGenerationChunk({ text: message.text, message });
      await runManager?.handleLLMNewToken(message.text);
    }
  }

  #next(messages: BaseMessage[]): Exclude<Script, Error> {
    this.shown.push([...messages]);
    const said = this.#script.shift();
    if (said === undefined) throw new Error("The model was called more often than expected.");
    if (said instanceof Error) throw said;
    return said;
  }
}
