import { setTimeout as pause } from "node:timers/promises";
import { openEngine, readDivision, roles, shardDirectory, tenantId, tenantShards, tenantsInFile } from "@loci/loci";
import { examine } from "@loci/server";
import type { ServerProcess } from "../server-process.ts";

/** What a server may take to remove what tenants have left, in milliseconds. */
const tidyPatience = 60_000;

/**
 * Looks at a divided directory once nothing is moved any more: ends its server, and looks whether each tenant is in one shard with
 * all that its indexes should have, and whether `loci doctor` finds anything.
 *
 * @returns a line for each thing that is not as it should be
 */
export async function findBroken(server: ServerProcess, tenants: readonly string[]): Promise<readonly string[]> {
  const { dataDirectory, configurationFile } = server;
  const broken: string[] = [];
  for (const end = performance.now() + tidyPatience; leftoversIn(dataDirectory) > 0; await pause(100))
    if (performance.now() >= end) break;
  await server.end("SIGTERM");
  const division = readDivision(dataDirectory);
  if (division === undefined) return [`${dataDirectory} is not divided any more`];
  const shardOf = tenantShards(division);
  for (let shard = 0; shard < division.shards; shard++) {
    const directory = shardDirectory(dataDirectory, shard);
    const there = new Set<string>(tenantsInFile(directory));
    for (const tenant of tenants)
      if (there.has(tenant) !== (shardOf(tenant) === shard))
        broken.push(
          `${tenant} is ${there.has(tenant) ? "" : "not "}in shard ${shard}, and belongs to ${shardOf(tenant)}`,
        );
    broken.push(...(await findUnverified(directory, [...there])));
  }
  for await (const { state, check, message } of examine({ dataDirectory, configurationFile }))
    if (state !== "ok") broken.push(`doctor, ${check}: ${message}`);
  return broken;
}

function leftoversIn(dataDirectory: string): number {
  return readDivision(dataDirectory)?.leftovers.length ?? 0;
}

/** What the indexes of a shard have that the ledger has not, and the other way round. */
async function findUnverified(dataDirectory: string, tenants: readonly string[]): Promise<readonly string[]> {
  await using engine = await openEngine({ dataDirectory, isShard: true });
  const broken: string[] = [];
  for (const tenant of tenants) {
    const loci = engine.for({ tenant: tenantId(tenant), subject: "verification", roles, scopePatterns: ["*"] });
    await loci.settled();
    const { findings } = await loci.maintenance.verify();
    for (const finding of findings) broken.push(`${tenant}: ${JSON.stringify(finding)}`);
  }
  return broken;
}
