import assert from "node:assert/strict";
import type { ListMemoriesRequest, Memory } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";

export const listCases: BehaviourFile = {
  covers: ["memories.list", "maintenance.exportMemories"],
  cases: [
    {
      name: "list pages through everything, newest creation first, then by id",
      run: async ({ loci }) => {
        // Three share each time of creation.
        const inputs = Array.from({ length: 12 }, (_, index) => ({
          text: `Fact number ${index}.`,
          scope: scope as "user:alice",
          createdAt: 1_000 + Math.floor(index / 3),
        }));
        const stored = await loci.memories.rememberMany(inputs);
        const expected = stored.toSorted(
          (left, right) => right.createdAt - left.createdAt || (left.id < right.id ? -1 : 1),
        );
        const seen: Memory[] = [];
        let pageToken: string | undefined;
        do {
          const page = await loci.memories.list({ scopes: [scope], pageSize: 5, pageToken });
          assert.ok(page.memories.length <= 5);
          seen.push(...page.memories);
          pageToken = page.nextPageToken;
        } while (pageToken !== undefined);
        assert.deepEqual(seen, expected);
        const exact = await loci.memories.list({ scopes: [scope], pageSize: 12 });
        assert.equal(exact.nextPageToken, undefined);
      },
    },
    {
      name: "pages of large memories end by size, with the way to the next",
      run: async ({ loci, as }) => {
        // One long word each: it is their size that counts.
        const text = (index: number): string => `${index} ${"x".repeat(60_000)}`;
        const inputs = Array.from({ length: 40 }, (_, index) => ({ text: text(index), scope: scope as "user:alice" }));
        const stored = await loci.memories.rememberMany(inputs);
        const sizes: number[] = [];
        const seen: string[] = [];
        for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
          const page = await loci.memories.list({ scopes: [scope], pageSize: 1_000, pageToken });
          sizes.push(JSON.stringify(page.memories).length);
          seen.push(...page.memories.map(({ id }) => id));
          ({ nextPageToken: pageToken } = page);
        }
        assert.ok(sizes.length > 1 && sizes.every((bytes) => bytes < 2.2 * 2 ** 20), String(sizes));
        assert.deepEqual(seen.toSorted(), stored.map(({ id }) => id).toSorted());

        const admin = await as({ roles: ["admin"] });
        const lines: string[] = [];
        let after: string | undefined;
        do {
          const page = await admin.maintenance.exportMemories({ pageSize: 1_000, after });
          assert.ok(page.lines.join("").length < 2.2 * 2 ** 20);
          lines.push(...page.lines);
          after = page.next;
        } while (after !== undefined);
        assert.equal(lines.length, stored.length);
      },
    },
    {
      name: "list leaves out other scopes, other categories and what has expired",
      run: async ({ loci }) => {
        const now = 1_000_000;
        const [fact, , procedure, expiring] = await loci.memories.rememberMany([
          { text: "A fact.", scope, createdAt: 4 },
          { text: "Of someone else.", scope: "user:bob", createdAt: 3 },
          { text: "A procedure.", scope, category: "procedure", createdAt: 2 },
          { text: "Soon gone.", scope, expiresAt: now, createdAt: 1 },
        ]);
        const ids = async (request: Partial<ListMemoriesRequest>): Promise<readonly string[]> =>
          (await loci.memories.list({ scopes: [scope], evaluationTime: now, ...request })).memories.map(({ id }) => id);
        assert.deepEqual(await ids({}), [fact?.id, procedure?.id]);
        assert.deepEqual(await ids({ evaluationTime: now - 1 }), [fact?.id, procedure?.id, expiring?.id]);
        assert.deepEqual(await ids({ categories: ["procedure"] }), [procedure?.id]);
      },
    },
    {
      name: "list refuses bad input and foreign page tokens",
      run: async ({ loci }) => {
        await loci.memories.rememberMany([
          { text: "One.", scope },
          { text: "Two.", scope },
        ]);
        await refuses(loci.memories.list({ scopes: [] }), "SCOPE_REQUIRED", "scopes");
        await refuses(loci.memories.list({} as ListMemoriesRequest), "SCOPE_REQUIRED", "scopes");
        await refuses(loci.memories.list({ scopes: [scope], pageSize: 0 }), "INVALID_NUMBER", "pageSize");
        await refuses(loci.memories.list({ scopes: [scope], pageSize: 1_001 }), "INVALID_NUMBER", "pageSize");
        await refuses(loci.memories.list({ scopes: [scope], categories: [] }), "INVALID_CATEGORY", "categories");
        for (const pageToken of ["", "x", "W10", "bnVsbA", "../../etc/passwd"])
          await refuses(loci.memories.list({ scopes: [scope], pageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        const { nextPageToken } = await loci.memories.list({ scopes: [scope], pageSize: 1 });
        assert.ok(nextPageToken !== undefined);
        const otherScopes = { scopes: ["global"] as const, pageToken: nextPageToken };
        await refuses(loci.memories.list(otherScopes), "INVALID_PAGE_TOKEN", "pageToken");
      },
    },
  ],
};
