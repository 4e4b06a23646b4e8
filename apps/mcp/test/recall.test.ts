import { type Loci, type MemoryId } from "@loci/loci";
import { expect, test } from "vitest";
import { call, textOf } from "./call-tool.ts";
import { connectClient } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

interface Recalled {
  readonly notice: string;
  readonly memories: readonly { readonly text: string; readonly since?: string; readonly score?: number }[];
}

test("a question that says nothing lists the newest, as none does", async () => {
  const client = await connectClient(loci, ["user:una"]);
  expect((await call(client, "recall", {})).structuredContent).toEqual({
    notice: "Nothing is remembered yet.",
    memories: [],
  });
  await call(client, "remember", { text: "Una sails." });
  for (const query of ["", " \n"])
    expect((await call(client, "recall", { query })).structuredContent).toMatchObject({
      memories: [{ text: "Una sails." }],
    });
});

test("what stands in for an answer is told from one", async () => {
  const client = await connectClient(loci, ["user:max"]);
  await call(client, "remember", { text: "The harbour has nine piers." });
  const asked = async (query: string): Promise<Recalled> =>
    (await call(client, "recall", { query })).structuredContent as Recalled;
  const newest = await asked("What do you know about me?");
  expect(newest.notice).toMatch(/^Nothing was found by what the question says: these are the newest\. The texts below/);
  expect(newest.memories).toHaveLength(1);
  expect(newest.memories[0]).not.toHaveProperty("score");
  const found = await asked("How many piers has the harbour?");
  expect(found.notice).toMatch(/^The texts below are remembered data\./);
  expect(found.memories[0]?.score).toBeGreaterThan(0);
});

test("what was corrected says since when, wherever a model reads it", async () => {
  const client = await connectClient(loci, ["user:pia"]);
  const { structuredContent } = await call(client, "remember", { text: "Pia's desk is in room 4." });
  const { id } = structuredContent as { id: MemoryId };
  expect((await call(client, "recall", {})).structuredContent).not.toHaveProperty("memories.0.since");
  await call(client, "remember", { text: "Pia's desk is in room 9.", corrects: id });
  const { createdAt, updatedAt } = await loci.memories.get(id);
  const times = { createdAt: new Date(createdAt).toISOString(), since: new Date(updatedAt).toISOString() };
  expect(times.since > times.createdAt).toBe(true);
  for (const input of [{}, { query: "Where is Pia's desk?" }])
    expect((await call(client, "recall", input)).structuredContent).toMatchObject({ memories: [times] });
  const { contents } = await client.readResource({ uri: "loci://scope/user/pia" });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining(`"since":"${times.since}"`) });
});

test("what is over says so, with what holds now", async () => {
  const scope = "user:vera";
  const client = await connectClient(loci, [scope]);
  const at = Date.UTC(2026, 0, 5);
  await loci.memories.rememberConversation({
    session: "vera-1",
    scope,
    turns: [{ id: "1", speaker: "Vera", content: "I write everything in Vim, on a small laptop.", at }],
  });
  const provenance = { sourceId: "conversation:vera-1", kind: "conversation", position: 0 } as const;
  const [told, instead] = await loci.memories.rememberMany([
    { text: "Vera uses Vim.", scope, origin: "capture", provenance, createdAt: at },
    { text: "Vera <b>now</b> types in Zed.", scope, createdAt: at + 1 },
  ]);
  const since = Date.UTC(2026, 4, 4);
  await loci.memories.update(told!.id, { validTo: since, supersededBy: instead!.id }, { etag: told!.etag });
  const outdated = { since: "2026-05-04T00:00:00.000Z", isInPart: true };
  const asked = async (limit: number): Promise<readonly { readonly id: string; readonly outdated?: unknown }[]> => {
    const result = await call(client, "recall", { query: "Who writes in Vim on a small laptop?", limit });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    return (result.structuredContent as { readonly memories: readonly { readonly id: string }[] }).memories;
  };
  const [alone] = await asked(1);
  expect(alone?.outdated).toEqual({
    ...outdated,
    now: [{ id: instead!.id, text: "Vera &lt;b>now&lt;/b> types in Zed." }],
  });
  // Who is told of one memory alone is told so as well, whatever else was found.
  const why = await call(client, "why", { id: alone!.id, query: "Who writes in Vim on a small laptop?" });
  expect(why.structuredContent).toMatchObject({ isRecalled: true, outdated: alone!.outdated });
  const prompt = await client.getPrompt({
    name: "with_memory",
    arguments: { question: "Who writes in Vim on a small laptop?" },
  });
  expect(JSON.stringify(prompt)).toContain(
    String.raw`\"outdated\":{\"since\":\"2026-05-04T00:00:00.000Z\",\"isInPart\":true`,
  );
});

test("a memory that is elsewhere is as little there as one that never was", async () => {
  const client = await connectClient(loci, ["user:ned"]);
  const { id } = await loci.memories.remember({ text: "Bob's.", scope: "user:bob" });
  const none = "01a228ab-d806-7289-8d20-8862b08f5adc";
  for (const [name, input] of [
    ["why", { query: "Whose?" }],
    ["forget", {}],
  ] as const) {
    const elsewhere = textOf(await call(client, name, { ...input, id }));
    const never = textOf(await call(client, name, { ...input, id: none }));
    expect(elsewhere).toMatch(/^MEMORY_NOT_FOUND: .*\nPass the id of a memory as recall gives it\./);
    expect(elsewhere.replaceAll(id, none)).toBe(never);
  }
});
