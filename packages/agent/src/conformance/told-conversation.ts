/** A conversation as plain data: what is remembered before, what the user says, and what the model does. */
export interface ToldConversation {
  readonly name: string;
  /** What is remembered of each user before anybody speaks. Default: nothing. */
  readonly memories?: Readonly<Record<string, readonly string[]>>;
  /** One after another; those in a list of their own at once. */
  readonly questions: readonly (ToldQuestion | readonly ToldQuestion[])[];
}

/** What a user says, and what comes of it. */
export interface ToldQuestion {
  readonly asks: ToldMessage;
  /** What the user said right before, and nobody answered. */
  readonly after?: readonly ToldMessage[];
  /** Default: `ann`. Null: the application does not say who speaks. */
  readonly user?: string | null;
  /** Default: `talk`. Null: nothing is kept. */
  readonly session?: string | null;
  /** What the model does, call by call. */
  readonly steps: readonly ToldStep[];
  readonly isStreamed?: boolean;
  /** Asked again, because the answer to the question before was lost: with what was said before that one. */
  readonly isRepeated?: boolean;
  /** By another process, which knows nothing but what is kept. */
  readonly isElsewhere?: boolean;
  /** What Loci does meanwhile. Default: it answers. */
  readonly loci?: "silent" | "fails to recall" | "fails to keep";
  /** Whether the application cannot do without memory. */
  readonly isMemoryRequired?: boolean;

  /** How it ends. Default: with the last thing the model says. */
  readonly ends?: "failed" | "stopped" | "unasked";
  /** How often it is recalled for. Default: 1. */
  readonly recalls?: number;
  /** What stands in the block, in its own words. Null: there is none. Default: whatever is recalled. */
  readonly shows?: readonly string[] | null;
  /** What does not stand in the block. */
  readonly hides?: readonly string[];
  /** What is kept of the user's words, where that is not what was said. */
  readonly keepsAsked?: string;
  /** Whether it is kept. Default: when it was answered in a session, and not repeated. */
  readonly isKept?: boolean;
}

/** Texts and images. */
export type ToldMessage = string | readonly (string | typeof image)[];

/** Stands for an image in a message, and for its bytes in what is kept. */
export const image = "[image]";

/** What a model does in one call: it says something, calls tools, fails, or is stopped by the user. */
export interface ToldStep {
  readonly says?: string;
  readonly calls?: readonly ToldCall[];
  /** After what it says. */
  readonly fails?: string;
  /** After what it says. */
  readonly isStopped?: boolean;
}

export interface ToldCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly returns: string;
}
