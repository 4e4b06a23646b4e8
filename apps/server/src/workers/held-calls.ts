import type { ServerHttp2Stream } from "node:http2";
import { refuse } from "./pass-on.ts";

/** Calls that wait at once. More are told to try again: each holds what its caller has sent. */
const mostWaiting = 1_000;

interface Waiting {
  readonly call: ServerHttp2Stream;
  readonly pass: () => void;
}

/** The calls of a tenant that is being moved wait here until it is known where it is. */
export class HeldCalls {
  readonly #held = new Map<string, Waiting[]>();

  /** Lets calls of the tenant wait from now on. */
  hold(tenant: string): void {
    if (!this.#held.has(tenant)) this.#held.set(tenant, []);
  }

  /** Passes a call on with the function: now, or when its tenant is let go. */
  passOrWait(tenant: string | undefined, call: ServerHttp2Stream, pass: () => void): void {
    const waiting = tenant === undefined ? undefined : this.#held.get(tenant);
    if (waiting === undefined) pass();
    else if (waiting.length >= mostWaiting) refuse(call);
    else {
      // One that is given up meanwhile is passed over.
      call.on("error", () => undefined);
      waiting.push({ call, pass });
    }
  }

  /** Passes on what waits, in the order it came. */
  release(tenant: string): void {
    const waiting = this.#held.get(tenant) ?? [];
    this.#held.delete(tenant);
    for (const { call, pass } of waiting) if (!call.closed && !call.destroyed) pass();
  }
}
