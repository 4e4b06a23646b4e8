import { LociError } from "@loci/domain";

/**
 * How vectors are found. `none`: every row of the scopes asked for is compared, which is exact. `hnsw`: so it is up to
 * `exactRows` selected rows, above that pgvector's graph finds nearly the same rows sooner.
 */
export type IndexKind = "none" | "hnsw";

export interface PgvectorStoreOptions {
  /** Such as `postgresql://user:password@host:5432/database?sslmode=verify-full`. */
  readonly connectionString: string;
  /**
   * The schema with the tables: letters, digits and `_`, small. One ledger has one of its own, and its
   * memories are in another. Default `loci_indexes`.
   */
  readonly schema?: string | undefined;
  /**
   * Names the ledger that the indexes are made from. The first to open a schema gives it its owner; another one is then
   * refused, as its log says nothing about these rows. Default: anybody's.
   */
  readonly owner?: string | undefined;
  /** Default `none`. The graph is made by `maintain`, once a collection has more than `exactRows` rows. */
  readonly index?: IndexKind | undefined;
  /** Up to so many selected rows are compared one by one with `index: "hnsw"`. Default 20,000. */
  readonly exactRows?: number | undefined;
  /**
   * Into how many tables the words are split by tenant, up to 256: for many millions of memories, so that each can be vacuumed
   * and moved by itself. Counts only where the tables are made; those there are stay as they are. Default 1: not split.
   */
  readonly textPartitions?: number | undefined;
  /**
   * Most bytes for words and vectors of scopes that are searched again and again, about as many for words as for vectors. Each search asks
   * PostgreSQL what has changed of them. 0: nothing is kept. Default 64 MiB.
   */
  readonly keptBytes?: number | undefined;
  /**
   * How much of what reading a scope costs its searches must have cost, none of them ten minutes after the one before, until it is read
   * and kept. Default 1, so that never more than twice the least is spent. 0: it is read when it is first searched.
   */
  readonly keepingPatience?: number | undefined;
  /** Most connections at once. With 1 nothing that runs can be cancelled on the server. Default 8. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds a call waits for a connection before it is `STORE_UNAVAILABLE`. Default 5,000. */
  readonly connectTimeout?: number | undefined;
}

export type CheckedOptions = Required<{
  readonly [Name in keyof Omit<PgvectorStoreOptions, "owner">]: NonNullable<PgvectorStoreOptions[Name]>;
}> & { readonly owner: string | undefined };

/** A search locks every partition of four tables. */
const mostPartitions = 256;
const schemaPattern = /^[a-z_][a-z0-9_]{0,47}$/;

/** @throws LociError `INVALID_CONFIGURATION`; never with the connection string, which holds a password */
export function checkOptions(options: PgvectorStoreOptions): CheckedOptions {
  const {
    connectionString,
    schema = "loci_indexes",
    owner,
    index = "none",
    exactRows = 20_000,
    textPartitions = 1,
    keptBytes = 64 * 2 ** 20,
    keepingPatience = 1,
    maxConnections = 8,
    connectTimeout = 5_000,
  } = options;
  if (typeof connectionString !== "string" || !/^postgres(ql)?:\/\//.test(connectionString))
    refuse("connectionString", "is not of the form postgresql://user:password@host:port/database");
  if (typeof schema !== "string" || !schemaPattern.test(schema))
    refuse("schema", "is not 1 to 48 small letters, digits and underscores, a letter or underscore first");
  if (index !== "none" && index !== "hnsw") refuse("index", 'is neither "none" nor "hnsw"');
  const counts = { exactRows, textPartitions, maxConnections, connectTimeout };
  for (const [field, value] of Object.entries(counts))
    if (!Number.isSafeInteger(value) || value < 1) refuse(field, `is ${String(value)}, not a whole number from 1`);
  if (!Number.isSafeInteger(keptBytes) || keptBytes < 0)
    refuse("keptBytes", `is ${String(keptBytes)}, not a whole number from 0`);
  if (!(keepingPatience >= 0)) refuse("keepingPatience", `is ${String(keepingPatience)}, not a number from 0`);
  if (textPartitions > mostPartitions) refuse("textPartitions", `is more than ${mostPartitions}`);
  return { ...counts, connectionString, schema, owner, index, keptBytes, keepingPatience };
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} ${problem}.`,
    field,
    advice: "See PgvectorStoreOptions.",
  });
}
