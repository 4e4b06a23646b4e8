import type { LedgerTable } from "@loci/ledger/sql";

/** A table of the file. */
export interface SqliteTable extends LedgerTable {
  /**
   * What goes along when a tenant moves to another file, where tenants, scopes and spaces have other numbers. `rows`: those with
   * the tenant's number. `ofScopes`: those with a scope of the tenant. `numbered`: rows of the tenant that nobody finds by their
   * number, and get another one. `named`: those with the tenant's name. `atLast`: rows of the tenant, when nothing works on them
   * any more. `places`: the same, without the places of indexes, which the new file's server builds. `tenant`, `scopes` and `embeddings` are those themselves; `withEmbeddings`: what embeddings point at. `names`: found
   * or made by name.
   */
  readonly whenTenantMoves:
    | "rows"
    | "ofScopes"
    | "numbered"
    | "named"
    | "atLast"
    | "places"
    | "tenant"
    | "scopes"
    | "embeddings"
    | "withEmbeddings"
    | "names";
  /**
   * Rows that have been there for long go, whoever's they are and whatever file they are in: while a tenant is on its way, in one of
   * the two. Default false.
   */
  readonly isKeptForATime?: boolean | undefined;
}

/** Every table of the file. Rows that others refer to stand behind those. */
export const tables: readonly SqliteTable[] = [
  {
    name: "tenants",
    family: "shared",
    whenMemoriesArePurged: "kept",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "tenant",
  },
  // Their names are what has to go.
  {
    name: "scopes",
    family: "shared",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "scopes",
  },
  {
    name: "spaces",
    family: "shared",
    whenMemoriesArePurged: "kept",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "names",
  },
  {
    name: "changes",
    family: "shared",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "requests",
    family: "shared",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "rule",
    whenTenantMoves: "numbered",
    isKeptForATime: true,
  },
  {
    name: "tags",
    family: "memories",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "ofScopes",
  },
  {
    name: "active_versions",
    family: "memories",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "ofScopes",
  },
  {
    name: "usage",
    family: "usage",
    whenMemoriesArePurged: "rows",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "shown",
    family: "usage",
    whenMemoriesArePurged: "rows",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "decisions",
    family: "memories",
    whenMemoriesArePurged: "rows",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "memories",
    family: "memories",
    whenMemoriesArePurged: "rows",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "resources",
    family: "resources",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  // Goes with its resource.
  {
    name: "checkpoints",
    family: "checkpoints",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "all",
    whenTenantMoves: "rows",
  },
  {
    name: "purged",
    family: "memories",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "rows",
  },
  {
    name: "embeddings",
    family: "embeddings",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "embeddings",
  },
  {
    name: "vector_pieces",
    family: "embeddings",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "withEmbeddings",
  },
  {
    name: "embedding_cache",
    family: "embeddings",
    whenMemoriesArePurged: "all",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "numbered",
    isKeptForATime: true,
  },
  // Found by what was purged, all at once: no index has them by their refs.
  {
    name: "recall_marks",
    family: "usage",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "all",
    whenTenantMoves: "rows",
    isKeptForATime: true,
  },
  // Found by what they name, all at once.
  {
    name: "receipts",
    family: "receipts",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "all",
    whenTenantMoves: "rows",
    isKeptForATime: true,
  },
  {
    name: "model_usage",
    family: "usage",
    whenMemoriesArePurged: "kept",
    whenTenantIsPurged: "all",
    whenTenantMoves: "rows",
  },
  // Of a tenant by its name.
  {
    name: "settings",
    family: "settings",
    whenMemoriesArePurged: "kept",
    whenTenantIsPurged: "rule",
    whenTenantMoves: "named",
  },
  { name: "jobs", family: "jobs", whenMemoriesArePurged: "kept", whenTenantIsPurged: "all", whenTenantMoves: "atLast" },
  {
    name: "projections",
    family: "projections",
    whenMemoriesArePurged: "kept",
    whenTenantIsPurged: "kept",
    whenTenantMoves: "places",
  },
];
