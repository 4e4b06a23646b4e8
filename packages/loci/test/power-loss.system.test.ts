import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

const scope = "user:alice";
let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-power-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** What is left of a log that nobody waited for. */
const losses: readonly (readonly [string, (log: Buffer) => Buffer])[] = [
  ["nothing of it", () => Buffer.alloc(0)],
  ["half of it", (log) => log.subarray(0, log.length / 2)],
  ["zeros", (log) => Buffer.alloc(log.length)],
  ["a hole in it", (log) => Buffer.from(log).fill(0, Math.floor(log.length / 4), Math.floor(log.length / 2))],
];

test.each(losses)("when the power failed and of what the indexes wrote %s is left, all is found", async (_, lose) => {
  const open = () => openLoci({ tenant: "acme", dataDirectory: join(parent, "data"), index: "embedded" });
  const words = Array.from({ length: 30 }, (__, number) => `orchard${number}`);
  let loci = await open();
  // Indexes of few memories have no files.
  const many = Array.from({ length: 120 }, (__, number) => ({ text: `Crate ${number} is empty.`, scope }) as const);
  await loci.memories.rememberMany(many);
  for (const word of words) await loci.memories.remember({ text: `The pears of ${word} are ripe.`, scope });
  await loci.settled();
  const [forgotten] = (await loci.memories.list({ scopes: [scope] })).memories;
  if (forgotten !== undefined) await loci.memories.forget(forgotten.id);
  await loci.settled();
  await loci.close();

  const logs = (await readdir(parent, { recursive: true })).filter((name) => /log-\d+$/.test(name));
  expect(logs.length).toBe(2);
  for (const log of logs) await writeFile(join(parent, log), lose(await readFile(join(parent, log))));

  loci = await open();
  const found = async (): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const word of words) {
      const { hits } = await loci.recall({ query: `pears of ${word}`, scopes: [scope], limit: 3 });
      texts.push(...hits.map(({ memory }) => memory.text).filter((text) => text.includes(`${word} `)));
    }
    return texts;
  };
  const expected = words.map((word) => `The pears of ${word} are ripe.`).filter((text) => text !== forgotten?.text);
  expect(await found()).toEqual(expected);
  await loci.settled();
  expect(await found()).toEqual(expected);
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.close();
});
