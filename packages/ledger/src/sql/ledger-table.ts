/**
 * A table of a ledger, and what becomes of its rows. Each ledger lists its own, and works by the list; a test compares it with
 * what the database has, so that a table that was forgotten is noticed.
 */
export interface LedgerTable {
  readonly name: string;
  /** Whose it is. `shared`: of all. */
  readonly family:
    | "shared"
    | "memories"
    | "embeddings"
    | "usage"
    | "receipts"
    | "resources"
    | "checkpoints"
    | "settings"
    | "jobs"
    | "projections";
  /**
   * When memories are purged. `rows`: those with their refs are deleted. `all`: every row of the tenant is, because nobody can
   * tell which are theirs. `rule`: a statement of the purge looks after it. `kept`: nothing in it is theirs.
   */
  readonly whenMemoriesArePurged: "rows" | "all" | "rule" | "kept";
  /** When a whole tenant is purged, beside all its memories. `all`: every row of the tenant is deleted. */
  readonly whenTenantIsPurged: "all" | "rule" | "kept";
}

/** The names of those whose rows go in a way. */
export function tablesOf(
  tables: readonly LedgerTable[],
  rule: "whenMemoriesArePurged" | "whenTenantIsPurged",
  way: "rows" | "all",
): readonly string[] {
  return tables.filter((table) => table[rule] === way).map(({ name }) => name);
}
