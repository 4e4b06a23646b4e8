import assert from "node:assert/strict";
import { type Memory, type MemoryKey, type Role, tenantId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice" as const;
const theme: MemoryKey = { scope, key: "theme" };
const roles: readonly Role[] = ["read", "write", "approve", "admin", "operate"];
const make = { allowMissing: true } as const;

/** What a key may be, each unlike all others. */
const hostileKeys: readonly string[] = [
  "caf\u00e9",
  "cafe\u0301",
  " theme",
  "theme ",
  "THEME",
  "a\nb\tc",
  "\u202ekey\u200b",
  "user:bob/theme",
  "it's \"a\" %_\\ -- ' OR 1=1",
  '["a","b"]',
  "__proto__",
  "../../etc/passwd",
  "\u{1f600}",
  "k".repeat(512),
];

const noKeys: readonly unknown[] = ["", "a\0b", "\ud800", "k".repeat(513), "\u00e9".repeat(257), 7, null];

export const memoryKeyCases: BehaviourFile = {
  covers: ["memories.get", "memories.update", "memories.remember"],
  cases: [
    {
      name: "a memory is read and changed by its key in its scope, and keeps the key",
      run: async ({ loci }) => {
        const dark = await loci.memories.remember({ text: "The theme is dark.", ...theme });
        const bobs = await loci.memories.remember({ text: "The theme is light.", scope: "user:bob", key: "theme" });
        const none = await loci.memories.remember({ text: "Lunch is at noon.", scope });
        assert.deepEqual([dark.key, bobs.key, none.key], ["theme", "theme", undefined]);
        assert.deepEqual(await loci.memories.get(theme), await loci.memories.get(dark.id));
        assert.equal((await loci.memories.get({ scope: "user:bob", key: "theme" })).id, bobs.id);
        const changed = await loci.memories.update(theme, { text: "The theme is blue." }, { etag: dark.etag });
        assert.deepEqual([changed.id, changed.version, changed.key], [dark.id, 2, "theme"]);
        await refuses(loci.memories.update(theme, { importance: 0 }, { etag: dark.etag }), "VERSION_CONFLICT");
        assert.deepEqual(
          (await loci.memories.versions(dark.id)).map(({ key }) => key),
          ["theme", "theme"],
        );
        const { hits } = await loci.recall({ query: "Which theme?", scopes: [scope], limit: 1 });
        assert.deepEqual(
          hits.map(({ memory }) => memory.key),
          ["theme"],
        );
        const withKey = { key: "other" } as never;
        await refuses(loci.memories.update(dark.id, withKey, { etag: changed.etag }), "INVALID_REQUEST", "patch.key");
        await refuses(loci.memories.get({ scope, key: "other" }), "MEMORY_NOT_FOUND");
        await refuses(loci.memories.get({ scope: "team:a", key: "theme" }), "MEMORY_NOT_FOUND");
        await refuses(loci.memories.update({ scope, key: "x" }, { text: "x" }, { etag: "x" }), "MEMORY_NOT_FOUND");
      },
    },
    {
      name: "keys are taken byte for byte, and what is none is refused",
      run: async ({ loci }) => {
        await loci.memories.rememberMany(hostileKeys.map((key, index) => ({ text: `number ${index}`, scope, key })));
        for (const [index, key] of hostileKeys.entries()) {
          const memory = await loci.memories.get({ scope, key });
          assert.deepEqual([memory.text, memory.key], [`number ${index}`, key]);
        }
        for (const key of noKeys as readonly string[]) {
          await refuses(loci.memories.remember({ text: "text", scope, key }), "INVALID_IDENTIFIER", "key");
          await refuses(loci.memories.get({ scope, key }), "INVALID_IDENTIFIER", "key");
          await refuses(loci.memories.update({ scope, key }, { text: "text" }, make), "INVALID_IDENTIFIER", "key");
        }
        await refuses(loci.memories.get({ key: "a" } as MemoryKey), "INVALID_SCOPE", "scope");
        await refuses(loci.memories.get({ scope, kei: "a" } as unknown as MemoryKey), "INVALID_REQUEST", "which.kei");
      },
    },
    {
      name: "a key is one memory's: another one with it is refused, and what it says again is evidence",
      run: async ({ loci }) => {
        const first = await loci.memories.remember({ text: "The theme is dark.", ...theme, tags: ["a"] });
        const other = { text: "The theme is light.", ...theme };
        const refused = await refuses(loci.memories.remember(other), "MEMORY_EXISTS", "key");
        assert.equal(refused.code, "ALREADY_EXISTS");
        const same = { text: "The theme is dark.", ...theme };
        await refuses(loci.memories.remember({ ...same, repeat: "add" }), "MEMORY_EXISTS", "key");
        await refuses(loci.memories.remember({ ...same, category: "note" }), "MEMORY_EXISTS", "key");
        const again = await loci.memories.remember({ ...same, tags: ["b"] });
        assert.deepEqual([again.id, again.version, again.tags], [first.id, 2, ["a", "b"]]);
        // Without the key it is somebody else's, and under another key something else.
        const elsewhere = await loci.memories.remember({ text: same.text, scope });
        const second = await loci.memories.remember({ ...same, key: "second" });
        assert.equal(new Set([first.id, elsewhere.id, second.id]).size, 3);
        await refuses(loci.memories.rememberMany([{ text: "new", scope }, other]), "MEMORY_EXISTS", "key");
        const twice = [1, 2].map((number) => ({ text: `number ${number}`, scope, key: "twice" }));
        await refuses(loci.memories.rememberMany(twice), "MEMORY_EXISTS", "key");
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 3);
      },
    },
    {
      name: "an update that allows a missing memory makes it, else changes the one there is",
      run: async ({ loci }) => {
        const made = await loci.memories.update(
          theme,
          { text: "The theme is dark.", category: "preference", slot: null, expiresAt: null, metadata: { n: 1 } },
          make,
        );
        assert.deepEqual(
          [made.version, made.key, made.category, made.slot, made.origin, made.metadata],
          [1, "theme", "preference", undefined, "manual", { n: 1 }],
        );
        const changed = await loci.memories.update(theme, { text: "The theme is light." }, make);
        assert.deepEqual(
          [changed.id, changed.version, changed.category, changed.metadata],
          [made.id, 2, "preference", { n: 1 }],
        );
        // What a text says already is no reason to change another memory.
        const other = await loci.memories.update({ scope, key: "other" }, { text: "The theme is light." }, make);
        assert.notEqual(other.id, made.id);
        const missing = { scope, key: "missing" };
        await refuses(loci.memories.update(missing, { importance: 1 }, make), "INVALID_TEXT", "text");
        await refuses(loci.memories.update(missing, {}, make), "INVALID_REQUEST", "patch");
        await refuses(loci.memories.update(made.id, { text: "x" }, make), "INVALID_REQUEST");
        const both = { ...make, etag: changed.etag };
        await refuses(loci.memories.update(theme, { text: "x" }, both), "INVALID_REQUEST");
        await refuses(loci.memories.get(missing), "MEMORY_NOT_FOUND");
      },
    },
    {
      name: "of many such updates at once one makes the memory, and the others change it",
      run: async ({ loci }) => {
        const written = await Promise.all(
          Array.from({ length: 12 }, (_, index) => loci.memories.update(theme, { text: `number ${index}` }, make)),
        );
        assert.equal(new Set(written.map(({ id }) => id)).size, 1);
        assert.deepEqual(
          written.map(({ version }) => version).toSorted((left, right) => left - right),
          Array.from({ length: 12 }, (_, index) => index + 1),
        );
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
        // Also while others forget it: each that was acknowledged is a version of a memory with the key.
        await Promise.all(
          Array.from({ length: 12 }, async (_, index) => {
            if (index % 3 > 0) return loci.memories.update(theme, { text: `again ${index}` }, make);
            const there = await loci.memories.get(theme).catch(() => undefined);
            return there && loci.memories.forget(there.id).catch(() => undefined);
          }),
        );
        const { memories } = await loci.memories.list({ scopes: [scope] });
        assert.ok(memories.length <= 1);
      },
    },
    {
      name: "an update that is repeated with its request id happens once",
      run: async ({ loci }) => {
        const once = { requestId: "put theme" };
        const made = await loci.memories.update(theme, { text: "dark" }, make, once);
        const light = await loci.memories.update(theme, { text: "light" }, make);
        assert.deepEqual(await loci.memories.update(theme, { text: "dark" }, make, once), made);
        await refuses(loci.memories.update(theme, { text: "blue" }, make, once), "REQUEST_ID_REUSED");
        await loci.memories.forget(light.id);
        assert.equal((await loci.memories.update(theme, { text: "dark" }, make, once)).version, 1);
        await refuses(loci.memories.get(theme), "MEMORY_NOT_FOUND");
        const many = [{ text: "red", ...theme }];
        const [red] = await loci.memories.rememberMany(many, { requestId: "many" });
        assert.deepEqual(await loci.memories.rememberMany(many, { requestId: "many" }), [red]);
      },
    },
    {
      name: "forgetting frees a key, and what was forgotten comes back only while it is free",
      run: async ({ loci }) => {
        const first = await loci.memories.remember({ text: "first", ...theme });
        await loci.memories.forget(first.id);
        await refuses(loci.memories.get(theme), "MEMORY_NOT_FOUND");
        assert.equal((await loci.memories.restore(first.id, 1)).key, "theme");
        await loci.memories.forget(first.id);
        const second = await loci.memories.remember({ text: "second", ...theme });
        await refuses(loci.memories.restore(first.id, 1), "MEMORY_EXISTS", "key");
        assert.equal((await loci.memories.get(theme)).id, second.id);
        await loci.memories.forget(second.id);
        await loci.memories.restore(first.id, 1);
        assert.equal((await loci.memories.get(theme)).id, first.id);
      },
    },
    {
      name: "a key that waits for approval is taken, and shown to those who may approve",
      run: async ({ loci, as }) => {
        const exported = await as({ roles });
        await loci.memories.remember({ text: "waits", ...theme });
        const { lines } = await exported.maintenance.exportMemories({});
        const waiting = JSON.stringify({ ...(JSON.parse(lines[0] ?? "") as object), state: "quarantined" });
        const tenant = tenantId("waiting");
        await (await as({ tenant, roles })).maintenance.importMemories([waiting]);
        const writer = await as({ tenant, roles: ["read", "write"] });
        const approver = await as({ tenant, roles: ["read", "write", "approve"] });
        await refuses(writer.memories.get(theme), "MEMORY_NOT_FOUND");
        await refuses(writer.memories.update(theme, { text: "mine" }, make), "MEMORY_EXISTS", "key");
        await refuses(writer.memories.remember({ text: "mine", ...theme }), "MEMORY_EXISTS", "key");
        assert.equal((await approver.memories.get(theme)).state, "quarantined");
      },
    },
    {
      name: "keys reach no further than the scopes and the tenant of the credential",
      run: async ({ loci, as }) => {
        await loci.memories.remember({ text: "hers", ...theme });
        const bob = await as({ scopePatterns: ["user:bob"] });
        await refuses(bob.memories.get(theme), "SCOPE_NOT_PERMITTED");
        await refuses(bob.memories.update(theme, { text: "his" }, make), "SCOPE_NOT_PERMITTED");
        const reader = await as({ roles: ["read"] });
        await refuses(reader.memories.update(theme, { text: "his" }, make), "ROLE_REQUIRED");
        const other = await as({ tenant: tenantId("other") });
        await refuses(other.memories.get(theme), "MEMORY_NOT_FOUND");
        await other.memories.update(theme, { text: "theirs" }, make);
        assert.equal((await loci.memories.get(theme)).text, "hers");
      },
    },
    {
      name: "keys are in exports, come back with an import where they are free, and go with an erasure",
      run: async ({ as }) => {
        const loci = await as({ roles });
        const [hers, plain] = (await loci.memories.rememberMany([
          { text: "dark", ...theme },
          { text: "no key", scope },
        ])) as readonly [Memory, Memory];
        const { lines } = await loci.maintenance.exportMemories({});
        const other = await as({ tenant: tenantId("other"), roles });
        const theirs = await other.memories.remember({ text: "light", ...theme });
        assert.deepEqual(await other.maintenance.importMemories(lines), {
          imported: 1,
          unchanged: 0,
          erased: 0,
          leftOut: [{ index: 0, reason: "MEMORY_EXISTS", problem: "key is that of another memory of the scope." }],
        });
        await other.memories.forget(theirs.id);
        assert.equal((await other.maintenance.importMemories(lines)).imported, 1);
        assert.deepEqual(
          [(await other.memories.get(theme)).id, (await other.memories.get(plain.id)).key],
          [hers.id, undefined],
        );
        await loci.maintenance.erase({ user: "alice" });
        await refuses(loci.memories.get(theme), "MEMORY_NOT_FOUND");
        const anew = await loci.memories.update(theme, { text: "anew" }, make);
        assert.deepEqual([anew.version, anew.id === hers.id], [1, false]);
      },
    },
  ],
};
