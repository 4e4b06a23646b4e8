import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError, TenantId } from "@loci/domain";
import type { IndexChange, VectorCollection, VectorStore } from "@loci/store";
import { type EmbeddedStore, type EmbeddedStoreOptions, type ExactVectors, openEmbeddedStore } from "../src/index.ts";

// Every store starts a thread from TypeScript: without this each would strip its types again.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "embedded-compile-cache");

/** Stands for the ledger: keeps the vectors that rows were applied with. */
export class VectorsOfRecord {
  readonly #vectors = new Map<string, readonly Float32Array[]>();
  requests = 0;
  rows = 0;

  readonly read: ExactVectors = async ({ tenant, space, rows }) => {
    this.requests++;
    this.rows += rows.length;
    return new Map(
      rows.flatMap(({ ref, version }) => {
        const vectors = this.#vectors.get(JSON.stringify([space.model, tenant, ref, version]));
        return vectors === undefined ? [] : [[ref, vectors] as const];
      }),
    );
  };

  keep(model: string, tenant: TenantId, changes: readonly IndexChange[]): void {
    for (const change of changes)
      if (change.type === "upsert")
        this.#vectors.set(
          JSON.stringify([model, tenant, change.ref, change.version]),
          change.vectors.map((vector) => vector.slice()),
        );
  }

  /** A store whose collections note what they are given, once they have taken it. */
  watch(store: VectorStore): VectorStore {
    return {
      name: store.name,
      capabilities: store.capabilities,
      openCollection: async (id, space, options) =>
        this.#watchCollection(await store.openCollection(id, space, options), space.model),
      dropCollection: (id, options) => store.dropCollection(id, options),
      close: () => store.close(),
    };
  }

  #watchCollection(collection: VectorCollection, model: string): VectorCollection {
    return {
      apply: async (tenant, changes, through, options) => {
        const isBehind = through < (await collection.checkpoint(tenant));
        const copy = structuredClone(changes);
        await collection.apply(tenant, changes, through, options);
        if (!isBehind) this.keep(model, tenant, copy);
      },
      checkpoint: (tenant) => collection.checkpoint(tenant),
      refs: (tenant) => collection.refs(tenant),
      search: (request, options) => collection.search(request, options),
      count: (tenant) => collection.count(tenant),
      maintain: (options) => collection.maintain(options),
      reset: async (tenant, options) => collection.reset?.(tenant, options),
    };
  }
}

/** A store in a directory of its own. */
export interface TestStore extends EmbeddedStore {
  readonly directory: string;
  readonly record: VectorsOfRecord;
  readonly problems: readonly LociError[];
  /** Closes it, and opens it again on the same directory. */
  reopen(): Promise<TestStore>;
  destroy(): Promise<void>;
}

export interface TestStoreOptions extends Partial<EmbeddedStoreOptions> {
  /** Default: an empty one. */
  readonly record?: VectorsOfRecord;
}

export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
  const { record = new VectorsOfRecord(), directory, ...others } = options;
  const own = directory ?? (await mkdtemp(join(tmpdir(), "embedded-")));
  const problems: LociError[] = [];
  const store = await openEmbeddedStore({
    ...others,
    directory: own,
    exactVectors: record.read,
    reportProblem: (problem) => problems.push(problem),
  });
  return {
    directory: own,
    record,
    problems,
    vectorStore: record.watch(store.vectorStore),
    textIndex: store.textIndex,
    close: () => store.close(),
    reopen: async () => {
      await store.close();
      return openTestStore({ ...options, directory: own, record });
    },
    destroy: async () => {
      await store.close();
      await rm(own, { recursive: true, force: true });
    },
  };
}
