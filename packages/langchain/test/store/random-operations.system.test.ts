import { LociStore } from "@loci/langchain/store";
import { expect, test } from "vitest";
import { openedLoci } from "../opened-loci.ts";
import { firstOtherAnswer } from "./random-operations.ts";

/** The nightly run makes 10,000. */
const operations = Number(process.env["LOCI_STORE_OPERATIONS"] ?? 2_000);

test(`${operations} random operations answer as those of LangGraph's own store`, { timeout: 600_000 }, async () => {
  await using opened = await openedLoci();
  const store = new LociStore({ loci: opened.loci, scope: "agent:store" });
  const seed = Date.now() % 1_000_000;
  expect({ seed, other: await firstOtherAnswer(store, operations, seed) }).toEqual({ seed, other: undefined });
});
