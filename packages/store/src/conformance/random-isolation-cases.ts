import { ok } from "node:assert/strict";
import { type Filter, type Scope, type TenantId, tenantId } from "@loci/domain";
import fc from "fast-check";
import { apply, expectFound, type IndexContext } from "./index-context.ts";
import { sampleRow } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

/** More in the nightly run. */
const attempts = Number(process.env["LOCI_STORE_ATTEMPTS"] ?? 60);

const tenants: readonly TenantId[] = ["acme", "acme-corp", "ACME", "a%", "a_c", "abc", "x' OR 1=1 --"].map(tenantId);
const scopes: readonly Scope[] = [
  { kind: "user", id: "a" },
  { kind: "user", id: "A" },
  { kind: "user", id: "a%" },
  { kind: "user", id: "a:b" },
  { kind: "team", id: "a" },
  { kind: "global" },
];

/** Which row stands where: its number tells its tenant and its scope. */
const rowNumber = (tenant: number, scope: number): number => 1 + tenant * scopes.length + scope;

/** Filters that a builder which joins texts, or forgets its brackets, would let reach beyond tenant and scopes. */
function wideFilters({ filterOperators }: IndexContext): readonly (Filter | undefined)[] {
  const [operator] = filterOperators.filter((known) => known === "equals" || known === "notEquals");
  if (operator === undefined) return [undefined];
  const all: Filter = { field: "category", operator, value: operator === "equals" ? "fact" : "none" };
  const hostile: Filter = { field: "category", operator: "equals", value: "x' OR 1=1 --" };
  return [
    undefined,
    all,
    { or: [all, { not: all }] },
    ...(operator === "equals" ? [{ or: [hostile, all] }, { not: hostile }] : []),
  ];
}

/** Whoever asks for whatever gets the rows of that tenant in those scopes: all of them and no other. */
export const randomIsolationCases: CaseFile<"search", IndexContext> = {
  covers: ["search"],
  cases: [
    {
      method: "search",
      name: `reaches no other tenant or scope in ${attempts} random attempts`,
      run: async (context) => {
        for (const [index, tenant] of tenants.entries())
          await apply(
            context,
            scopes.map((scope, place) =>
              sampleRow(rowNumber(index, place), { scope, fields: { category: "fact", tags: ["canary"] } }),
            ),
            { tenant },
          );
        const places = scopes.map((_, place) => place);
        const request = fc.record({
          tenant: fc.nat({ max: tenants.length - 1 }),
          scopes: fc.uniqueArray(fc.constantFrom(...places), { minLength: 1 }),
          where: fc.constantFrom(...wideFilters(context)),
        });
        let made = 0;
        const property = fc.asyncProperty(request, async ({ tenant, scopes: asked, where }) => {
          made++;
          const own = asked.map((place) => sampleRow(rowNumber(tenant, place)));
          const wanted = asked.flatMap((place) => scopes[place] ?? []);
          const [who] = tenants.slice(tenant);
          await expectFound(context, { ...(who && { tenant: who }), scopes: wanted, ...(where && { where }) }, own);
        });
        await fc.assert(property, { seed: 1, numRuns: attempts });
        ok(made >= attempts);
      },
    },
  ],
};
