import { formatScope, type ScopeText, tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const tenants = ["acme", "acme-corp", "a", "a:b", "ACME", "a%"].map(tenantId);
const scopes: readonly ScopeText[] = ["user:a", "user:a:b", "user:A", "team:a", "session:a_c", "session:abc", "global"];

test("nobody ever sees what lies outside tenant and scopes", async () => {
  await using opened = await TestEngine.open();
  const write = fc.record({ tenant: fc.constantFrom(...tenants), scope: fc.constantFrom(...scopes) });
  const read = fc.record({
    tenant: fc.constantFrom(...tenants),
    patterns: fc.uniqueArray(fc.constantFrom(...scopes, "user:*", "*"), { maxLength: 3 }),
    scopes: fc.uniqueArray(fc.constantFrom(...scopes), { minLength: 1, maxLength: 4 }),
  });
  let number = 0;
  const property = fc.asyncProperty(
    fc.array(write, { maxLength: 6 }),
    fc.array(read, { maxLength: 6 }),
    async (writes, reads) => {
      for (const { tenant, scope } of writes)
        await opened
          .as({ tenant })
          .memories.remember({ text: `secret of ${tenant} in ${scope}`, scope, slot: `s${++number}` });
      for (const { tenant, patterns, scopes: asked } of reads) {
        const loci = opened.as({ tenant, scopePatterns: patterns });
        const isPermitted = (scope: string): boolean =>
          patterns.includes("*") ||
          patterns.includes(scope as ScopeText) ||
          (scope.startsWith("user:") && patterns.includes("user:*"));
        const recalling = loci.recall({
          query: "secret",
          scopes: asked,
          fallback: "recent",
          limit: 100,
          maxTokens: 100_000,
        });
        const listing = loci.memories.list({ scopes: asked, pageSize: 1_000 });
        const [recalled, listed] = await Promise.allSettled([recalling, listing]);
        const expected = asked.every(isPermitted) ? "fulfilled" : "rejected";
        expect([recalled.status, listed.status]).toEqual([expected, expected]);
        const seen = [
          ...(recalled.status === "fulfilled" ? recalled.value.hits.map(({ memory }) => memory) : []),
          ...(listed.status === "fulfilled" ? listed.value.memories : []),
        ];
        for (const memory of seen) {
          expect(memory.text.startsWith(`secret of ${tenant} in `)).toBe(true);
          expect(asked).toContain(formatScope(memory.scope));
        }
      }
    },
  );
  await fc.assert(property, { seed: 7, numRuns: 40 });
});
