import { checkVector, type EmbeddingSpace, type Instant, LociError, type TenantId, throwIfAborted } from "@loci/domain";
import { checkOpen, closed } from "./check-call.ts";
import type { Embedder, EmbeddingKind } from "./embedder.ts";
import type { EmbeddingCacheLayer, EmbeddingCacheSnapshot, EmbeddingCacheStatistics } from "./embedding-cache-layer.ts";
import { embeddingKeys } from "./embedding-key.ts";
import { RecentVectors } from "./recent-vectors.ts";
import { decodeRecentVectors, encodeRecentVectors } from "./recent-vectors-bytes.ts";
import { SecondLayer } from "./second-layer.ts";
import { SharedWork } from "./shared-work.ts";

export interface CachedEmbedderOptions {
  /** The third layer: makes what no cache has. Closed with the cache. */
  readonly embedder: Embedder;
  /** Most vectors in the first layer. Default 10,000; 0 keeps none. */
  readonly entries?: number | undefined;
  /** How long the first layer keeps a vector, in milliseconds. Default 3,600,000. */
  readonly timeToLive?: number | undefined;
  /** Default none. */
  readonly secondLayer?: EmbeddingCacheLayer | undefined;
  /**
   * What is kept: in the second layer, and when the first is saved. Default both kinds; `query` alone where whoever embeds
   * documents keeps their vectors. The first layer holds others too, but apart and a tenth as many, so that a large import
   * pushes no question out.
   */
  readonly keptKinds?: readonly EmbeddingKind[] | undefined;
  /**
   * What is made each time it is asked for, and kept nowhere: to look for it would take as long as to make it, and it is hardly ever
   * asked for twice. Default none.
   */
  readonly uncachedKinds?: readonly EmbeddingKind[] | undefined;
  /** How long an answer may wait for the second layer, in milliseconds. Default 250. */
  readonly secondLayerTimeLimit?: number | undefined;
  /** Called when the second layer fails; the answer comes without it. */
  readonly onSecondLayerFailure?: ((error: unknown) => void) | undefined;
  /** Default `Date.now`. */
  readonly clock?: (() => Instant) | undefined;
}

type Vectors = ReadonlyMap<string, Float32Array>;

const shareOfOthers = 0.1;

/**
 * An embedder behind a cache of three layers: in process, persistent, and the embedder itself.
 *
 * Equal texts asked for at the same time are embedded once, and no tenant ever gets a vector made for another.
 */
export class CachedEmbedder {
  readonly space: EmbeddingSpace;
  readonly maxInputTokens: number;
  readonly relevanceWeight: number;
  readonly floors: Embedder["floors"];
  readonly gates: Embedder["gates"];
  readonly understands: Embedder["understands"];
  readonly #embedder: Embedder;
  /** The part of the first layer that is saved. */
  readonly #kept: RecentVectors;
  readonly #recent: Readonly<Record<EmbeddingKind, RecentVectors>>;
  readonly #secondLayer: SecondLayer | undefined;
  readonly #keptKinds: readonly EmbeddingKind[];
  readonly #uncachedKinds: readonly EmbeddingKind[];
  readonly #running = new Map<string, SharedWork<Vectors>>();
  #counts = { requested: 0, firstLayer: 0, shared: 0, secondLayer: 0, embedded: 0, calls: 0 };
  #isClosed = false;

  constructor(options: CachedEmbedderOptions) {
    const { embedder, secondLayer, clock = Date.now } = options;
    this.#embedder = embedder;
    this.space = embedder.space;
    this.maxInputTokens = embedder.maxInputTokens;
    this.relevanceWeight = embedder.relevanceWeight;
    this.floors = embedder.floors;
    this.gates = embedder.gates;
    this.understands = embedder.understands;
    this.#keptKinds = options.keptKinds ?? ["query", "document"];
    this.#uncachedKinds = options.uncachedKinds ?? [];
    const { entries = 10_000, timeToLive = 3_600_000 } = options;
    const kept = new RecentVectors(entries, timeToLive, clock);
    const others = new RecentVectors(Math.ceil(entries * shareOfOthers), timeToLive, clock);
    const recentOf = (kind: EmbeddingKind): RecentVectors => (this.#keptKinds.includes(kind) ? kept : others);
    this.#kept = kept;
    this.#recent = { query: recentOf("query"), document: recentOf("document") };
    this.#secondLayer =
      secondLayer &&
      new SecondLayer(secondLayer, {
        dimensions: embedder.space.dimensions,
        timeLimit: options.secondLayerTimeLimit ?? 250,
        onFailure: options.onSecondLayerFailure,
        clock,
      });
  }

  /**
   * One vector for each text, in order, as the embedder would answer. Any number of texts: they are embedded in batches.
   * The vectors are the caller's own.
   *
   * @throws LociError what the embedder throws, `CANCELLED`, `CLOSED`, `INVALID_VECTOR` when the embedder answers with
   *   something that is no vector of its space
   */
  async embed(
    tenant: TenantId,
    texts: readonly string[],
    options: { readonly kind: EmbeddingKind; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]> {
    const { kind, signal } = options;
    checkOpen(this.#isClosed);
    throwIfAborted(signal);
    if (this.#uncachedKinds.includes(kind)) return this.#makeAnew(texts, kind, signal);
    const keys = texts.map(embeddingKeys(this.space, tenant, kind));
    const vectors = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    const works = new Set<SharedWork<Vectors>>();
    this.#counts.requested += texts.length;
    for (const [index, key] of keys.entries()) {
      const recent = vectors.get(key) ?? this.#recent[kind].get(key);
      const running = this.#running.get(key);
      if (recent !== undefined) {
        this.#counts.firstLayer++;
        vectors.set(key, recent);
      } else if (missing.has(key)) this.#counts.shared++;
      else if (running === undefined) missing.set(key, texts[index] as string);
      else {
        this.#counts.shared++;
        works.add(running);
      }
    }
    if (missing.size > 0) works.add(this.#start(tenant, missing, kind));
    for (const made of await Promise.all([...works].map((work) => work.wait(signal))))
      for (const [key, vector] of made) vectors.set(key, vector);
    return keys.map((key) => (vectors.get(key) as Float32Array).slice());
  }

  statistics(): EmbeddingCacheStatistics {
    return {
      ...this.#counts,
      secondLayerFailures: this.#secondLayer?.failures ?? 0,
      entries: this.#layers.reduce((sum, { size }) => sum + size, 0),
    };
  }

  /** Drops the first layer, as when texts were erased: no key tells whose vector it is. */
  forget(): void {
    for (const layer of this.#layers) layer.clear();
  }

  /** Writes what is kept of the first layer where the next process can load it from. */
  async saveTo(snapshot: EmbeddingCacheSnapshot): Promise<void> {
    await snapshot.write(encodeRecentVectors(this.space, this.#kept.entries()));
  }

  /** Fills the first layer with what was saved. @returns how many vectors; 0 when it is damaged or of another space */
  async loadFrom(snapshot: EmbeddingCacheSnapshot): Promise<number> {
    const bytes = await snapshot.read();
    const entries = bytes === undefined ? [] : decodeRecentVectors(this.space, bytes);
    for (const [key, entry] of entries) this.#kept.restore(key, entry);
    return entries.length;
  }

  /** Resolves when the second layer has everything that was embedded before the call, or has failed to take it. */
  async settled(): Promise<void> {
    await this.#secondLayer?.settled();
  }

  /** Ends what is running, waits for the second layer, and closes the embedder. Later calls reject with `CLOSED`. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const work of new Set(this.#running.values())) work.abort(closed());
    await this.settled();
    await this.#embedder.close();
  }

  get #layers(): readonly RecentVectors[] {
    return [...new Set(Object.values(this.#recent))];
  }

  /** Begins to make vectors; from here on, others who want the same wait for this. */
  #start(tenant: TenantId, texts: ReadonlyMap<string, string>, kind: EmbeddingKind): SharedWork<Vectors> {
    const forget = (): void => {
      for (const key of texts.keys()) if (this.#running.get(key) === work) this.#running.delete(key);
    };
    const work = new SharedWork<Vectors>((signal) => this.#make(tenant, texts, kind, signal).finally(forget), forget);
    for (const key of texts.keys()) this.#running.set(key, work);
    return work;
  }

  async #make(
    tenant: TenantId,
    texts: ReadonlyMap<string, string>,
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<Vectors> {
    const vectors = new Map<string, Float32Array>();
    const secondLayer = this.#keptKinds.includes(kind) ? this.#secondLayer : undefined;
    for (const [key, vector] of (await secondLayer?.get(tenant, [...texts.keys()], signal)) ?? []) {
      vectors.set(key, vector);
      this.#recent[kind].set(key, vector);
    }
    this.#counts.secondLayer += vectors.size;
    const rest = [...texts].filter(([key]) => !vectors.has(key));
    for (let start = 0; start < rest.length; start += this.#embedder.maxBatch) {
      throwIfAborted(signal);
      const some = rest.slice(start, start + this.#embedder.maxBatch);
      const made = await this.#embed(
        some.map(([, text]) => text),
        kind,
        signal,
      );
      checkOpen(this.#isClosed);
      const batch = new Map(some.map(([key], index) => [key, made[index] as Float32Array]));
      for (const [key, vector] of batch) {
        vectors.set(key, vector);
        this.#recent[kind].set(key, vector);
      }
      secondLayer?.set(tenant, batch);
    }
    return vectors;
  }

  async #makeAnew(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    this.#counts.requested += texts.length;
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.#embedder.maxBatch) {
      throwIfAborted(signal);
      const made = await this.#embed(texts.slice(start, start + this.#embedder.maxBatch), kind, signal);
      checkOpen(this.#isClosed);
      for (const vector of made) vectors.push(vector.slice());
    }
    return vectors;
  }

  async #embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    this.#counts.calls++;
    const made = await this.#embedder.embed(texts, { kind, signal });
    if (made.length !== texts.length)
      throw new LociError("INVALID_VECTOR", {
        message: `The embedder ${this.space.model} answered with ${made.length} vectors for ${texts.length} texts.`,
      });
    made.forEach((vector, index) => checkVector(vector, this.space.dimensions, `vectors[${index}]`));
    this.#counts.embedded += texts.length;
    return made;
  }
}
