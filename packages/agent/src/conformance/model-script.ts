import type { ShownCall } from "./shown-call.ts";
import type { ToldCall, ToldStep } from "./told-conversation.ts";

/** What a scripted model says in one call. */
export interface ScriptedAnswer {
  readonly text: string;
  /** The text, a word each: for streams. */
  readonly pieces: readonly string[];
  readonly calls: readonly ToldCall[];
  /** Is called when everything was said. @throws where the model fails, or was stopped */
  readonly end: () => void;
}

/** What the model and the tools of an agent do, in order, and what the model was shown. */
export class ModelScript {
  readonly shown: ShownCall[] = [];
  readonly #steps: readonly ToldStep[];
  readonly #stop: AbortController;

  constructor(steps: readonly ToldStep[], stop: AbortController) {
    this.#steps = steps;
    this.#stop = stop;
  }

  /** The names of the tools that the agent has. */
  get tools(): readonly string[] {
    return [...new Set(this.#calls.map(({ tool }) => tool))];
  }

  /** Notes what a call is shown, before anybody can change it, and says what is answered. */
  next(shown: ShownCall): ScriptedAnswer {
    const step = this.#steps[this.shown.length];
    this.shown.push(structuredClone(shown));
    if (step === undefined) throw new Error("The model is called more often than the conversation tells.");
    const { says: text = "", calls = [], fails, isStopped = false } = step;
    const end = (): void => {
      if (fails !== undefined) throw new Error(fails);
      if (!isStopped) return;
      this.#stop.abort(new Error("The user has left."));
      this.#stop.signal.throwIfAborted();
    };
    return { text, pieces: text.split(/(?<= )/).filter((piece) => piece !== ""), calls, end };
  }

  /** What a tool returns, by the id of the call. */
  resultOf(callId: string): string {
    const call = this.#calls.find(({ id }) => id === callId);
    if (call === undefined) throw new Error(`Nobody has called a tool with the id ${callId}.`);
    return call.returns;
  }

  get #calls(): readonly ToldCall[] {
    return this.#steps.flatMap(({ calls = [] }) => calls);
  }
}
