import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CustomIndex, type IndexChoice, type Loci, openLoci } from "@loci/loci";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { afterEach, beforeEach, expect, test } from "vitest";

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-custom-"));
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const events: string[] = [];
beforeEach(() => {
  events.length = 0;
});

/** An adapter that Loci has never heard of, with a file of its own. */
function strange(name = "strange"): CustomIndex {
  return {
    kind: "custom",
    name,
    open: async (directory) => {
      events.push("open");
      await writeFile(join(directory, "rows"), "");
      const vectorStore = openMemoryVectorStore();
      return {
        vectorStore,
        textIndex: openMemoryTextIndex(),
        close: async () => {
          events.push("close");
          await vectorStore.close();
        },
      };
    },
    remove: async () => {
      events.push("remove");
    },
  };
}

function open(index: IndexChoice, indexes: readonly CustomIndex[] = []): Promise<Loci> {
  return openLoci({ tenant: "local", dataDirectory, index, indexes });
}

async function answers(loci: Loci): Promise<readonly unknown[]> {
  await loci.settled();
  const evaluationTime = 1_800_000_000_000;
  const { hits } = await loci.recall({ query: "What of the deploy?", scopes: ["user:a"], evaluationTime });
  return hits;
}

test("another adapter gives the same answers, and is moved to and from like any", async () => {
  let expected: readonly unknown[];
  {
    await using loci = await open("memory", [strange()]);
    await loci.memories.rememberMany(
      Array.from({ length: 60 }, (_, number) => ({ text: `Deploy ${number} of week ${number % 7}`, scope: "user:a" })),
    );
    expected = await answers(loci);
    expect(expected.length).toBeGreaterThan(0);
    await loci.maintenance.reindex({ to: "strange" });
    expect(await answers(loci)).toEqual(expected);
  }
  // What a place holds that this ledger has not used before is not believed: it begins empty.
  expect(events).toEqual(["open", "close", "remove", "open", "close"]);

  await using loci = await open(strange());
  expect(await answers(loci)).toEqual(expected);
  const { notes } = await loci.maintenance.erase({ user: "nobody" });
  expect(notes).toContain("The indexes strange are not Loci's own; what they keep of removed rows is not known.");
  const rows = join(dataDirectory, "index-custom-strange", "rows");
  expect(existsSync(rows)).toBe(true);
  await loci.maintenance.reindex({ to: "memory", dropOld: true });
  expect(await answers(loci)).toEqual(expected);
  expect(existsSync(rows)).toBe(false);
  expect(events.slice(5)).toEqual(["open", "close", "remove"]);
});

test.each(["memory", "embedded", "pgvector", "../a", "", "A", "x".repeat(41)])(
  "indexes cannot be named %j",
  async (name) => {
    await expect(open(strange(name))).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field: "index.name" });
    expect(events).toEqual([]);
  },
);
