import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { shardDirectory } from "@loci/loci";

/** How many memories each of two shards has of a tenant. */
export function memoriesInShards(dataDirectory: string, tenant: string): readonly number[] {
  return [0, 1].map((shard) => {
    const file = new DatabaseSync(join(shardDirectory(dataDirectory, shard), "ledger.sqlite"), { readOnly: true });
    try {
      const found = file
        .prepare("SELECT count(*) AS count FROM memories WHERE tenant = (SELECT id FROM tenants WHERE name = ?)")
        .get(tenant);
      return Number(found?.["count"]);
    } finally {
      file.close();
    }
  });
}
