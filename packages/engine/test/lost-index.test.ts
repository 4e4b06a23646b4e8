import { LociError } from "@loci/domain";
import { openMemoryTextIndex } from "@loci/store-memory";
import type { TextIndex } from "@loci/store";
import { expect, test } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const { tenant } = everything;
const scopes = ["global"] as const;

/** A text index that can be lost while it is in use, as when damage is found in files, or what was in memory alone is gone. */
function losableTextIndex(): { readonly textIndex: TextIndex; lose(): void } {
  let index = openMemoryTextIndex();
  const textIndex: TextIndex = {
    name: index.name,
    durable: index.durable,
    apply: async (tenant, changes, through, call = {}) => {
      if ((call.after ?? 0) > (await index.checkpoint(tenant)))
        throw new LociError("STORE_UNAVAILABLE", { message: "The index stands before the changes." });
      await index.apply(tenant, changes, through, call);
    },
    checkpoint: (...call) => index.checkpoint(...call),
    maintain: (...call) => index.maintain(...call),
    refs: (...call) => index.refs(...call),
    search: (...call) => index.search(...call),
    frequencies: (...call) => index.frequencies(...call),
    statistics: (...call) => index.statistics(...call),
    close: () => index.close(),
  };
  return { textIndex, lose: () => (index = openMemoryTextIndex()) };
}

test("an index that is lost while it is in use is built again", async () => {
  const { textIndex, lose } = losableTextIndex();
  await using opened = await TestEngine.open({ textIndex });
  await opened.loci.memories.remember({ text: "The theme is Solarized.", scope: "global" });
  await opened.loci.settled();
  lose();
  expect((await opened.loci.recall({ query: "theme", scopes })).hits.length).toBe(1);
  await expect.poll(() => textIndex.checkpoint(tenant)).toBe(1);
  lose();
  // Also without anybody who recalls.
  await opened.loci.settled();
  expect(await textIndex.checkpoint(tenant)).toBe(1);
});

test("what is written to an index that was lost meanwhile does not hide what it had", async () => {
  const { textIndex, lose } = losableTextIndex();
  await using opened = await TestEngine.open({ textIndex });
  await opened.loci.memories.remember({ text: "The theme is Solarized.", scope: "global" });
  await opened.loci.settled();
  await opened.engine.drainers.pause();
  await opened.loci.memories.remember({ text: "Lunch is at noon.", scope: "global" });
  lose();
  opened.engine.drainers.resume();
  await expect.poll(() => textIndex.checkpoint(tenant)).toBe(2);
  expect((await textIndex.statistics(tenant, [])).documents).toBe(2);
  expect(opened.problems).toEqual([]);
});

test("an index that is ahead of the ledger is told of, and nothing is said to be up to date", async () => {
  await using opened = await TestEngine.open();
  await opened.loci.memories.remember({ text: "The theme is Solarized.", scope: "global" });
  await opened.loci.settled();
  // As if the ledger had been put back by two changes under the running engine.
  await opened.textIndex.apply(tenant, [], 3);
  opened.ledger.head = async () => 0;
  await opened.loci.memories.remember({ text: "Lunch is at noon.", scope: "global" });
  await expect.poll(() => opened.problems.join()).toContain("The ledger was put back while it was in use");
});
