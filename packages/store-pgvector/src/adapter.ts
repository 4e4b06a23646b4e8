import type { IndexAdapter } from "@loci/store";
import type { PgvectorStoreOptions } from "./pgvector-store-options.ts";

type Options = Omit<PgvectorStoreOptions, "owner">;

/** In PostgreSQL with pgvector. A schema belongs to the data directory that opened it first. */
export const pgvectorIndexes: IndexAdapter<"pgvector", "outside", Options, "connectionString"> = {
  name: "pgvector",
  title: "pgvector",
  place: "outside",
  ofEachServer: { vectors: false, text: false },
  notErased: ["The database of the index may keep removed rows in its write-ahead log, its archives and its replicas."],
  secret: {
    option: "connectionString",
    path: "index.connection_string",
    called: "the connection string",
    about: "the connection string of pgvector's database",
    of: "index",
    form: "postgresql://user:password@host:port/database",
  },
  settings: [
    {
      type: "text",
      option: "schema",
      path: "index.schema",
      about: "Schema of pgvector's tables, not the ledger's. Default `loci_indexes`.",
      advice: "Name a schema of the database.",
    },
    {
      type: "choice",
      option: "index",
      path: "index.vector_index",
      about: "Of pgvector. Default `none`: exact.",
      choices: ["none", "hnsw"],
    },
    {
      type: "number",
      option: "textPartitions",
      path: "index.text_partitions",
      about: "Tables that pgvector's words are split into by tenant, where they are made. Default 1.",
      least: 1,
      most: 256,
    },
    {
      type: "number",
      option: "keptBytes",
      path: "index.kept_bytes",
      about:
        "Most bytes for words and vectors of scopes that are searched again and again; 0: none are kept. Default 67,108,864.",
      least: 0,
      most: 2 ** 36,
    },
    {
      type: "number",
      option: "maxConnections",
      path: "index.max_connections",
      about: "Connections to pgvector's database at once.",
      least: 1,
      most: 1_000,
    },
  ],
  // What it takes to talk to PostgreSQL is loaded now and not before.
  open: async (options, { ledger }) => {
    const { openPgvectorStore } = await import("./open-pgvector-store.ts");
    return openPgvectorStore({ ...options, owner: ledger });
  },
  remove: async (options) => {
    const { removePgvectorStore } = await import("./open-pgvector-store.ts");
    await removePgvectorStore(options);
  },
};
