import { join } from "node:path";
import { tenantId, throwIfAborted } from "@loci/domain";
import { projectionNamesOf, readIndexRecord } from "@loci/engine";
import { ledgerName } from "../backup.ts";
import type { StoppedShard } from "./stopped-shards.ts";
import { removeRows } from "./tenant-moves.ts";

/**
 * Copies everything of a tenant from one shard to another while neither is served. Its indexes are built when they are: their places
 * in the log stay behind. It is on the disk when the other ledger has settled its tenants, and not there until that is written down.
 */
export async function copyStopped(
  tenant: string,
  from: StoppedShard,
  to: StoppedShard,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = tenantId(tenant);
  await removeRows(to.ledger, name, { signal, isDeferred: true });
  const step = { type: "copy", from: join(from.directory, ledgerName), isDeferred: true } as const;
  for (;;) {
    throwIfAborted(signal);
    if ((await to.ledger.move(name, step)).isComplete === true) break;
  }
  const builtHere = [...(await indexesOf(from)), ...(await indexesOf(to))];
  await to.ledger.move(name, { type: "apply", changes: [], last: { builtHere } });
  await to.ledger.move(name, { type: "arrive" });
}

async function indexesOf({ ledger }: StoppedShard): Promise<readonly string[]> {
  const record = await readIndexRecord(ledger);
  return record === undefined ? [] : projectionNamesOf(record);
}
