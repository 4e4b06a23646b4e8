/** What a command gets from the process it runs in. */
export interface CommandEnvironment {
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
}
