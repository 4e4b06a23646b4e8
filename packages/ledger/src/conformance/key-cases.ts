import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type Scope } from "@loci/domain";
import type { Change } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, refsOf } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory, written } from "./samples.ts";

const alice: Scope = { kind: "user", id: "alice" };
const bob: Scope = { kind: "user", id: "bob" };

/** Keys that look like something else, or like one another. */
const hostileKeys: readonly string[] = [
  "caf\u00e9",
  "cafe\u0301",
  " a",
  "a",
  "A",
  "a ",
  "a\n",
  "a\u202e",
  "it's \"a\" %_\\ -- ' OR 1=1",
  '["a","b"]',
  "user:bob",
  "1",
  "01",
  "\u{1f600}",
  "ff".repeat(256),
];

/** Memories by what applications call them. */
export const keyCases: LedgerCaseFile = {
  covers: ["byKeys", "commit"],
  cases: [
    {
      method: "byKeys",
      name: "gives the memory of the scope with each key, active or waiting, and none that was forgotten",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(
          sampleMemory(1, { key: "theme" }),
          sampleMemory(2, { key: "theme", scope: bob }),
          sampleMemory(3, { key: "theme", scope: globalScope }),
          sampleMemory(4, { key: "waits", state: "quarantined" }),
          sampleMemory(5, { key: "gone" }),
          sampleMemory(6),
        );
        await context.commit([removed(refNumber(5), 2)]);
        await context.remember(sampleMemory(1, { key: "theme", text: "other", version: 2 }));
        const found = async (scope: Scope, ...keys: string[]) =>
          refsOf(await ledger.byKeys(tenant, { scope, keys })).toSorted();
        deepEqual(await found(alice, "theme", "waits", "gone", "theme"), [1, 4].map(refNumber));
        deepEqual(await found(bob, "theme", "waits"), [refNumber(2)]);
        deepEqual(await found(globalScope, "theme"), [refNumber(3)]);
        deepEqual(await found({ kind: "user", id: "nobody" }, "theme"), []);
        deepEqual(await found(alice), []);
        const [stored] = await ledger.byKeys(tenant, { scope: alice, keys: ["theme"] });
        deepEqual([stored?.memory.text, stored?.memory.version, stored?.memory.key], ["other", 2, "theme"]);
        const query = { scope: alice, keys: ["theme"] };
        await expectRefusal(() => ledger.byKeys(tenant, query, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "byKeys",
      name: "compares keys byte for byte",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(...hostileKeys.map((key, index) => sampleMemory(index + 1, { key })));
        for (const [index, key] of hostileKeys.entries())
          deepEqual(refsOf(await ledger.byKeys(tenant, { scope: alice, keys: [key] })), [refNumber(index + 1)], key);
        equal((await ledger.byKeys(tenant, { scope: alice, keys: hostileKeys })).length, hostileKeys.length);
        deepEqual(await ledger.byKeys(tenant, { scope: alice, keys: ["%", "_", "caf", ""] }), []);
      },
    },
    {
      method: "commit",
      name: "refuses a second memory with the key, whole, and of several at once takes one",
      run: async (context) => {
        const { ledger, tenant } = context;
        const theme = (number: number): Change => written(sampleMemory(number, { key: "theme" }));
        const outcomes = await Promise.allSettled([1, 2, 3, 4].map((number) => context.commit([theme(number)])));
        equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
        await expectRefusal(() => context.commit([written(sampleMemory(8)), theme(9)]), "MEMORY_EXISTS");
        equal((await ledger.memories(tenant, [8, 9].map(refNumber))).size, 0);
        const waiting = written(sampleMemory(9, { key: "theme", state: "quarantined" }));
        await expectRefusal(() => context.commit([waiting]), "MEMORY_EXISTS");
        const twice = [5, 6].map((number) => written(sampleMemory(number, { key: "other" })));
        await expectRefusal(() => context.commit(twice), "MEMORY_EXISTS");
        await context.commit([written(sampleMemory(9, { key: "theme", scope: bob }))]);
      },
    },
    {
      method: "commit",
      name: "frees the key of a memory that is forgotten, and takes it again for one that is restored",
      run: async (context) => {
        const key = "theme";
        await context.remember(sampleMemory(1, { key }));
        // Also to one behind it in the same commit, and not to one before it.
        const next = written(sampleMemory(2, { key }));
        await expectRefusal(() => context.commit([next, removed(refNumber(1), 2)]), "MEMORY_EXISTS");
        await context.commit([removed(refNumber(1), 2), next]);
        const restored = written(sampleMemory(1, { key, version: 3 }));
        await expectRefusal(() => context.commit([restored]), "MEMORY_EXISTS");
        await context.commit([written(sampleMemory(2, { key, version: 2, text: "changed" }))]);
        await context.commit([removed(refNumber(2), 3)]);
        await context.commit([restored]);
        await expectRefusal(() => context.commit([written(sampleMemory(3, { key }))]), "MEMORY_EXISTS");
        const { ledger, tenant } = context;
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        deepEqual(await ledger.byKeys(tenant, { scope: alice, keys: [key] }), []);
        await context.commit([written(sampleMemory(3, { key }))]);
        deepEqual(refsOf(await ledger.byKeys(tenant, { scope: alice, keys: [key] })), [refNumber(3)]);
      },
    },
    {
      method: "commit",
      name: "repeats the answer of a request that has made a memory with a key",
      run: async (context) => {
        const idempotency = { method: "remember", requestId: "once", bodyHash: "body" };
        const write = () => context.commit([written(sampleMemory(1, { key: "theme" }))], { idempotency });
        const first = await write();
        const again = await write();
        deepEqual([first.replayed, again.replayed, again.results], [false, true, first.results]);
      },
    },
  ],
};
