import assert from "node:assert/strict";
import { type Role, tenantId } from "@loci/domain";
import type { BehaviourFile } from "./behaviour-case.ts";

export const statusCases: BehaviourFile = {
  covers: ["caller"],
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
  ],
};
