import assert from "node:assert/strict";
import {
  type CallOptions,
  type ExportedMemory,
  type Loci,
  type Memory,
  type MemoryChange,
  type MemoryId,
  tenantId,
  type WatchMemoriesRequest,
} from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const alice = "user:alice";
const bob = "user:bob";

/** Reads a watch up to where there is nothing more to tell. */
async function untilReached(changes: AsyncIterator<MemoryChange, void, undefined>): Promise<readonly MemoryChange[]> {
  const told: MemoryChange[] = [];
  for (;;) {
    const next = await changes.next();
    if (next.done === true) throw new Error("The watch has ended.");
    told.push(next.value);
    if (next.value.type === "reached") return told;
  }
}

/** What a watch that begins somewhere tells of now. */
async function toldBy(loci: Loci, request: WatchMemoriesRequest): Promise<readonly MemoryChange[]> {
  const watch = loci.memories.watch(request)[Symbol.asyncIterator]();
  try {
    return await untilReached(watch);
  } finally {
    await watch.return?.();
  }
}

/** As `written TEXT`, `removed ID`. */
function shown(changes: readonly MemoryChange[]): readonly string[] {
  return changes.flatMap((change) => {
    if (change.type === "reached") return [];
    return change.type === "written" ? `written ${change.memory.text}` : `removed ${change.id}`;
  });
}

/** What a program that follows a watch holds afterwards. */
function mirrorOf(changes: readonly MemoryChange[]): readonly Memory[] {
  const held = new Map<MemoryId, Memory>();
  for (const change of changes) {
    if (change.type === "written") held.set(change.memory.id, change.memory);
    if (change.type === "removed") held.delete(change.id);
  }
  return [...held.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

async function collected(exported: AsyncIterable<ExportedMemory>): Promise<readonly ExportedMemory[]> {
  const memories: ExportedMemory[] = [];
  for await (const memory of exported) memories.push(memory);
  return memories;
}

const withoutUsage = (memory: Memory): Memory => ({ ...memory, usage: { accessCount: 0 } });

export const streamCases: BehaviourFile = {
  covers: ["memories.watch", "memories.export"],
  cases: [
    {
      name: "watch tells of what is written, changed, forgotten and brought back, as it happens",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "Before.", scope: alice });
        const watch = loci.memories.watch({ scopes: [alice] })[Symbol.asyncIterator]();
        assert.deepEqual(shown(await untilReached(watch)), []);
        const first = await loci.memories.remember({ text: "The dog is Rex.", scope: alice });
        assert.deepEqual(await untilReached(watch).then(mirrorOf), [first]);
        const changed = await loci.memories.update(first.id, { text: "The dog is Max." }, { etag: first.etag });
        assert.deepEqual(await untilReached(watch).then(mirrorOf), [changed]);
        await loci.memories.forget(first.id);
        assert.deepEqual(shown(await untilReached(watch)), [`removed ${first.id}`]);
        const restored = await loci.memories.restore(first.id, 1);
        assert.deepEqual(await untilReached(watch).then(mirrorOf), [restored]);
        await watch.return?.();
      },
    },
    {
      name: "watch goes on behind any of its cursors, and loses nothing",
      run: async ({ loci }) => {
        const stored = await loci.memories.rememberMany(
          Array.from({ length: 150 }, (_, index) => ({ text: `Fact number ${index}.`, scope: alice as typeof alice })),
        );
        await Promise.all(stored.slice(0, 30).map(({ id }) => loci.memories.forget(id)));
        const all = await toldBy(loci, { scopes: [alice], since: "beginning" });
        const { memories: left } = await loci.memories.list({ scopes: [alice], pageSize: 1_000 });
        const expected = left.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(withoutUsage);
        assert.deepEqual(mirrorOf(all).map(withoutUsage), expected);
        for (const place of [0, 1, 63, 64, 65, 148, all.length - 1]) {
          const seen = all.slice(0, place + 1);
          const rest = await toldBy(loci, { scopes: [alice], since: seen.at(-1)?.cursor });
          assert.deepEqual(mirrorOf([...seen, ...rest]).map(withoutUsage), expected, `behind ${place}`);
        }
      },
    },
    {
      name: "watch misses nothing of what many write beside it",
      run: async ({ loci }) => {
        const told: MemoryChange[] = [];
        const end = new AbortController();
        const watching = (async () => {
          for await (const change of loci.memories.watch({ scopes: "*", since: "beginning" }, { signal: end.signal }))
            told.push(change);
        })();
        const write = async (writer: number): Promise<void> => {
          for (let index = 0; index < 8; index++) {
            const text = `Writer ${writer} wrote fact ${index}.`;
            const { id, etag } = await loci.memories.remember({ text, scope: `user:${writer % 3}` });
            if (index % 4 === 1) await loci.memories.update(id, { text: `${text} Truly.` }, { etag });
            if (index % 4 === 2) await loci.memories.forget(id);
          }
        };
        await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)));
        const expected = mirrorOf(await toldBy(loci, { scopes: "*", since: "beginning" })).map(withoutUsage);
        assert.equal(expected.length, 36);
        const limit = Date.now() + 60_000;
        const isComplete = (): boolean => {
          const held = mirrorOf(told);
          return held.length === 36 && held.filter(({ text }) => text.endsWith("Truly.")).length === 12;
        };
        while (!isComplete() && Date.now() < limit) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.deepEqual(mirrorOf(told).map(withoutUsage), expected);
        end.abort();
        await refuses(watching, "CANCELLED");
      },
    },
    {
      name: "watch tells of nothing outside its scopes, its credential and its tenant",
      run: async ({ loci, as }) => {
        await loci.memories.rememberMany([
          { text: "Of Alice.", scope: alice },
          { text: "Of Bob.", scope: bob },
          { text: "Of all.", scope: "global" },
        ]);
        const all = { scopes: "*", since: "beginning" } as const;
        assert.deepEqual(shown(await toldBy(loci, all)), ["written Of Alice.", "written Of Bob.", "written Of all."]);
        assert.deepEqual(shown(await toldBy(loci, { ...all, scopes: [bob, "user:carol"] })), ["written Of Bob."]);
        const narrow = await as({ scopePatterns: [alice], roles: ["read"] });
        assert.deepEqual(shown(await toldBy(narrow, all)), ["written Of Alice."]);
        await refuses(toldBy(narrow, { ...all, scopes: [alice, bob] }), "SCOPE_NOT_PERMITTED");
        const other = await as({ tenant: tenantId("globex") });
        assert.deepEqual(shown(await toldBy(other, all)), []);
        const [reached] = (await toldBy(loci, { scopes: "*" })).slice(-1);
        await refuses(toldBy(other, { scopes: "*", since: reached?.cursor }), "CURSOR_EXPIRED", "since");
        const writer = await as({ roles: ["write"] });
        await refuses(toldBy(writer, { scopes: [alice] }), "ROLE_REQUIRED");
      },
    },
    {
      name: "what is erased is told to who covers every scope, and to nobody else",
      run: async ({ loci, as }) => {
        const memory = await loci.memories.remember({ text: "Of Alice.", scope: alice });
        const admin = await as({ roles: ["admin", "operate"] });
        const narrow = await as({ scopePatterns: [alice] });
        const before = (await toldBy(loci, { scopes: "*" })).at(-1)?.cursor;
        await admin.maintenance.erase({ scope: alice });
        assert.deepEqual(shown(await toldBy(loci, { scopes: "*", since: before })), [`removed ${memory.id}`]);
        for (const told of [
          await toldBy(loci, { scopes: [bob], since: before }),
          await toldBy(narrow, { scopes: "*", since: before }),
          await toldBy(narrow, { scopes: [alice], since: "beginning" }),
        ])
          assert.deepEqual(shown(told), []);
      },
    },
    {
      name: "watch tells of nothing that waits for approval, or was rejected, until it is approved",
      run: async ({ loci, as }) => {
        const lesson = { scope: alice, failure: "The deploy failed.", lesson: "Deploy on weekdays only." } as const;
        const approver = await as({ roles: ["read", "write", "approve"] });
        const decide = async ({ id }: Memory, decision: "approve" | "reject"): Promise<void> => {
          const { reviews } = await approver.captures.reviews.list({ scopes: [alice] });
          const review = reviews.find(({ memory }) => memory.id === id);
          assert.ok(review);
          await approver.captures.reviews.decide(review.id, decision);
        };
        const watches = [loci, approver].map((who) => who.memories.watch({ scopes: [alice] })[Symbol.asyncIterator]());
        const told = async (): Promise<readonly string[]> => {
          const of = await Promise.all(watches.map(async (watch) => shown(await untilReached(watch))));
          assert.deepEqual(of[0], of[1]);
          return of[0] ?? [];
        };
        assert.deepEqual(await told(), []);
        const rejected = await loci.captures.recordPostMortem(lesson);
        const withdrawn = await loci.captures.recordPostMortem({ ...lesson, lesson: "Never deploy on the first." });
        const approved = await loci.captures.recordPostMortem({ ...lesson, lesson: "Read the log before a deploy." });
        await approver.memories.update(approved.id, { importance: 0.8 }, { etag: approved.etag });
        await decide(rejected, "reject");
        await approver.memories.forget(withdrawn.id);
        for (const since of ["beginning", undefined])
          for (const who of [loci, approver])
            assert.deepEqual(shown(await toldBy(who, { scopes: "*", since })), [], since);
        await decide(approved, "approve");
        assert.deepEqual(await told(), [`written ${approved.text}`]);
        // What was shown and waits again is to be dropped, and what becomes of it meanwhile is nobody's business.
        await approver.memories.restore(approved.id, 1);
        assert.deepEqual(await told(), [`removed ${approved.id}`]);
        const reached = (await toldBy(loci, { scopes: [alice] })).at(-1)?.cursor;
        await decide(approved, "reject");
        assert.deepEqual(shown(await toldBy(loci, { scopes: [alice], since: reached })), []);
        for (const watch of watches) await watch.return?.();
      },
    },
    {
      name: "watch refuses what it cannot understand",
      run: async ({ loci }) => {
        for (const since of [
          "",
          "x",
          "1",
          "-1.0123456789abcdef",
          "1.0123456789ABCDEF",
          `${"9".repeat(40)}.0123456789abcdef`,
        ])
          await refuses(toldBy(loci, { scopes: "*", since }), "INVALID_CURSOR", "since");
        await refuses(toldBy(loci, { scopes: "*", since: "1.0123456789abcdef" }), "CURSOR_EXPIRED", "since");
        await refuses(toldBy(loci, { scopes: [] }), "SCOPE_REQUIRED", "scopes");
        await refuses(toldBy(loci, { scopes: ["alice"] } as never), "INVALID_SCOPE", "scopes[0]");
        await refuses(toldBy(loci, { scopes: "*", from: 1 } as never), "INVALID_REQUEST");
        const reached = (await toldBy(loci, { scopes: "*" })).at(-1)?.cursor ?? "";
        const [position = "", mark = ""] = reached.split(".");
        await refuses(toldBy(loci, { scopes: "*", since: `${Number(position) + 1}.${mark}` }), "CURSOR_EXPIRED");
      },
    },
    {
      name: "watch ends with its signal, its deadline and its loop",
      run: async ({ loci }) => {
        const read = async (options: CallOptions): Promise<void> => {
          for await (const change of loci.memories.watch({ scopes: "*" }, options)) void change;
        };
        const end = new AbortController();
        const reading = read({ signal: end.signal });
        setTimeout(() => end.abort(), 50);
        await refuses(reading, "CANCELLED");
        await refuses(read({ deadline: Date.now() + 80 }), "DEADLINE_EXCEEDED");
        await refuses(read({ signal: AbortSignal.abort() }), "CANCELLED");
        await refuses(read({ timeout: 1 } as never), "INVALID_REQUEST");
        for await (const change of loci.memories.watch({ scopes: "*" })) {
          assert.equal(change.type, "reached");
          break;
        }
      },
    },
    {
      name: "a watch ends when Loci is closed",
      run: async ({ as }) => {
        const other = await as({});
        const watch = other.memories.watch({ scopes: "*" })[Symbol.asyncIterator]();
        await untilReached(watch);
        const next = watch.next();
        await Promise.all([other.close(), refuses(next, "CLOSED")]);
        await refuses(other.memories.watch({ scopes: "*" })[Symbol.asyncIterator]().next(), "CLOSED");
      },
    },
    {
      name: "export gives all that the credential covers, and goes on behind any of it",
      run: async ({ loci, as }) => {
        const stored = await loci.memories.rememberMany(
          Array.from({ length: 60 }, (_, index) => ({
            text: `${index} ${"x".repeat(index % 7 === 0 ? 60_000 : 20)}`,
            scope: index % 3 === 0 ? (bob as typeof bob) : (alice as typeof alice),
          })),
        );
        const admin = await as({ roles: ["admin"] });
        const ids = stored.map(({ id }) => id).toSorted();
        const exported = await collected(admin.memories.export());
        assert.deepEqual(
          exported.map(({ id }) => id),
          ids,
        );
        const rest = await collected(admin.memories.export({ after: ids[40] }));
        assert.deepEqual(rest, exported.slice(41));
        const pages = await admin.maintenance.exportMemories({ pageSize: 1_000 });
        assert.deepEqual(pages.lines[0], exported[0]?.line);
        const narrow = await as({ roles: ["admin"], scopePatterns: [bob] });
        assert.equal((await collected(narrow.memories.export())).length, 20);
        await refuses(collected(loci.memories.export()), "ROLE_REQUIRED");
        await refuses(collected(admin.memories.export({ after: "x" })), "INVALID_IDENTIFIER");
        await refuses(collected(admin.memories.export({ pageSize: 3 } as never)), "INVALID_REQUEST");
        for await (const { id } of admin.memories.export()) {
          assert.equal(id, ids[0]);
          break;
        }
        const other = await as({ tenant: tenantId("globex"), roles: ["admin"] });
        const lines = exported.map(({ line }) => line);
        assert.equal((await other.maintenance.importMemories(lines)).imported, 60);
      },
    },
  ],
};
