import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { type Loci, type LociStatus, type Role, tenantId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

export const statusCases: BehaviourFile = {
  covers: ["caller", "status"],
  cases: [
    {
      name: "every caller is told whom it is taken for, and by whom",
      run: async ({ as }) => {
        for (const principal of [
          { roles: ["read", "write"] as Role[], scopePatterns: ["*"] },
          { roles: ["write"] as Role[], scopePatterns: ["user:alice", "project:*"] },
          { roles: ["operate"] as Role[], scopePatterns: ["global"], tenant: tenantId("acme-corp") },
        ]) {
          const loci = await as(principal);
          const { version, services, subject, tenant, ...rights } = await loci.caller();
          assert.deepEqual(rights, { roles: principal.roles, scopePatterns: principal.scopePatterns });
          // Each case may have its tenants under names of its own.
          assert.ok(tenant.endsWith(principal.tenant ?? "acme"));
          assert.notEqual(subject, "");
          assert.match(version, /^\d+\.\d+\.\d+$/);
          assert.ok(services.includes("loci.v1.MemoryService") && services.includes("loci.v1.StatusService"));
          assert.deepEqual(services, services.toSorted());
        }
      },
    },
    {
      name: "the status tells what the tenant has, and how far all that follows its log has come",
      run: async ({ loci, as }) => {
        const empty = await loci.status();
        const { sequence } = empty.ledger;
        assert.deepEqual([empty.ledger.memories, empty.ledger.kept, empty.ledger.scopes], [0, 0, 0]);
        const [one] = await loci.memories.rememberMany([
          { text: "The theme is Solarized.", scope: "global" },
          { text: "The theme is Nord.", scope: "user:bob" },
          { text: "Lunch is at noon.", scope: "user:bob" },
        ]);
        assert.ok(one);
        await loci.memories.forget(one.id);
        await loci.settled();
        const { ledger, projections, jobs } = await loci.status();
        assert.deepEqual([ledger.memories, ledger.kept, ledger.scopes], [2, 3, 1]);
        assert.equal(ledger.sequence, sequence + 4);
        assert.ok((ledger.recordedAt ?? 0) >= one.recordedAt);
        const names = projections.map(({ name }) => name);
        assert.ok(names.includes("vectors") && names.includes("text"));
        for (const { behind, oldest, failure, ratePerSecond } of projections) {
          assert.deepEqual([behind, oldest, failure], [0, undefined, undefined]);
          assert.ok(ratePerSecond >= 0);
        }
        assert.deepEqual(jobs, []);
        const other = await as({ tenant: tenantId("acme-corp") });
        assert.deepEqual((await other.status()).ledger, { sequence: 0, memories: 0, kept: 0, scopes: 0 });
      },
    },
    {
      name: "the status has nothing of work that has succeeded, and tells nothing of other tenants without the role operate",
      run: async ({ loci, as }) => {
        await loci.sessions.create({ scope: "global", id: "s" });
        const turns = [{ role: "user", content: "I moved to Oslo." }] as const;
        await loci.sessions.append({ scope: "global", id: "s" }, { turns, expectedLast: 0 });
        const { id } = await loci.captures.start({ session: { scope: "global", id: "s" } });
        await loci.captures.wait(id);
        const { ledger, embeddingCache } = await statusWithoutJobs(loci);
        assert.deepEqual([ledger.bytes, embeddingCache], [undefined, undefined]);
        const operator = await as({ roles: ["read", "operate"] });
        assert.ok(((await operator.status()).ledger.bytes ?? 0) > 0);
      },
    },
    {
      name: "the status is for who may read everything",
      run: async ({ as }) => {
        await refuses((await as({ scopePatterns: ["user:*"] })).status(), "SCOPE_NOT_PERMITTED");
        await refuses((await as({ roles: ["write"] })).status(), "ROLE_REQUIRED");
      },
    },
  ],
};

/** A job ends in a commit of its own, a moment after what it made can be read. */
async function statusWithoutJobs(loci: Pick<Loci, "status">): Promise<LociStatus> {
  const end = Date.now() + 10_000;
  for (;;) {
    const status = await loci.status();
    if (status.jobs.length === 0) return status;
    assert.ok(Date.now() < end, `still at work: ${JSON.stringify(status.jobs)}`);
    await setTimeout(20);
  }
}
