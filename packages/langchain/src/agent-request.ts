/** What LangChain tells of a call, and by which your application says who speaks. */
export interface LociRequest<Context = unknown> {
  /** The `context` that the agent was called with: in a middleware the fields of its `contextSchema`, in a tool all of it. */
  readonly context: Context;
  /** What the agent was called with, such as `thread_id`. */
  readonly configurable: Readonly<Record<string, unknown>>;
}

/** The same of whatever LangChain hands to a hook or a tool. */
export function requestOf<Context>(runtime: {
  readonly context?: Context;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}): LociRequest<Context> {
  return { context: runtime.context as Context, configurable: runtime.configurable ?? {} };
}
