import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { PlantedEntry } from "@loci/ledger/conformance";

/** Appends entries that this version does not write to the log of a tenant. The ledger may be open. */
export function plantEntries(directory: string, tenant: TenantId, entries: readonly PlantedEntry[]): void {
  const database = new DatabaseSync(join(directory, "ledger.sqlite"), { timeout: 5_000 });
  database.exec("BEGIN IMMEDIATE");
  const append = database.prepare(
    `INSERT INTO changes (tenant, sequence, recorded_at, family, type, ref, version, content_hash, record)
       SELECT id, head + 1, recorded_at, ?, ?, ?, ?, '', ? FROM tenants WHERE name = ?`,
  );
  const advance = database.prepare("UPDATE tenants SET head = head + 1 WHERE name = ?");
  for (const { family, kind, ref, version, payload } of entries) {
    append.run(family, kind, ref, version, JSON.stringify(payload), tenant);
    advance.run(tenant);
  }
  database.exec("COMMIT");
  database.close();
}
