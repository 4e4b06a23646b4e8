import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IndexKind, indexKinds, openEngine, type Principal, roles, tenantId } from "@loci/loci";
import { expect, test } from "vitest";

const admin: Principal = { tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] };
const notesOfEach = 24;

test.each<IndexKind>(indexKinds)(
  "every job of maintenance beside writes and recalls: indexes in %s agree with the ledger, and everything is found",
  async (index) => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "loci-upkeep-"));
    const problems: unknown[] = [];
    const engine = await openEngine({ dataDirectory, index, reportProblem: (problem) => problems.push(problem) });
    const loci = engine.for(admin);
    const kept = new Set<string>();
    const write = async (name: string): Promise<void> => {
      for (let number = 0; number < notesOfEach; number++) {
        const text = `Note ${number} of ${name} about tea`;
        const { id, etag } = await loci.memories.remember({ text, scope: `user:${name}` });
        if (number % 3 === 0) await loci.memories.update(id, { text: `${text}, at noon` }, { etag });
        if (number % 4 === 1) await loci.memories.forget(id);
        else kept.add(id);
        await loci.memories.remember({ text: `Of no use ${number}`, scope: "user:gone" });
        const { hits } = await loci.recall({ query: "tea", scopes: ["user:alice", "user:bob"], limit: 20 });
        expect(new Set(hits.map(({ memory }) => memory.id)).size).toBe(hits.length);
      }
    };
    const load = { isWriting: true };
    const writing = Promise.all([write("alice"), write("bob")]).finally(() => (load.isWriting = false));
    const maintain = async (): Promise<void> => {
      const { maintenance } = loci;
      for (let round = 0; load.isWriting; round++)
        await Promise.all([
          maintenance.erase({ user: "gone" }),
          maintenance.compact(),
          maintenance.verify({ repair: round % 2 === 1 }),
          maintenance.expire(),
          maintenance.prune({ dormantDays: 1 }),
          maintenance.reweigh(),
        ]);
    };
    await Promise.all([writing, maintain()]);
    expect((await loci.maintenance.erase({ user: "gone" })).counts["foreign"]).toBe(0);
    const { findings, counts } = await loci.maintenance.verify();
    expect(findings).toEqual([]);
    expect(counts["rows"]).toBe(2 * kept.size);
    await engine.close();
    expect(problems).toEqual([]);
    await rm(dataDirectory, { recursive: true, force: true });
  },
  120_000,
);
