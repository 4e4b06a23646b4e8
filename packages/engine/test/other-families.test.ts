import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openMemoryTextIndex } from "@loci/store-memory";
import { expect, test, vi } from "vitest";
import { indexProjection } from "../src/projections/index-projection.ts";
import { ProjectionDrainer } from "../src/projections/projection-drainer.ts";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const { tenant } = everything;
const question = { query: "theme", scopes: [scope] } as const;

/** Appends entries of a family that the engine knows nothing of, as a session that is much talked in would. */
function plantTurns({ directory }: TestEngine, count: number): void {
  const database = new DatabaseSync(join(directory, "ledger.sqlite"), { timeout: 5_000 });
  database.exec(`BEGIN IMMEDIATE;
    WITH RECURSIVE turns (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM turns WHERE number < ${count})
    INSERT INTO changes (tenant, sequence, recorded_at, family, type, ref, version, content_hash, record)
      SELECT t.id, t.head + number, t.recorded_at, 'sessions', 'turnAppended', 'turn ' || (t.head + number), 1, '', '{}'
        FROM tenants AS t, turns WHERE t.name = '${tenant}';
    UPDATE tenants SET head = head + ${count} WHERE name = '${tenant}';
    COMMIT`);
  database.close();
}

test("much that happens elsewhere is not waited for, not read and not applied", async () => {
  const textIndex = openMemoryTextIndex();
  await using opened = await TestEngine.open({ textIndex });
  const { loci, ledger } = opened;
  await loci.memories.remember({ text: "The theme is Solarized.", scope });
  await loci.settled();
  const apply = vi.spyOn(textIndex, "apply");
  const read = vi.spyOn(ledger, "changes");
  const entriesRead = async (): Promise<number> => {
    const pages = await Promise.all(read.mock.results.map(({ value }) => value as ReturnType<typeof ledger.changes>));
    return pages.reduce((sum, page) => sum + page.length, 0);
  };
  plantTurns(opened, 5_000);
  expect((await loci.recall(question)).degraded).toEqual([]);
  // Nobody is kept waiting for an index that nothing has to be applied to.
  await loci.settled();
  expect(apply).not.toHaveBeenCalled();
  expect(await entriesRead()).toBe(0);

  await opened.engine.drainers.pause();
  await loci.memories.remember({ text: "The theme is Gruvbox.", scope });
  plantTurns(opened, 5_000);
  await loci.memories.remember({ text: "Lunch is at noon.", scope });
  const { hits, degraded } = await loci.recall(question);
  expect(hits.length).toBe(2);
  expect(degraded).toEqual([]);
  expect(await entriesRead()).toBe(2);

  opened.engine.drainers.resume();
  await loci.settled();
  expect(await textIndex.checkpoint(tenant)).toBe(10_003);
  plantTurns(opened, 100);
  await loci.memories.remember({ text: "The theme was Nord once.", scope });
  plantTurns(opened, 100);
  await loci.settled();
  expect((await loci.recall(question)).hits.length).toBe(3);
});

test("an index passes over what is not its own together with what it applies, and for nothing else", async () => {
  await using opened = await TestEngine.open();
  const { loci, ledger } = opened;
  const index = openMemoryTextIndex();
  const reportProblem = vi.fn();
  const drainer = new ProjectionDrainer({
    ledger,
    projection: indexProjection({
      ledger,
      name: "own",
      label: "text",
      index,
      makeChanges: async () => [],
      isDurable: false,
      count: async () => 0,
    }),
    reportProblem,
  });
  await loci.memories.remember({ text: "The theme is Solarized.", scope });
  plantTurns(opened, 300);
  drainer.wake(tenant, { head: await ledger.head(tenant) });
  await expect.poll(() => index.checkpoint(tenant)).toBe(301);
  plantTurns(opened, 300);
  await drainer.reach(tenant, await ledger.head(tenant), AbortSignal.timeout(30_000));
  drainer.wake(tenant, { head: await ledger.head(tenant) });
  await drainer.close();
  expect(await index.checkpoint(tenant)).toBe(301);
  expect(reportProblem).not.toHaveBeenCalled();
});

test("an index that is built anew reads past what is not its own", async () => {
  await using opened = await TestEngine.open();
  plantTurns(opened, 0);
  await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  plantTurns(opened, 1_000);
  await opened.loci.memories.remember({ text: "The theme is Gruvbox.", scope });
  plantTurns(opened, 1_000);
  await opened.reopen();
  await opened.loci.settled();
  expect(await opened.textIndex.checkpoint(tenant)).toBeGreaterThanOrEqual(1_002);
  expect((await opened.loci.recall(question)).hits.length).toBe(2);
  await expect.poll(() => opened.ledger.pending("text:memory", { families: ["memories"] })).toEqual([]);
});
