import type { ChatMessage } from "@loci/domain";

/** What a context is made from: a conversation with its system prompt, as the OpenAI chat API takes it. */
export interface GivenConversation {
  readonly name: string;
  /** False for what was made up. */
  readonly isReal: boolean;
  /** The first is the system prompt. */
  readonly messages: readonly ChatMessage[];
}

/** Chat messages a library would send to the model, or why it would send nothing. */
export type StepOutcome =
  | { readonly messages: readonly ChatMessage[] }
  /** What the library answered instead of messages. */
  | { readonly refusal: string };

/** A step that is ready for one conversation and one budget, everything converted into the form its library takes. */
export interface ReadyStep extends AsyncDisposable {
  /** Only this is timed. The result is in the library's own form. */
  run(): Promise<unknown>;
  /** Brings what `run` returned into the form all are judged in. */
  outcomeOf(result: unknown): StepOutcome;
}

/** The step of a library that makes messages fit a budget. */
export interface ContextStep {
  readonly name: string;
  /** Package and version, and the options that were taken. */
  readonly description: string;
  open(messages: readonly ChatMessage[], maxTokens: number): Promise<ReadyStep>;
}
