/** What one call of the model was shown. */
export interface ShownCall {
  readonly instructions: string;
  readonly messages: readonly ShownMessage[];
}

/** A message as any framework can tell it. What a model says and calls in one step is one message. */
export interface ShownMessage {
  readonly role: "user" | "assistant" | "tool";
  /** Its parts behind one another, without anything between them; `[image]` for an image. */
  readonly text: string;
  readonly calls?: readonly ShownToolCall[];
  /** The id of the call that a tool answers. */
  readonly answers?: string;
}

export interface ShownToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}
