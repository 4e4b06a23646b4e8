import type { CallOptions, Loci } from "@loci/domain";
import type { KnownConversation } from "./conversation.ts";

/** A tool as frameworks take it apart. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema of an object. */
  readonly inputSchema: ToolInputSchema;
  /** Whether it shows what is remembered: nothing is learnt of that again. */
  readonly showsMemory: boolean;
  /**
   * Does what a model asked. Where that is refused, what it returns says so, and what to do.
   *
   * @param input as the model gave it, parsed
   * @param options with `requestId`, such as the id of the call, a write that is repeated is done once
   * @returns what the model is shown
   * @throws LociError `CANCELLED` when the signal aborts
   */
  readonly run: (loci: Loci, conversation: KnownConversation, input: unknown, options?: CallOptions) => Promise<string>;
}

/** What a model may say to a tool. */
export interface ToolInputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
  readonly additionalProperties: false;
}
