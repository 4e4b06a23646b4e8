import { type Loci, type MemoryId } from "@loci/loci";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { correctionBy } from "../src/tools/correct-memory.ts";
import { call, textOf } from "./call-tool.ts";
import { connectClient } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

async function remembered(client: Client, input: Record<string, unknown>): Promise<MemoryId> {
  const { structuredContent } = await call(client, "remember", input);
  return (structuredContent as { id: MemoryId }).id;
}

test("what is corrected is newer than what was said in between, and is not said by who said the former words", async () => {
  const client = await connectClient(loci, ["project:oven"]);
  const text = "The oven of the bakery is lit at four.";
  const id = await remembered(client, { text, source: "HANDBOOK.md" });
  await loci.memories.remember({ text: "The oven of the bakery is lit at five.", scope: "project:oven" });
  await call(client, "remember", { text: "The oven of the bakery is lit at six.", corrects: id });
  const { hits } = await loci.recall({ query: "When is the oven of the bakery lit?", scopes: ["project:oven"] });
  expect(hits[0]?.memory.text).toBe("The oven of the bakery is lit at six.");
  expect(hits[0]?.memory).not.toHaveProperty("provenance");
  const { updatedAt, validFrom } = await loci.memories.get(id);
  expect(validFrom).toBe(updatedAt);

  // Another label is no other statement.
  await call(client, "remember", { text: "The oven of the bakery is lit at six.", corrects: id, tags: ["oven"] });
  expect(await loci.memories.get(id)).toMatchObject({ validFrom, tags: ["oven"], version: 3 });
});

test("what was over holds again when it is corrected", async () => {
  const client = await connectClient(loci, ["project:mill"]);
  const id = await remembered(client, { text: "The mill is closed." });
  const { etag } = await loci.memories.get(id);
  await loci.memories.update(id, { validFrom: Date.now() - 2_000, validTo: Date.now() - 1_000 }, { etag });
  await call(client, "remember", { text: "The mill is open on Mondays.", corrects: id });
  expect(textOf(await call(client, "recall", { query: "When is the mill open?" }))).toContain("open on Mondays");
});

test("a correction moves nothing to another scope, and says so", async () => {
  const client = await connectClient(loci, ["project:barn", "user:ann"]);
  const id = await remembered(client, { text: "The barn is red." });
  const moved = await call(client, "remember", { text: "Ann is ill.", corrects: id, scope: "user:ann" });
  expect(textOf(moved)).toMatch(/^INVALID_SCOPE: .* project:barn.*\n.*leave out corrects/);
  expect((await loci.memories.get(id)).text).toBe("The barn is red.");
  expect(await call(client, "remember", { text: "Blue.", corrects: id, scope: "project:barn" })).not.toHaveProperty(
    "isError",
  );
});

test("words that were shown with character references are stored as they were", async () => {
  const client = await connectClient(loci, ["project:types"]);
  const id = await remembered(client, { text: "Run test --filter <package> alone." });
  const { memories } = (await call(client, "recall", {})).structuredContent as { memories: { text: string }[] };
  const shown = memories[0]?.text ?? "";
  expect(shown).toContain("&lt;package>");
  await call(client, "remember", { text: `${shown} It takes a minute.`, corrects: id });
  expect((await loci.memories.get(id)).text).toBe("Run test --filter <package> alone. It takes a minute.");

  const written = await remembered(client, { text: "In HTML write &lt; for <." });
  await call(client, "remember", { text: "In HTML write &lt; and not <.", corrects: written });
  expect((await loci.memories.get(written)).text).toBe("In HTML write &lt; and not <.");
});

test("who corrects at the same time as another hears what to do", async () => {
  const client = await connectClient(loci, ["project:race"]);
  const id = await remembered(client, { text: "CI runs on one machine." });
  const { update } = loci.memories;
  using spied = vi.spyOn(loci.memories, "update").mockImplementationOnce(async (which, patch, condition, options) => {
    await update(which, { text: "CI runs on two machines." }, condition);
    return update(which, patch, condition, options);
  });
  const late = await call(client, "remember", { text: "CI runs on three machines.", corrects: id });
  expect(spied).toHaveBeenCalled();
  expect(textOf(late)).toBe(
    "VERSION_CONFLICT: Somebody else has changed this memory just now.\nRecall it to see what it says, and correct it again if that is still wrong.",
  );
});

test("a correction that is made again after its answer was lost is made once", async () => {
  const client = await connectClient(loci, ["project:lost"]);
  const id = await remembered(client, { text: "The well is deep." });
  const correction = { id, text: "The well is dry.", scope: undefined };
  const options = { signal: new AbortController().signal, requestId: "correction-of-the-well" };
  const correct = correctionBy({ scopes: ["project:lost"] }, correction, options);
  const first = await correct(loci);
  expect(await correct(loci)).toEqual(first);
  expect(await loci.memories.get(id)).toMatchObject({ version: 2, text: "The well is dry." });
});
