import assert from "node:assert/strict";
import { type ListMemoriesRequest, type Loci, type Memory, type MemoryState, memoryStates } from "@loci/domain";
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
      name: "list gives what was true at a time, and all of it without one",
      run: async ({ loci }) => {
        const from = Date.UTC(2026, 3, 1);
        const [always, until, since, replaced, unknown] = await loci.memories.rememberMany([
          { text: "Ann was born in Bergen.", scope, createdAt: 5 },
          { text: "Ann lives in Oslo.", scope, validTo: from, createdAt: 4 },
          { text: "Ann lives in Turku.", scope, validFrom: from, createdAt: 3 },
          { text: "The office is in Oslo.", scope, validTo: from, createdAt: 2 },
          { text: "The boss is called Kim.", scope, createdAt: 1 },
        ]);
        assert.ok(always && until && since && replaced && unknown);
        const by = { supersededBy: always.id };
        for (const { id, etag } of [replaced, unknown]) await loci.memories.update(id, by, { etag });
        const ids = async (validAt?: number, pageSize?: number): Promise<readonly string[]> =>
          (await loci.memories.list({ scopes: [scope], validAt, pageSize })).memories.map(({ id }) => id);
        assert.deepEqual(
          await ids(),
          [always, until, since, replaced, unknown].map(({ id }) => id),
        );
        assert.deepEqual(await ids(from), [always.id, since.id]);
        assert.deepEqual(await ids(from - 1), [always.id, until.id, replaced.id]);
        // A page is filled, whatever it passes over.
        assert.deepEqual(await ids(from, 2), [always.id, since.id]);
        const recalled = await loci.recall({ query: "Where does Ann live?", scopes: [scope], validAt: from - 1 });
        assert.ok(recalled.hits.some(({ memory }) => memory.id === until.id));
        assert.ok(recalled.hits.every(({ memory }) => memory.id !== since.id));
      },
    },
    {
      name: "list gives what was forgotten and what waits for approval to whoever asks for it and may see it",
      run: async ({ loci, as }) => {
        const [active, gone] = await loci.memories.rememberMany([
          { text: "The theme is Solarized.", scope },
          { text: "The theme is Nord.", scope },
        ]);
        assert.ok(active && gone);
        await loci.memories.forget(gone.id);
        const lesson = {
          scope,
          failure: "The deploy failed on a Friday.",
          lesson: "Deploy on weekdays only.",
        } as const;
        const [waiting, rejected] = [
          await loci.captures.recordPostMortem(lesson),
          await loci.captures.recordPostMortem({ ...lesson, lesson: "Never deploy on the last day of a month." }),
        ];
        const approver = await as({ roles: ["read", "approve"] });
        const { reviews } = await approver.captures.reviews.list({ scopes: [scope] });
        const review = reviews.find(({ memory }) => memory.id === rejected.id);
        assert.ok(review);
        await approver.captures.reviews.decide(review.id, "reject");

        const ids = async (who: Loci, ...states: readonly MemoryState[]): Promise<readonly string[]> =>
          (await who.memories.list({ scopes: [scope], states })).memories.map(({ id }) => id).toSorted();
        assert.deepEqual(await ids(loci, "active"), [active.id]);
        assert.deepEqual(await ids(loci, "deleted"), [gone.id]);
        assert.deepEqual(await ids(loci, "deleted", "active"), [active.id, gone.id].toSorted());
        assert.deepEqual(await ids(approver, "quarantined"), [waiting.id]);
        // What was rejected is no more shown than it was while it waited.
        assert.deepEqual(await ids(approver, "deleted"), [gone.id, rejected.id].toSorted());
        const all = await ids(approver, "quarantined", "deleted", "active");
        assert.deepEqual(all, [active.id, gone.id, waiting.id, rejected.id].toSorted());
        await refuses(ids(loci, "quarantined"), "ROLE_REQUIRED");
        await refuses(ids(loci, "active", "quarantined"), "ROLE_REQUIRED");
        await refuses(ids(await as({ roles: ["approve"] }), "quarantined"), "ROLE_REQUIRED");
        const foreign = await as({ roles: ["read", "approve"], scopePatterns: ["user:bob"] });
        for (const state of memoryStates) await refuses(ids(foreign, state), "SCOPE_NOT_PERMITTED");

        const { memories } = await loci.memories.list({ scopes: [scope], states: ["deleted"] });
        assert.deepEqual(memories, (await loci.memories.versions(gone.id)).slice(-1));
      },
    },
    {
      name: "what waits for approval, or was rejected, is no memory for who may not approve, by its id either",
      run: async ({ as, loci }) => {
        const lesson = { scope, failure: "The deploy failed.", lesson: "Deploy on weekdays only." } as const;
        const waiting = await loci.captures.recordPostMortem(lesson);
        const rejected = await loci.captures.recordPostMortem({ ...lesson, lesson: "Never deploy on the first." });
        const approved = await loci.captures.recordPostMortem({ ...lesson, lesson: "Read the log before a deploy." });
        const approver = await as({ roles: ["read", "write", "approve"] });
        const { reviews } = await approver.captures.reviews.list({ scopes: [scope] });
        const decide = async (of: Memory, decision: "approve" | "reject"): Promise<void> => {
          const review = reviews.find(({ memory }) => memory.id === of.id);
          assert.ok(review);
          await approver.captures.reviews.decide(review.id, decision);
        };
        await decide(rejected, "reject");
        await decide(approved, "approve");

        for (const { id, etag } of [waiting, rejected]) {
          const unknown = await refuses(loci.memories.get(id), "MEMORY_NOT_FOUND");
          assert.ok(!unknown.message.includes("waits"));
          await refuses(loci.memories.versions(id), "MEMORY_NOT_FOUND");
          await refuses(loci.memories.update(id, { importance: 0.9 }, { etag }), "MEMORY_NOT_FOUND");
          await refuses(loci.memories.forget(id), "MEMORY_NOT_FOUND");
          await refuses(loci.memories.restore(id, 1), "MEMORY_NOT_FOUND");
          await refuses(loci.captures.evidence(id), "MEMORY_NOT_FOUND");
          await loci.memories.markUsed([id]);
        }
        assert.deepEqual(await approver.memories.get(waiting.id), waiting);
        assert.equal((await approver.memories.versions(rejected.id)).length, 2);
        // What became a memory began as one the day it was approved.
        const states = async (who: Loci): Promise<readonly MemoryState[]> =>
          (await who.memories.versions(approved.id)).map(({ state }) => state);
        assert.deepEqual(await states(approver), ["quarantined", "active"]);
        assert.deepEqual(await states(loci), ["active"]);
        assert.equal((await loci.memories.get(approved.id)).version, 2);
        await refuses(loci.memories.restore(approved.id, 1), "VERSION_NOT_FOUND");
        await approver.memories.restore(approved.id, 1);
        await refuses(loci.memories.get(approved.id), "MEMORY_NOT_FOUND");
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
        await refuses(loci.memories.list({ scopes: [scope], states: [] }), "INVALID_REQUEST", "states");
        const states: readonly MemoryState[] = ["active", "archived" as MemoryState];
        await refuses(loci.memories.list({ scopes: [scope], states }), "INVALID_REQUEST", "states[1]");
        await refuses(loci.memories.list({ scopes: [scope], validAt: 0.5 }), "INVALID_INSTANT", "validAt");
        for (const pageToken of ["", "x", "W10", "bnVsbA", "../../etc/passwd"])
          await refuses(loci.memories.list({ scopes: [scope], pageToken }), "INVALID_PAGE_TOKEN", "pageToken");
        const { nextPageToken } = await loci.memories.list({ scopes: [scope], pageSize: 1 });
        assert.ok(nextPageToken !== undefined);
        // The same place, written so that it takes long to read.
        const padded = Buffer.from(Buffer.from(nextPageToken, "base64url").toString().padEnd(10_000)).toString(
          "base64url",
        );
        await refuses(loci.memories.list({ scopes: [scope], pageToken: padded }), "INVALID_PAGE_TOKEN", "pageToken");
        const otherScopes = { scopes: ["global"] as const, pageToken: nextPageToken };
        await refuses(loci.memories.list(otherScopes), "INVALID_PAGE_TOKEN", "pageToken");
        for (const other of [{ validAt: 1 }, { states: ["deleted"] }, { states: ["active", "deleted"] }] as const)
          await refuses(
            loci.memories.list({ scopes: [scope], pageToken: nextPageToken, ...other }),
            "INVALID_PAGE_TOKEN",
            "pageToken",
          );
        const same = { scopes: [scope], pageToken: nextPageToken, states: ["active"] } as const;
        assert.equal((await loci.memories.list(same)).memories.length, 1);
      },
    },
  ],
};
