import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  divideAnew,
  type DirectoryDivision,
  openEngine,
  readDivision,
  roles,
  shardDirectory,
  tenantId,
  tenantsInFile,
  tenantShards,
} from "@loci/loci";
import { expect, onTestFinished, test } from "vitest";

const tenants = Array.from({ length: 12 }, (_, number) => `tenant-${number}`);

/** Kills by SIGKILL when some tenants were copied, and after the last. */
test.each([1, 3, 6])(
  "dividing anew that is killed when %i tenants were copied goes on where it was",
  async (copied) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "loci-killed-divide-"));
    onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
    {
      await using engine = await openEngine({ dataDirectory, index: "memory" });
      for (const tenant of tenants)
        await engine
          .for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] })
          .memories.remember({ text: `Of ${tenant}.`, scope: "global" });
    }
    const program = join(import.meta.dirname, "programs/divide-then-die.ts");
    const words = ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, "3", String(copied)];
    const [, signal] = (await once(spawn(process.execPath, words, { stdio: "inherit" }), "exit")) as [number, string];
    expect(signal).toBe("SIGKILL");
    // Whoever has come to a shard and is not there yet is known to be left over; everybody is whole where the note says.
    const killed = readDivision(dataDirectory)!;
    expect(killed.leftovers.length).toBeGreaterThanOrEqual(copied);
    for (const tenant of tenants)
      expect(placesOf(dataDirectory, killed, tenant)).toContain(tenantShards(killed)(tenant));
    await divideAnew({ dataDirectory, shards: 3 });
    const divided = readDivision(dataDirectory)!;
    expect(divided.placed).toEqual(new Map());
    for (const tenant of tenants)
      expect(placesOf(dataDirectory, divided, tenant)).toEqual([tenantShards(divided)(tenant)]);
  },
);

function placesOf(dataDirectory: string, { shards }: DirectoryDivision, tenant: string): readonly number[] {
  return Array.from({ length: shards }, (_, shard) => shard).filter((shard) =>
    tenantsInFile(shardDirectory(dataDirectory, shard), { withLog: true }).some((name) => name === tenant),
  );
}
