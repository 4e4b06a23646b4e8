import { join } from "node:path";
import { CallSignal, globalScope, type Scope } from "@loci/domain";
import { expect, test } from "vitest";
import { openForReading } from "../src/connection.ts";
import { openSqliteLedger } from "../src/index.ts";
import { ReadingPace } from "../src/reading-pace.ts";
import { ScopeCounts } from "../src/scope-counts.ts";
import { sampleBatch, sampleMemory, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

test("a scope is counted in steps, also where many of its memories say the same", async () => {
  const { directory, remove } = temporaryDirectory();
  const ledger = await openSqliteLedger({ directory });
  const alice: Scope = { kind: "user", id: "alice" };
  const sizes = [1, 2, 3, 4, 9, 12];
  const expected = sizes.map((memories) => ({
    scope: { kind: "user", id: `user ${100 + memories}` } as const,
    memories,
  }));
  let number = 0;
  for (const { scope, memories } of [...expected, { scope: alice, memories: 7 }]) {
    const same = Array.from({ length: memories }, () =>
      sampleMemory((number += 1), { scope, text: `text ${number % 3}` }),
    );
    await ledger.commit(sampleBatch(same, []));
  }
  const file = openForReading(join(directory, "ledger.sqlite"));
  const query = { kinds: [], scopes: [globalScope, ...expected.map(({ scope }) => scope), alice], limit: 99 };
  for (const entriesPerStep of [1, 2, 3, 4, 100]) {
    const pace = new ReadingPace(new CallSignal(undefined), () => undefined);
    const counted = await new ScopeCounts(file, entriesPerStep).read(tenant, query, pace);
    expect(counted).toEqual([
      { scope: alice, memories: 7 },
      ...expected.toSorted((l, r) => (l.scope.id < r.scope.id ? -1 : 1)),
    ]);
  }
  file.close();
  await ledger.close();
  remove();
});
