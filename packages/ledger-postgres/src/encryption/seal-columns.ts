import type { Ref, TenantId } from "@loci/domain";
import type { LedgerSealing } from "@loci/ledger/sql";
import type { Connections, RunStatement } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import { holdKeys, readKeysIn } from "./database-keys.ts";
import type { LedgerKeys, TenantKey } from "./ledger-keys.ts";

/** Memories whose words are sealed with one statement. */
const memoriesAtOnce = 500;

/** Holds the log of the tenant, and says which key it is under. */
const lockTenant: Statement<{ readonly columns_key: TenantKey }> = statement(
  "SELECT columns_key FROM tenants WHERE tenant = $1 FOR UPDATE",
);

const putKey = statement("UPDATE tenants SET columns_key = $2, sealed_through = head WHERE tenant = $1");

interface WordsRow {
  readonly ref: Ref;
  readonly source_id: string | null;
  readonly slot: string | null;
  readonly key: string | null;
}

const words: Statement<WordsRow> = statement(
  `SELECT ref, source_id, slot, key FROM memories WHERE tenant = $1 AND ref > $2
     AND (source_id IS NOT NULL OR slot IS NOT NULL OR key IS NOT NULL) ORDER BY ref LIMIT ${memoriesAtOnce}`,
);

const putWords = statement(
  `UPDATE memories AS m SET source_id = sealed.source_id, slot = sealed.slot, key = sealed.key
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS sealed (ref, source_id, slot, key)
     WHERE m.tenant = $1 AND m.ref = sealed.ref`,
);

/** Of whole memories: a tag that was sealed already may come behind those that were not. */
const tags: Statement<{ readonly ref: Ref; readonly tags: readonly string[] }> = statement(
  `SELECT ref, array_agg(tag) AS tags FROM tags WHERE tenant = $1 AND ref > $2 GROUP BY ref ORDER BY ref LIMIT ${memoriesAtOnce}`,
);

const putTags = statement(
  `UPDATE tags AS t SET tag = sealed.tag FROM unnest($2::text[], $3::text[], $4::text[]) AS sealed (ref, former, tag)
     WHERE t.tenant = $1 AND t.ref = sealed.ref AND t.tag = sealed.former`,
);

/**
 * Brings a tenant under the current key of the database: seals the words in which its rows are looked up, all at once, so that
 * the same word is the same in all rows. What it writes from then on is sealed under that key, by whatever server. Who writes to
 * the tenant waits meanwhile.
 *
 * @throws LociError `ENCRYPTION_KEY_MISSING`
 */
export async function sealColumns(connections: Connections, keys: LedgerKeys, tenant: TenantId): Promise<void> {
  const key = await connections.transaction({ tenant }, async (send, commit) => {
    await send(holdKeys, []);
    const { current = null } = await readKeysIn(send);
    const [found] = await send(lockTenant, [tenant]);
    if (found === undefined || found.columns_key === current) {
      await commit([]);
      return current;
    }
    const [before, after] = [keys.under(found.columns_key), keys.under(current)];
    await sealWords(send, tenant, before, after);
    await sealTags(send, tenant, before, after);
    await commit([send(putKey, [tenant, current])]);
    return current;
  });
  keys.see(tenant, key);
}

async function sealWords(
  send: RunStatement,
  tenant: TenantId,
  { columns: before }: LedgerSealing,
  { columns: after }: LedgerSealing,
): Promise<void> {
  const sealed = (column: "source_id" | "slot" | "key", word: string | null): string | null =>
    word === null ? null : after.of(tenant, column, before.word(tenant, column, word));
  for (let last = ""; ;) {
    const rows = await send(words, [tenant, last]);
    await send(putWords, [
      tenant,
      rows.map(({ ref }) => ref),
      rows.map((row) => sealed("source_id", row.source_id)),
      rows.map((row) => sealed("slot", row.slot)),
      rows.map((row) => sealed("key", row.key)),
    ]);
    const end = rows.at(-1);
    if (end === undefined || rows.length < memoriesAtOnce) return;
    last = end.ref;
  }
}

async function sealTags(
  send: RunStatement,
  tenant: TenantId,
  { columns: before }: LedgerSealing,
  { columns: after }: LedgerSealing,
): Promise<void> {
  for (let last = ""; ;) {
    const rows = await send(tags, [tenant, last]);
    const former = rows.flatMap(({ ref, tags: own }) => own.map((tag) => ({ ref, tag })));
    await send(putTags, [
      tenant,
      former.map(({ ref }) => ref),
      former.map(({ tag }) => tag),
      former.map(({ tag }) => after.of(tenant, "tag", before.word(tenant, "tag", tag))),
    ]);
    const end = rows.at(-1);
    if (end === undefined || rows.length < memoriesAtOnce) return;
    last = end.ref;
  }
}
