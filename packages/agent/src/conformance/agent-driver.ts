import type { Loci } from "@loci/domain";
import type { AgentMemoryOptions } from "../agent-memory-options.ts";
import type { Conversation } from "../conversation.ts";
import type { ModelScript } from "./model-script.ts";
import type { ToldMessage } from "./told-conversation.ts";

/** How an adapter is used: with its framework, as a program does that has a chat. `History` is what the framework keeps of one. */
export interface AgentDriver<History> {
  readonly name: string;
  /** Makes the adapter anew, as another process does. It takes who speaks from the `conversation` of each question. */
  readonly start: (options: StartOptions) => StartedAgent<History>;
}

/** What an adapter is to be made with. */
export type StartOptions = Required<
  Pick<AgentMemoryOptions<never>, "required" | "recallTimeoutMilliseconds" | "onError">
> & { readonly loci: Loci };

export interface StartedAgent<History> {
  /** Asks an agent whose model and tools do what the script says. Rejects as the framework does. */
  ask(question: DrivenQuestion<History>): Promise<DrivenAnswer<History>>;
  settled(): Promise<void>;
}

export interface DrivenQuestion<History> {
  /** Who speaks; `undefined`: the application does not say. */
  readonly conversation: Conversation | undefined;
  readonly instructions: string;
  /** What the framework gave with the answer before. */
  readonly history: History | undefined;
  /** What the user says, the question last. */
  readonly messages: readonly ToldMessage[];
  readonly script: ModelScript;
  readonly isStreamed: boolean;
  /** Of the call. */
  readonly signal: AbortSignal;
}

export interface DrivenAnswer<History> {
  readonly text: string;
  readonly history: History;
}
