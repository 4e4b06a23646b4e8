import type { ServerHttp2Stream } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { refuse } from "./pass-on.ts";

const pollTime = 5;
/** What a call that was ended gets to be read in, in milliseconds. */
const lastWordsTime = 1_000;

/** The calls under way. */
export class OpenCalls {
  readonly #calls = new Map<string | undefined, Set<ServerHttp2Stream>>();
  #count = 0;
  #lastEnded = performance.now();

  /** @param tenant whose it is, if that is known */
  add(call: ServerHttp2Stream, tenant: string | undefined): void {
    this.#count += 1;
    let ofTenant = this.#calls.get(tenant);
    if (ofTenant === undefined) this.#calls.set(tenant, (ofTenant = new Set()));
    ofTenant.add(call);
    const calls = ofTenant;
    call.once("close", () => {
      this.#count -= 1;
      this.#lastEnded = performance.now();
      calls.delete(call);
      if (calls.size === 0 && this.#calls.get(tenant) === calls) this.#calls.delete(tenant);
    });
  }

  /**
   * Resolves when no call of the tenant is under way. Those that are after the time, in milliseconds, end as with a worker that has
   * gone, and are cut off when nobody reads that.
   */
  async ended(tenant: string, milliseconds: number): Promise<void> {
    if (await this.#end(tenant, milliseconds)) return;
    for (const call of this.#calls.get(tenant) ?? []) refuse(call);
    if (await this.#end(tenant, lastWordsTime)) return;
    for (const call of this.#calls.get(tenant) ?? []) call.destroy();
    await this.#end(tenant, lastWordsTime);
  }

  async #end(tenant: string, milliseconds: number): Promise<boolean> {
    for (const end = performance.now() + milliseconds; this.#calls.has(tenant); await sleep(pollTime))
      if (performance.now() >= end) return false;
    return true;
  }

  /** How long there has been none, in milliseconds. */
  get idleMilliseconds(): number {
    return this.#count > 0 ? 0 : performance.now() - this.#lastEnded;
  }
}
