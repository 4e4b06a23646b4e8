import { expect, test, vi } from "vitest";
import { TextAnalyses } from "../src/projections/text-analyses.ts";
import { TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";

test("the words of texts that were analysed lately are asked of no index, and score as if they had been", async () => {
  await using opened = await TestEngine.open();
  const texts = Array.from({ length: 12 }, (_, number) => `Kiln ${number} is fired with ash glaze.`);
  await opened.loci.memories.rememberMany([...texts, "Bread is baked at noon."].map((text) => ({ text, scope })));
  await opened.loci.settled();
  const frequencies = vi.spyOn(opened.textIndex, "frequencies");
  const answer = async (): Promise<unknown> => {
    const { hits, dropped } = await opened.loci.recall({
      query: "kiln with ash glaze",
      scopes: [scope],
      explain: true,
    });
    return [hits, dropped];
  };
  const ofKept = await answer();
  expect(frequencies).not.toHaveBeenCalled();
  const has = vi.spyOn(TextAnalyses.prototype, "has").mockReturnValue(false);
  try {
    expect(await answer()).toEqual(ofKept);
  } finally {
    has.mockRestore();
  }
  expect(frequencies).toHaveBeenCalledOnce();
});
