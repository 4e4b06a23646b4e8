// Things that are told apart by small numbers are found by them, and not by the same number of something else.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLoci } from "../src/index.ts";

const work = ["parses input", "writes reports", "checks tokens", "sends mail", "builds the index"];

test("module 5 is found before what logs to channel 5", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-numbers-"));
  const loci = await openLoci({ tenant: "acme", dataDirectory: folder, index: "memory" });
  onTestFinished(async () => {
    await loci.close();
    rmSync(folder, { recursive: true });
  });
  const scope = "project:billing";
  const texts = Array.from({ length: 40 }, (_, index) => {
    return `Module ${index + 1} ${work[index % work.length]} and logs to channel ${((index + 1) * 3) % 17}.`;
  });
  await loci.memories.rememberMany(texts.map((text) => ({ text, scope })));
  for (const [query, first] of [
    ["What does module 5 do?", texts[4]],
    ["module 12", texts[11]],
    ["What about module-7?", texts[6]],
  ] as const) {
    const { hits } = await loci.recall({ query, scopes: [scope] });
    expect(hits[0]?.memory.text).toBe(first);
  }
});
