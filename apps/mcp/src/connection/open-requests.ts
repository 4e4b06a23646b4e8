import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

type RequestId = string | number;

/** The requests of an editor that it has no answer to yet. */
export class OpenRequests {
  readonly #ids = new Set<RequestId>();
  #answered = Promise.withResolvers<void>();

  /** Takes note of what the editor sends. */
  received(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    // One that listens is answered when it ends, and not before.
    if ("id" in message && message.method !== "subscriptions/listen") this.#ids.add(message.id);
    if (message.method !== "notifications/cancelled") return;
    const { requestId } = { ...message.params } as { readonly requestId?: RequestId };
    if (requestId !== undefined) this.#close(requestId);
  }

  /** Takes note of what the editor has been sent. */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message) && "id" in message && message.id !== undefined) this.#close(message.id);
  }

  /** Waits until all are answered, but no longer than so many milliseconds. An abort ends the waiting, too. */
  async answered(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#ids.size === 0 || signal.aborted) return;
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    const longest = sleep(milliseconds, undefined, { signal: either, ref: false }).catch(() => undefined);
    await Promise.race([this.#answered.promise, longest]);
    end.abort();
  }

  #close(id: RequestId): void {
    if (!this.#ids.delete(id) || this.#ids.size > 0) return;
    this.#answered.resolve();
    this.#answered = Promise.withResolvers<void>();
  }
}
