import { checkVector, type Instant, type TenantId, throwIfAborted } from "@loci/domain";
import type { EmbeddingCacheLayer } from "./embedding-cache-layer.ts";
import { unlessAborted } from "./shared-work.ts";

export interface SecondLayerOptions {
  readonly dimensions: number;
  /** Of a read, in milliseconds. */
  readonly timeLimit: number;
  readonly onFailure: ((error: unknown) => void) | undefined;
  readonly clock: () => Instant;
}

/** How long a layer that failed is left alone, so that one that hangs does not slow every answer. */
const restMilliseconds = 5_000;
const writeTimeLimit = 5_000;

/** A cache layer that can fail, hang or lie without harm: then it is as if it had nothing. */
export class SecondLayer {
  readonly #layer: EmbeddingCacheLayer;
  readonly #options: SecondLayerOptions;
  readonly #writes = new Set<Promise<void>>();
  #restsUntil: Instant = -Infinity;
  failures = 0;

  constructor(layer: EmbeddingCacheLayer, options: SecondLayerOptions) {
    this.#layer = layer;
    this.#options = options;
  }

  /** @throws LociError only what `signal` was aborted with */
  async get(
    tenant: TenantId,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    if (this.#isResting()) return new Map();
    try {
      const either = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeLimit)]);
      const found = await unlessAborted(this.#layer.get(tenant, keys), either);
      const asked = new Set(keys);
      return new Map([...found].filter(([key, vector]) => asked.has(key) && this.#isVector(vector)));
    } catch (error) {
      throwIfAborted(signal);
      this.#fail(error);
      return new Map();
    }
  }

  /** Writes in the background. */
  set(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): void {
    if (this.#isResting()) return;
    const write = this.#write(tenant, entries).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Resolves when everything set before the call is written, or has failed to be. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #write(tenant: TenantId, entries: ReadonlyMap<string, Float32Array>): Promise<void> {
    try {
      await unlessAborted(this.#layer.set(tenant, entries), AbortSignal.timeout(writeTimeLimit));
    } catch (error) {
      this.#fail(error);
    }
  }

  #isResting(): boolean {
    return this.#options.clock() < this.#restsUntil;
  }

  #isVector(vector: Float32Array): boolean {
    try {
      checkVector(vector, this.#options.dimensions, "vector");
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    this.#restsUntil = this.#options.clock() + restMilliseconds;
    this.#report(error);
  }

  #report(error: unknown): void {
    this.failures++;
    this.#options.onFailure?.(error);
  }
}
