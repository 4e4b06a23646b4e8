import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Instant, type Loci, type Principal, type TenantId, tenantId } from "@loci/domain";
import { createEngine, type Engine, type EngineOptions } from "@loci/engine";
import { behaviourMetadata, behaviourReceipts } from "@loci/engine/conformance";
import type { Ledger } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import type { TextIndex, VectorCollection, VectorStore } from "@loci/store";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { WordEmbedder } from "./word-embedder.ts";

export const everything: Principal = {
  tenant: tenantId("acme"),
  subject: "test",
  roles: ["read", "write"],
  scopePatterns: ["*"],
};

interface OpenParts {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly vectorStore: VectorStore;
  readonly vectors: VectorCollection;
  readonly textIndex: TextIndex;
}

/** An engine on a directory of its own, which can be closed, or dropped as by a crash, and opened again. */
export class TestEngine implements AsyncDisposable {
  readonly directory: string;
  readonly embedder: WordEmbedder = new WordEmbedder();
  readonly problems: string[] = [];
  /** What the engine's clock shows; it stands still. */
  now: Instant = Date.UTC(2026, 0, 1);
  readonly #options: Partial<EngineOptions>;
  #parts: OpenParts | undefined;

  constructor(directory: string, options: Partial<EngineOptions>) {
    this.directory = directory;
    this.#options = options;
  }

  static async open(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
    const made = new TestEngine(await mkdtemp(join(tmpdir(), "loci-engine-")), options);
    await made.reopen();
    return made;
  }

  get engine(): Engine {
    return this.#current.engine;
  }

  get ledger(): Ledger {
    return this.#current.ledger;
  }

  get textIndex(): TextIndex {
    return this.#current.textIndex;
  }

  get vectors(): VectorCollection {
    return this.#current.vectors;
  }

  get loci(): Loci {
    return this.as({});
  }

  as(principal: Partial<Principal>): Loci {
    return this.engine.for({ ...everything, ...principal });
  }

  /** Resolves when both indexes stand where the log stands. Writes no usage, as `settled` does. */
  async indexesCaughtUp(tenant: TenantId = everything.tenant): Promise<void> {
    const head = await this.ledger.head(tenant);
    for (const index of [this.textIndex, this.vectors])
      while ((await index.checkpoint(tenant)) < head) await setTimeout(1);
  }

  /** Closes what is open, and opens the ledger again with empty indexes. */
  async reopen(): Promise<void> {
    await this.close();
    const clock = this.#options.clock ?? (() => this.now);
    const ledger = await openSqliteLedger({ directory: this.directory, clock });
    const { vectorStore, collections } = withCollections(openMemoryVectorStore());
    const textIndex = openMemoryTextIndex();
    const engine = await createEngine({
      ledger,
      vectorStore,
      textIndex,
      embedder: this.embedder,
      clock,
      metadataFields: behaviourMetadata,
      receipts: behaviourReceipts,
      reportProblem: (error, activity) => this.problems.push(`${activity}: ${String(error)}`),
      ...this.#options,
    });
    const [vectors] = collections;
    if (vectors === undefined) throw new Error("The engine opened no collection.");
    this.#parts = { engine, ledger, vectorStore, vectors, textIndex };
  }

  async close(): Promise<void> {
    const parts = this.#parts;
    this.#parts = undefined;
    if (parts === undefined) return;
    await parts.engine.close();
    await Promise.all([parts.vectorStore.close(), parts.textIndex.close()]);
    await parts.ledger.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  get #current(): OpenParts {
    if (this.#parts === undefined) throw new Error("The test engine is closed.");
    return this.#parts;
  }
}

/** Lets the test see the collections that the engine opens. */
function withCollections(store: VectorStore): {
  readonly vectorStore: VectorStore;
  readonly collections: readonly VectorCollection[];
} {
  const collections: VectorCollection[] = [];
  const openCollection: VectorStore["openCollection"] = async (...call) => {
    const collection = await store.openCollection(...call);
    collections.push(collection);
    return collection;
  };
  const vectorStore: VectorStore = {
    name: store.name,
    capabilities: store.capabilities,
    openCollection,
    dropCollection: (...call) => store.dropCollection(...call),
    close: () => store.close(),
  };
  return { vectorStore, collections };
}
