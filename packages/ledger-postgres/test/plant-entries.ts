import type { TenantId } from "@loci/domain";
import type { PlantedEntry } from "@loci/ledger/conformance";
import { Client } from "pg";

const append = `WITH end_of_log AS (
    UPDATE loci.tenants SET head = head + cardinality($2::text[]), sealed_through = head + cardinality($2::text[]) WHERE tenant = $1
      RETURNING head - cardinality($2::text[]) AS head, recorded_at
  )
  INSERT INTO loci.changes (tenant, sequence, recorded_at, family, type, ref, version, content_hash, record)
    SELECT $1, e.head + planted.place, e.recorded_at, planted.family, planted.kind, planted.ref, planted.version, '',
        planted.payload
      FROM end_of_log AS e, unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::text[]) WITH ORDINALITY
        AS planted (family, kind, ref, version, payload, place)`;

/** Appends entries that this version does not write to the log of a tenant. The ledger may be open. */
export async function plantEntries(
  superuser: string,
  tenant: TenantId,
  entries: readonly PlantedEntry[],
): Promise<void> {
  const client = new Client({ connectionString: superuser });
  await client.connect();
  try {
    // PGlite has one session, which may have become the role that serves.
    await client.query("BEGIN");
    await client.query("SELECT set_config('loci.tenant', $1, true)", [tenant]);
    await client.query(append, [
      tenant,
      entries.map(({ family }) => family),
      entries.map(({ kind }) => kind),
      entries.map(({ ref }) => ref),
      entries.map(({ version }) => version),
      entries.map(({ payload }) => JSON.stringify(payload)),
    ]);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}
