import type { LedgerTable } from "@loci/ledger/sql";

/** Every table of the file. Rows that others refer to stand behind those. */
export const tables: readonly LedgerTable[] = [
  { name: "tenants", family: "shared", whenMemoriesArePurged: "kept", whenTenantIsPurged: "kept" },
  // Their names are what has to go.
  { name: "scopes", family: "shared", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "spaces", family: "shared", whenMemoriesArePurged: "kept", whenTenantIsPurged: "kept" },
  { name: "changes", family: "shared", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "requests", family: "shared", whenMemoriesArePurged: "rule", whenTenantIsPurged: "rule" },
  { name: "tags", family: "memories", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "active_versions", family: "memories", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "usage", family: "usage", whenMemoriesArePurged: "rows", whenTenantIsPurged: "kept" },
  { name: "shown", family: "usage", whenMemoriesArePurged: "rows", whenTenantIsPurged: "kept" },
  { name: "decisions", family: "memories", whenMemoriesArePurged: "rows", whenTenantIsPurged: "kept" },
  { name: "memories", family: "memories", whenMemoriesArePurged: "rows", whenTenantIsPurged: "kept" },
  { name: "resources", family: "resources", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  // Goes with its resource.
  { name: "checkpoints", family: "checkpoints", whenMemoriesArePurged: "rule", whenTenantIsPurged: "all" },
  { name: "purged", family: "memories", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "embeddings", family: "embeddings", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "vector_pieces", family: "embeddings", whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" },
  { name: "embedding_cache", family: "embeddings", whenMemoriesArePurged: "all", whenTenantIsPurged: "kept" },
  // Found by what was purged, all at once: no index has them by their refs.
  { name: "recall_marks", family: "usage", whenMemoriesArePurged: "rule", whenTenantIsPurged: "all" },
  { name: "model_usage", family: "usage", whenMemoriesArePurged: "kept", whenTenantIsPurged: "all" },
  // Of a tenant by its name.
  { name: "settings", family: "settings", whenMemoriesArePurged: "kept", whenTenantIsPurged: "rule" },
  { name: "jobs", family: "jobs", whenMemoriesArePurged: "kept", whenTenantIsPurged: "all" },
  { name: "projections", family: "projections", whenMemoriesArePurged: "kept", whenTenantIsPurged: "kept" },
];
