import { type Scope, type TenantId, tenantId } from "@loci/domain";
import { apply, expectFound, expectListed, expectRefusal, type IndexContext } from "./index-context.ts";
import { alice, bob, otherTenant, refNumber, sampleDelete, sampleRow, sampleRows, tenant } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

const lookAlikes: readonly string[] = [
  "a",
  "a_c",
  "abc",
  "A_C",
  "a%",
  "a%c",
  "a:b",
  "a:b:c",
  "b:c",
  "a/b",
  "a\\b",
  "..",
  "acme",
  "acme-corp",
  "acme-corp-2",
  "x' OR 1=1 --",
  '"',
  "`",
  "*",
  "global",
  "user:a",
  "__proto__",
  "constructor",
  "\u00E9",
  "e",
  "\u{1F600}",
];

/** Every scope that two careless people could take for one another. */
const scopes: readonly Scope[] = [
  // `*` alone is no id of a scope.
  ...lookAlikes.filter((name) => name !== "*").map((id): Scope => ({ kind: "user", id })),
  { kind: "agent", id: "a" },
  { kind: "session", id: "a" },
  { kind: "team", id: "a" },
  { kind: "project", id: "a" },
  { kind: "global" },
];

/** A search finds rows of its own tenant and scopes only, and never loses one to somebody else's. */
export const isolationCases: CaseFile<"search" | "apply", IndexContext> = {
  covers: ["apply", "search"],
  cases: [
    {
      method: "search",
      name: "keeps tenants with similar names apart, even when they use one ref",
      run: async (context) => {
        // The version tells whose row it is.
        for (const [index, name] of lookAlikes.entries())
          await apply(context, [sampleRow(1, { version: index + 1 })], { tenant: tenantId(name) });
        for (const [index, name] of lookAlikes.entries())
          await expectFound(context, { tenant: tenantId(name) }, [{ ref: refNumber(1), version: index + 1 }]);
        await expectFound(context, { tenant: tenantId("nobody") }, []);
      },
    },
    {
      method: "search",
      name: "keeps scopes with similar names apart",
      run: async (context) => {
        await apply(
          context,
          scopes.map((scope, index) => sampleRow(index + 1, { scope })),
        );
        for (const [index, scope] of scopes.entries())
          await expectFound(context, { scopes: [scope] }, [sampleRow(index + 1)]);
        await expectFound(context, { scopes: [{ kind: "user", id: "nobody" }] }, []);
      },
    },
    {
      method: "search",
      name: "does not join tenant and scope into one name",
      run: async (context) => {
        const [left, right] = [tenantId("a:b"), tenantId("a")];
        await apply(context, [sampleRow(1, { scope: { kind: "user", id: "c" } })], { tenant: left });
        await apply(context, [sampleRow(2, { scope: { kind: "user", id: "b:c" } })], { tenant: right });
        await expectFound(context, { tenant: left, scopes: [{ kind: "user", id: "c" }] }, [sampleRow(1)]);
        await expectFound(context, { tenant: right, scopes: [{ kind: "user", id: "b:c" }] }, [sampleRow(2)]);
        await expectFound(context, { tenant: left, scopes: [{ kind: "user", id: "b:c" }] }, []);
        await expectFound(context, { tenant: right, scopes: [{ kind: "user", id: "c" }] }, []);
      },
    },
    {
      method: "search",
      name: "searches several scopes at once, each row once",
      run: async (context) => {
        const rows = [sampleRow(1), sampleRow(2, { scope: bob }), sampleRow(3, { scope: { kind: "global" } })];
        await apply(context, rows);
        await expectFound(context, { scopes: [alice, bob] }, rows.slice(0, 2));
        await expectFound(context, { scopes: [alice, bob, alice, { kind: "global" }] }, rows);
      },
    },
    {
      method: "search",
      name: "gives a small tenant and a small scope their whole top k among thousands of other rows",
      run: async (context) => {
        await apply(context, sampleRows(3_000), { tenant: otherTenant });
        await apply(context, sampleRows(3_000, 1, { scope: bob }));
        const few = sampleRows(5, 5_001);
        await apply(context, few);
        await expectFound(context, { limit: 5 }, few);
        await expectFound(context, { limit: 50 }, few);
        await expectFound(context, { tenant: otherTenant, scopes: [bob], limit: 5 }, []);
      },
    },
    {
      method: "search",
      name: "refuses a missing tenant and missing scopes: never everything",
      run: async (context) => {
        await apply(context, [sampleRow(1)]);
        for (const missing of ["", 0] as unknown as TenantId[])
          await expectRefusal(() => context.find({ tenant: missing }), "INVALID_REQUEST");
        for (const missing of [[], 0, "user:alice"] as unknown as Scope[][])
          await expectRefusal(() => context.find({ tenant, scopes: missing }), "SCOPE_REQUIRED");
        await expectRefusal(
          () => context.find({ scopes: [{ kind: "*", id: "a" } as unknown as Scope] }),
          "INVALID_SCOPE",
        );
        await expectRefusal(() => context.find({ scopes: [{ kind: "user", id: "" }] }), "INVALID_IDENTIFIER");
      },
    },
    {
      method: "apply",
      name: "leaves other tenants alone",
      run: async (context) => {
        for (const who of [tenant, otherTenant]) await apply(context, sampleRows(3), { tenant: who });
        await apply(context, [sampleDelete(1, 2), sampleRow(2, { version: 2 })]);
        await expectFound(context, {}, [sampleRow(2, { version: 2 }), sampleRow(3)]);
        await expectFound(context, { tenant: otherTenant }, sampleRows(3));
        await expectListed(context, otherTenant, sampleRows(3));
      },
    },
  ],
};
