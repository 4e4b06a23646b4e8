import { openPgvectorStore, type PgvectorStore, type PgvectorStoreOptions } from "@loci/store-pgvector";
import { openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { LociError } from "@loci/domain";
import type { VectorStore } from "@loci/store";
import { setTimeout as pause } from "node:timers/promises";
import { Client, DatabaseError } from "pg";

/** A database in which every store gets a schema of its own: much quicker than a database for each. */
export class TestServer {
  readonly database: TestDatabase;
  #schemas = 0;

  constructor(database: TestDatabase) {
    this.database = database;
  }

  static async start(kind?: TestDatabase["kind"]): Promise<TestServer> {
    return new TestServer(await openTestDatabase(kind));
  }

  /** Options of a store in a new schema. */
  options(changes: Partial<PgvectorStoreOptions> = {}): PgvectorStoreOptions {
    const { connectionString, maxConnections } = this.database;
    const schema = `test_${++this.#schemas}`;
    return { connectionString, schema, maxConnections: Math.min(maxConnections, 4), ...changes };
  }

  async open(changes: Partial<PgvectorStoreOptions> = {}): Promise<OpenedStore> {
    const options = this.options(changes);
    let store = await onceFree(() => openPgvectorStore(options));
    return {
      options,
      get store() {
        return store;
      },
      reopen: async () => {
        await store.close();
        store = await onceFree(() => openPgvectorStore(options));
        return store;
      },
      // Its schema goes with the database.
      destroy: () => store.close(),
    };
  }

  /** Runs SQL as the superuser, past the store. */
  async execute(text: string, values: unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    const client = await onceFree(async () => {
      const made = new Client({ connectionString: this.database.connectionString });
      await made.connect();
      return made;
    });
    try {
      const { rows } = await client.query<Record<string, unknown>>(text, values);
      return rows;
    } finally {
      await client.end();
    }
  }
}

/** PGlite takes the next connection a moment after the last one has ended. */
export async function onceFree<Result>(connect: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await connect();
    } catch (error) {
      const isRefused = LociError.is(error) ? error.reason === "STORE_UNAVAILABLE" : !(error instanceof DatabaseError);
      if (!isRefused || attempt === 50) throw error;
      await pause(10);
    }
}

export interface OpenedStore {
  readonly options: PgvectorStoreOptions;
  readonly store: PgvectorStore;
  /** Closes the store and opens another on the same tables. */
  readonly reopen: () => Promise<PgvectorStore>;
  readonly destroy: () => Promise<void>;
}

/** The same store, but that a collection gets its graph as soon as it has more rows than are compared one by one. */
export function withGraphs(store: VectorStore, exactRows: number): VectorStore {
  return delegating(store, {
    openCollection: async (id, space, call) => {
      const collection = await store.openCollection(id, space, call);
      let hasGraph = false;
      return delegating(collection, {
        apply: async (tenant, changes, through, options) => {
          await collection.apply(tenant, changes, through, options);
          if (hasGraph || (await collection.count(tenant)) <= exactRows) return;
          hasGraph = true;
          await collection.maintain();
        },
      });
    },
  });
}

function delegating<Target extends object>(target: Target, own: Partial<Target>): Target {
  return new Proxy(target, {
    get(object, property) {
      if (Object.hasOwn(own, property)) return Reflect.get(own, property) as unknown;
      const value: unknown = Reflect.get(object, property, object);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}
