import type { LedgerTable } from "@loci/ledger/sql";

/** A table, and what of it is there for jobs that look after every tenant. */
export interface PostgresTable extends LedgerTable {
  /**
   * `sees`: they read it. `prunes`: they also delete what need not be kept. `deployment`: only what belongs to no tenant, of which every
   * tenant sees the notes of encryption keys.
   * `works`: as `prunes`, and they write what belongs to no tenant.
   */
  readonly everyTenant: "sees" | "prunes" | "deployment" | "works" | "nothing";
}

type Purges = Pick<LedgerTable, "whenMemoriesArePurged" | "whenTenantIsPurged">;
const stays: Purges = { whenMemoriesArePurged: "kept", whenTenantIsPurged: "kept" };
const goesByRef: Purges = { whenMemoriesArePurged: "rows", whenTenantIsPurged: "kept" };
const goesByRule: Purges = { whenMemoriesArePurged: "rule", whenTenantIsPurged: "kept" };

/** Every table of the schema but `schema_steps`. */
export const tables: readonly PostgresTable[] = [
  { name: "tenants", family: "shared", ...stays, everyTenant: "sees" },
  { name: "changes", family: "shared", ...goesByRule, everyTenant: "nothing" },
  {
    name: "requests",
    family: "shared",
    whenMemoriesArePurged: "rule",
    whenTenantIsPurged: "rule",
    everyTenant: "prunes",
  },
  { name: "active_versions", family: "memories", ...goesByRule, everyTenant: "nothing" },
  { name: "purged", family: "memories", ...goesByRule, everyTenant: "nothing" },
  { name: "tags", family: "memories", ...goesByRef, everyTenant: "nothing" },
  { name: "decisions", family: "memories", ...goesByRef, everyTenant: "nothing" },
  { name: "usage", family: "usage", ...goesByRef, everyTenant: "nothing" },
  { name: "shown", family: "usage", ...goesByRef, everyTenant: "nothing" },
  { name: "recall_marks", family: "usage", ...goesByRef, whenTenantIsPurged: "all", everyTenant: "prunes" },
  { name: "receipts", family: "receipts", ...goesByRule, whenTenantIsPurged: "all", everyTenant: "prunes" },
  { name: "memories", family: "memories", ...goesByRef, everyTenant: "nothing" },
  { name: "resources", family: "resources", ...goesByRule, everyTenant: "nothing" },
  { name: "checkpoints", family: "checkpoints", ...goesByRule, whenTenantIsPurged: "all", everyTenant: "nothing" },
  { name: "model_usage", family: "usage", ...stays, whenTenantIsPurged: "all", everyTenant: "nothing" },
  { name: "embeddings", family: "embeddings", ...goesByRule, everyTenant: "nothing" },
  { name: "embedding_cache", family: "embeddings", ...stays, whenMemoriesArePurged: "all", everyTenant: "prunes" },
  { name: "settings", family: "settings", ...stays, whenTenantIsPurged: "all", everyTenant: "deployment" },
  { name: "jobs", family: "jobs", ...stays, whenTenantIsPurged: "all", everyTenant: "works" },
  { name: "projections", family: "projections", ...stays, everyTenant: "prunes" },
];
