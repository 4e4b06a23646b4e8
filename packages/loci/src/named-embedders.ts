import { LociError } from "@loci/domain";
import { CachedEmbedder, type CachedEmbedderOptions, type Embedder, openLocalEmbedder } from "@loci/embedding";
import { type EmbedderChoice, observedEmbedder } from "@loci/engine";

/** The name of the model that ships with Loci. */
export const localEmbedder = "local";

/** Embedders by name, each opened once, behind a cache of its own. */
export class NamedEmbedders implements EmbedderChoice {
  readonly active: string;
  readonly available: readonly string[];
  readonly #openers: Readonly<Record<string, () => Promise<Embedder>>>;
  readonly #cache: Omit<CachedEmbedderOptions, "embedder">;
  readonly #opened = new Map<string, Promise<CachedEmbedder>>();

  /** @param active falls back to `configured` when it is not there any more */
  constructor(
    active: string,
    configured: string,
    openers: Readonly<Record<string, () => Promise<Embedder>>>,
    cache: Omit<CachedEmbedderOptions, "embedder">,
  ) {
    this.#openers = { [localEmbedder]: () => openLocalEmbedder(), ...openers };
    this.available = Object.keys(this.#openers);
    this.active = this.available.includes(active) ? active : configured;
    this.#cache = cache;
  }

  open(name: string): Promise<CachedEmbedder> {
    let opened = this.#opened.get(name);
    if (opened === undefined) {
      opened = this.#open(name);
      this.#opened.set(name, opened);
      opened.catch(() => this.#opened.delete(name));
    }
    return opened;
  }

  /** Drops what the caches hold in memory. */
  async forget(): Promise<void> {
    for (const opened of this.#opened.values()) (await opened).forget();
  }

  async closeAll(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened).close();
  }

  async #open(name: string): Promise<CachedEmbedder> {
    const opener = Object.hasOwn(this.#openers, name) ? this.#openers[name] : undefined;
    if (opener === undefined)
      throw new LociError("INVALID_CONFIGURATION", {
        message: `There is no embedder ${JSON.stringify(name.slice(0, 60))}.`,
        advice: `Configured are: ${this.available.join(", ")}.`,
      });
    return new CachedEmbedder({
      ...this.#cache,
      // What ships with Loci takes less than it would to tell of it; that it was asked the cache tells.
      embedder: name === localEmbedder ? await opener() : observedEmbedder(await opener()),
      // The local model is faster than any table, and for a memory's text than the look whether it is in the first layer.
      secondLayer: name === localEmbedder ? undefined : this.#cache.secondLayer,
      uncachedKinds: name === localEmbedder ? ["document"] : [],
      // Vectors of memories are kept by the ledger as long as a memory needs them.
      keptKinds: ["query"],
    });
  }
}
