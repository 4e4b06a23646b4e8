import { deepEqual } from "node:assert/strict";
import { globalScope, type Scope, type TenantId } from "@loci/domain";
import fc from "fast-check";
import type { ListQuery } from "../index.ts";
import { type LedgerCaseFile, authorOf, refsOf } from "./ledger-context.ts";
import { beginning, refNumber, sampleMemory, written } from "./samples.ts";

/** More in the nightly run. */
const attempts = Number(process.env["LOCI_LEDGER_ATTEMPTS"] ?? 20);

const names = ["acme", "acme-corp", "ACME", "a%", "a_c", "abc", "x' OR 1=1 --"] as const;
const scopes: readonly Scope[] = [
  { kind: "user", id: "a" },
  { kind: "user", id: "A" },
  { kind: "user", id: "a%" },
  { kind: "user", id: "a:b" },
  { kind: "team", id: "a" },
  globalScope,
];
const places = scopes.map((_, place) => place);

/** Which memory stands where: its number tells its tenant and its scope. */
const memoryNumber = (tenant: number, place: number): number => 1 + tenant * scopes.length + place;
const everyRef = names.flatMap((_, tenant) => places.map((place) => refNumber(memoryNumber(tenant, place))));

/** Whoever reads whatever gets what is of that tenant and in those scopes: all of it and nothing else. */
export const randomIsolationCases: LedgerCaseFile = {
  covers: ["list"],
  cases: [
    {
      method: "list",
      name: `and every other read reach no other tenant or scope in ${attempts} random attempts`,
      run: async (context) => {
        const { ledger } = context;
        const tenants = names.map((name) => `${context.tenant}${name}` as TenantId);
        for (const [index, tenant] of tenants.entries())
          await context.commit(
            scopes.map((scope, place) => written(sampleMemory(memoryNumber(index, place), { scope, tags: ["tag"] }))),
            { ...authorOf(tenant) },
          );
        const attempt = fc.record({
          index: fc.nat({ max: names.length - 1 }),
          asked: fc.uniqueArray(fc.constantFrom(...places), { minLength: 1 }),
          target: fc.constantFrom(...everyRef),
        });
        const property = fc.asyncProperty(attempt, async ({ index, asked, target }) => {
          const [tenant = context.tenant] = tenants.slice(index);
          const [first, ...others] = asked.flatMap((place) => scopes[place] ?? []);
          const query: ListQuery = { scopes: [first ?? globalScope, ...others], evaluationTime: beginning, limit: 100 };
          const own = asked.map((place) => refNumber(memoryNumber(index, place))).toSorted();
          for (const found of [
            await ledger.list(tenant, query),
            await ledger.byTags(tenant, { ...query, tags: ["tag"] }),
            await ledger.asKnownAt(tenant, { ...query, knownAt: beginning }),
          ])
            deepEqual(refsOf(found).toSorted(), own);
          const all = places.map((place) => refNumber(memoryNumber(index, place)));
          deepEqual([...(await ledger.memories(tenant, everyRef)).keys()].toSorted(), all);
          deepEqual(refsOf(await ledger.versions(tenant, target)), all.includes(target) ? [target] : []);
        });
        await fc.assert(property, { seed: 1, numRuns: attempts });
      },
    },
  ],
};
