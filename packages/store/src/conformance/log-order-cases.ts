import { equal } from "node:assert/strict";
import type { Sequence, TenantId } from "@loci/domain";
import { apply, eventually, expectFound, expectListed, expectRefusal, type IndexContext } from "./index-context.ts";
import { bob, otherTenant, refNumber, sampleDelete, sampleRow, sampleRows, tenant } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

/** Changes take effect in the order of their versions, whatever is repeated or comes late. */
export const logOrderCases: CaseFile<"apply" | "checkpoint" | "refs" | "search", IndexContext> = {
  covers: ["apply", "checkpoint", "refs"],
  cases: [
    {
      method: "apply",
      name: "replaces a row by its newer version, fields and scope included",
      run: async (context) => {
        await apply(context, [sampleRow(1, { fields: { category: "fact" } }), sampleRow(2)]);
        await apply(context, [sampleRow(1, { version: 2, fields: { category: "note" }, scope: bob })]);
        await expectFound(context, {}, [sampleRow(2)]);
        await expectFound(context, { scopes: [bob] }, [sampleRow(1, { version: 2 })]);
        if (!context.filterOperators.includes("equals")) return;
        const having = (value: string) => ({
          scopes: [bob],
          where: { field: "category", operator: "equals", value } as const,
        });
        await expectFound(context, having("note"), [sampleRow(1, { version: 2 })]);
        await expectFound(context, having("fact"), []);
      },
    },
    {
      method: "apply",
      name: "never replaces a row by an older version",
      run: async (context) => {
        await apply(context, [sampleRow(1, { version: 2 })]);
        await apply(context, [sampleRow(1, { scope: bob })]);
        await apply(context, [sampleRow(2, { version: 3 }), sampleRow(2)]);
        await expectFound(context, {}, [sampleRow(1, { version: 2 }), sampleRow(2, { version: 3 })]);
        await expectFound(context, { scopes: [bob] }, []);
      },
    },
    {
      method: "apply",
      name: "replaces a row by the same version, as when its vector comes later",
      run: async (context) => {
        await apply(context, [sampleRow(1, { scope: bob })]);
        await apply(context, [sampleRow(1)]);
        await expectFound(context, {}, [sampleRow(1)]);
        await expectFound(context, { scopes: [bob] }, []);
      },
    },
    {
      method: "apply",
      name: "deletes a row, but not a version that came after",
      run: async (context) => {
        await apply(context, [...sampleRows(3), sampleRow(2, { version: 4 })]);
        await apply(context, [sampleDelete(1, 2), sampleDelete(2, 3), sampleDelete(9, 1)]);
        await expectFound(context, {}, [sampleRow(2, { version: 4 }), sampleRow(3)]);
      },
    },
    {
      method: "apply",
      name: "does not bring back what was deleted, until a newer version does",
      run: async (context) => {
        await apply(context, [sampleRow(1), sampleDelete(1, 4), sampleDelete(2, 2)]);
        await apply(context, [sampleRow(1), sampleRow(2), sampleDelete(1, 2)]);
        await apply(context, [sampleRow(1, { version: 3 })]);
        await apply(context, [sampleRow(1, { version: 4 }), sampleRow(2, { version: 2 })]);
        await expectFound(context, {}, []);
        await expectListed(context, tenant, []);
        await apply(context, [sampleRow(1, { version: 5 })]);
        await expectFound(context, {}, [sampleRow(1, { version: 5 })]);
      },
    },
    {
      method: "apply",
      name: "changes nothing when applied again",
      run: async (context) => {
        const changes = [
          ...sampleRows(3),
          sampleRow(1, { version: 2 }),
          sampleDelete(2, 2),
          sampleRow(3, { scope: bob }),
        ];
        await apply(context, changes, { through: 6 });
        // Again at the same place, as after a lost acknowledgement, and further on, as when a batch overlaps another.
        await context.projection.apply(tenant, changes, 6);
        for (const through of [7, 8]) {
          await apply(context, through === 7 ? [] : changes, { through });
          await expectFound(context, {}, [sampleRow(1, { version: 2 })]);
          await expectFound(context, { scopes: [bob] }, [sampleRow(3)]);
          await expectListed(context, tenant, [sampleRow(1, { version: 2 }), sampleRow(3)]);
        }
      },
    },
    {
      method: "apply",
      name: "brings everything once more after a reset, which touches no other tenant",
      run: async (context) => {
        const { projection } = context;
        await apply(context, [...sampleRows(30), sampleDelete(2, 5)], { through: 40 });
        await apply(context, sampleRows(3), { tenant: otherTenant });
        if (projection.reset === undefined) return;
        await projection.reset(tenant);
        await expectCheckpoint(context, tenant, 0);
        await expectFound(context, {}, []);
        await expectListed(context, tenant, []);
        equal(await context.count(tenant), 0);
        await expectFound(context, { tenant: otherTenant }, sampleRows(3));
        // Versions that were deleted before are known no more.
        await apply(context, sampleRows(12), { through: 7 });
        await expectFound(context, {}, sampleRows(12));
        await expectListed(context, tenant, sampleRows(12));
        equal(await context.count(tenant), 12);
        const again = await context.openAgain?.();
        if (again !== undefined) {
          await expectCheckpoint(again, tenant, 7);
          await expectFound(again, {}, sampleRows(12));
        }
        const { projection: open } = again ?? context;
        await open.reset?.(tenant);
        await open.reset?.(tenant);
        await expectRefusal(async () => open.reset?.("" as TenantId), "INVALID_REQUEST");
      },
    },
    {
      method: "apply",
      name: "ignores a drainer that is behind",
      run: async (context) => {
        await apply(context, [sampleRow(1)], { through: 10 });
        await context.projection.apply(tenant, [sampleRow(1, { scope: bob }), sampleRow(2)], 9);
        await apply(context, [], { through: 11 });
        await expectFound(context, {}, [sampleRow(1)]);
        await expectFound(context, { scopes: [bob] }, []);
      },
    },
    {
      method: "apply",
      name: "applies all changes or none",
      run: async (context) => {
        await apply(context, [sampleRow(1)], { through: 1 });
        for (const bad of [sampleRow(3, { version: 0 }), sampleRow(3, { version: Number.NaN }), sampleDelete(3, 0.5)])
          await expectRefusal(() => context.projection.apply(tenant, [sampleRow(2), bad], 3), "INVALID_REQUEST");
        const nameless = sampleRow(3, { scope: { kind: "user", id: "" } });
        await expectRefusal(() => context.projection.apply(tenant, [sampleRow(2), nameless], 3), "INVALID_IDENTIFIER");
        for (const through of [-1, 1.5, Number.NaN] as Sequence[])
          await expectRefusal(() => context.projection.apply(tenant, [sampleRow(2)], through), "INVALID_REQUEST");
        await expectRefusal(() => context.projection.apply("" as TenantId, [sampleRow(2)], 3), "INVALID_REQUEST");
        await expectCheckpoint(context, tenant, 1);
        await expectFound(context, {}, [sampleRow(1)]);
      },
    },
    {
      method: "checkpoint",
      name: "begins at 0, follows apply, never goes back, and is each tenant's own",
      run: async (context) => {
        await expectCheckpoint(context, tenant, 0);
        await apply(context, [sampleRow(1)], { through: 7 });
        await expectCheckpoint(context, tenant, 7);
        await context.projection.apply(tenant, [], 3);
        await expectCheckpoint(context, tenant, 7);
        await apply(context, [], { through: 12 });
        await expectCheckpoint(context, tenant, 12);
        await expectCheckpoint(context, otherTenant, 0);
        await expectRefusal(() => context.projection.checkpoint("" as TenantId), "INVALID_REQUEST");
      },
    },
    {
      method: "checkpoint",
      name: "promises what search then shows",
      run: async (context) => {
        for (let number = 1; number <= 20; number++) {
          await context.projection.apply(tenant, [sampleRow(number)], number);
          await eventually(context, async () => equal(await context.projection.checkpoint(tenant), number));
          // Asked once: from here on there is nothing left to wait for.
          equal((await context.find({})).length, number);
        }
      },
    },
    {
      method: "refs",
      name: "lists the live rows of one tenant, each once",
      run: async (context) => {
        await expectListed(context, tenant, []);
        await apply(context, [sampleRow(1)], { tenant: otherTenant });
        await apply(context, sampleRows(300));
        await apply(context, [sampleDelete(5, 2), sampleRow(6, { version: 9, vectors: [], terms: new Map() })]);
        const expected = sampleRows(300).filter(({ ref }) => ref !== refNumber(5) && ref !== refNumber(6));
        await expectListed(context, tenant, [...expected, sampleRow(6, { version: 9 })]);
        await expectRefusal(async () => {
          for await (const row of context.projection.refs("" as TenantId)) equal(row, undefined);
        }, "INVALID_REQUEST");
      },
    },
  ],
};

async function expectCheckpoint(context: IndexContext, who: TenantId, expected: Sequence): Promise<void> {
  await eventually(context, async () => equal(await context.projection.checkpoint(who), expected));
}
