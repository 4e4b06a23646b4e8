import { deepEqual, equal, ok } from "node:assert/strict";
import { globalScope, type NonEmpty, type Ref, type Scope, type TenantId } from "@loci/domain";
import type { StoredMemory } from "../index.ts";
import { type LedgerCaseFile, type LedgerContext, authorOf, refsOf } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory, written } from "./samples.ts";

async function scanned({ ledger, tenant }: LedgerContext, limit: number, scopes?: NonEmpty<Scope>): Promise<Ref[]> {
  const found: StoredMemory[] = [];
  for (;;) {
    const page = await ledger.scan(tenant, { after: found.at(-1)?.memory.id, limit, scopes });
    found.push(...page);
    if (page.length < limit) return [...refsOf(found)];
  }
}

/** Reading everything a tenant has, in a fixed order. */
export const scanCases: LedgerCaseFile = {
  covers: ["count", "scan", "tenants"],
  cases: [
    {
      method: "scan",
      name: "gives the current version of each memory in every state, by ref, as `memories` does",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(3), sampleMemory(1), sampleMemory(2, { state: "quarantined" }));
        await context.remember(sampleMemory(4), sampleMemory(1, { version: 2, text: "edited" }));
        await context.commit([removed(refNumber(4), 2)]);
        await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: 5 }]);
        const refs = [1, 2, 3, 4].map(refNumber);
        const current = await ledger.memories(tenant, refs);
        const found = await ledger.scan(tenant, { limit: 10 });
        deepEqual(
          found,
          refs.map((ref) => current.get(ref)),
        );
        deepEqual(
          found.map(({ memory }) => memory.state),
          ["active", "quarantined", "active", "deleted"],
        );
        deepEqual(await ledger.scan(tenant, { limit: 10, after: refNumber(4) }), []);
        deepEqual(await ledger.scan(`${tenant} ` as TenantId, { limit: 10 }), []);
      },
    },
    {
      method: "scan",
      name: "pages without loss or repetition, also in one scope of several",
      run: async (context) => {
        const alice: Scope = { kind: "user", id: "alice" };
        const memories = Array.from({ length: 1_500 }, (_, index) =>
          sampleMemory(1_500 - index, { scope: index % 7 === 0 ? globalScope : alice }),
        );
        await context.remember(...memories);
        const sorted = memories.toSorted((left, right) => (left.id < right.id ? -1 : 1));
        const all = sorted.map(({ id }) => id);
        const global = sorted.filter(({ scope }) => scope.kind === "global").map(({ id }) => id);
        for (const limit of [70, 256, 2_000]) {
          deepEqual(await scanned(context, limit), all);
          deepEqual(await scanned(context, limit, [globalScope]), global);
          deepEqual(await scanned(context, limit, [globalScope, alice]), all);
        }
        deepEqual(await scanned(context, 9, [{ kind: "user", id: "alic" }]), []);
      },
    },
    {
      method: "count",
      name: "counts every memory once, tombstones included",
      run: async (context) => {
        const { ledger, tenant } = context;
        equal(await ledger.count(tenant), 0);
        await context.remember(sampleMemory(1), sampleMemory(2));
        await context.remember(sampleMemory(1, { version: 2 }));
        await context.commit([removed(refNumber(2), 2)]);
        equal(await ledger.count(tenant), 2);
      },
    },
    {
      method: "tenants",
      name: "names each tenant that has a change, in order",
      run: async (context) => {
        const { ledger, tenant } = context;
        const names = ["b", "a", "A", "é"].map((name) => `${tenant} ${name}` as TenantId);
        for (const name of names) await context.commit([written(sampleMemory(1))], { ...authorOf(name) });
        await ledger.lease(`${tenant} none` as TenantId, "of a tenant without a change");
        const found = await ledger.tenants();
        deepEqual(
          found.filter((name) => name.startsWith(`${tenant} `)),
          names.toSorted((left, right) => (left < right ? -1 : 1)),
        );
        ok(found.every((name, index) => index === 0 || (found[index - 1] as string) < name));
        const pages: TenantId[] = [];
        for (let page = found.slice(0, 0); ; pages.push(...page)) {
          page = [...(await ledger.tenants({ after: pages.at(-1), limit: 2 }))];
          ok(page.length <= 2);
          if (page.length === 0) break;
        }
        deepEqual(pages, found);
      },
    },
  ],
};
