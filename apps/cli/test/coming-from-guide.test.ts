// What `docs/guides/coming-from-another-memory.md` shows, run: the calls, and what other stores' programs print brought over.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Memory, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addMessages, bringBlocks, bringConversation, replaceFact } from "../../../docs/examples/bring-memories.ts";
import { runCommand } from "./run-command.ts";

const root = join(import.meta.dirname, "../../..");
const program = join(root, "docs/examples/bring-memories.ts");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-coming-from-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As the stores' own libraries print them. */
const records: Readonly<Record<string, readonly object[]>> = {
  mem0: [
    {
      id: "f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c",
      memory: "Ann plans a trip to Oslo.",
      hash: "d41d8cd98f00b204e9800998ecf8427e",
      metadata: { topic: "travel", nested: { no: 1 } },
      created_at: "2026-01-05T09:00:00.123456+00:00",
      updated_at: null,
      user_id: "ann",
      agent_id: "clerk",
    },
  ],
  letta: [
    {
      id: "passage-1",
      agent_id: "agent-7",
      text: "The coach is Mara.",
      created_at: "2026-02-01T08:00:00Z",
      tags: ["people"],
    },
  ],
  zep: [
    {
      uuid: "0b1c",
      user_id: "bo",
      fact: "Bo works at Acme.",
      name: "WORKS_AT",
      created_at: "2026-03-02T00:00:00Z",
      valid_at: "2026-01-01T00:00:00Z",
      invalid_at: "2026-06-01T00:00:00Z",
    },
    {
      uuid: "0b1d",
      user_id: "bo",
      fact: "Bo works at Initech.",
      created_at: "2026-06-02T00:00:00Z",
      valid_at: "2026-06-01T00:00:00Z",
    },
    {
      uuid: "0b1e",
      user_id: "bo",
      fact: "Bo has a cold.",
      created_at: "2026-06-02T00:00:00Z",
      valid_at: "2026-06-01T00:00:00Z",
      expired_at: "2026-06-01T00:00:00Z",
    },
  ],
  langmem: [
    {
      namespace: ["memories", "cleo"],
      key: "k1",
      value: { content: "Cleo likes tea." },
      created_at: "2026-04-01T00:00:00+00:00",
      score: null,
    },
    {
      namespace: ["memories", "cleo"],
      key: "k2",
      value: { kind: "Memory", content: { content: "Cleo sails." } },
      created_at: "2026-04-02T00:00:00+00:00",
    },
    {
      namespace: ["profiles", "cleo"],
      key: "k3",
      value: { kind: "Profile", content: { age: 40 } },
      created_at: "2026-04-03T00:00:00+00:00",
    },
  ],
};

test("memories of each store come over with their times, and a second time nothing changes", async () => {
  const data = join(folder, "data");
  for (const [store, lines] of Object.entries(records)) {
    const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    const file = join(folder, `${store}.jsonl`);
    writeFileSync(file, execFileSync(process.execPath, [program, store], { input, encoding: "utf8" }));
    const first = await runCommand(["import", file, "--data", data]);
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining(`From exports: ${lines.length} ${lines.length === 1 ? "memory" : "memories"}.`),
    });
    // What stores export as one piece of JSON becomes the same lines.
    for (const whole of [lines, { results: lines, next: null }]) {
      const piece = JSON.stringify(whole, undefined, 2);
      expect(execFileSync(process.execPath, [program, store], { input: piece, encoding: "utf8" })).toBe(
        readFileSync(file, "utf8"),
      );
    }
    const second = await runCommand(["import", file, "--data", data]);
    expect(second.out).toContain(`From exports: 0 memories. ${lines.length} were there`);
  }
  const list = async (scope: string): Promise<readonly Memory[]> => {
    const { out } = await runCommand(["memories", "list", "--scope", scope, "--data", data, "--json"]);
    return (JSON.parse(out) as { memories: readonly Memory[] }).memories;
  };
  expect(await list("user:ann")).toMatchObject([
    {
      text: "Ann plans a trip to Oslo.",
      origin: "import",
      createdAt: Date.parse("2026-01-05T09:00:00.123Z"),
      metadata: { topic: "travel", user_id: "ann", agent_id: "clerk" },
      provenance: { sourceId: "mem0:f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c" },
    },
  ]);
  expect(await list("agent:agent-7")).toMatchObject([{ text: "The coach is Mara.", tags: ["people"] }]);
  expect(Object.fromEntries((await list("user:bo")).map(({ text, validTo }) => [text, validTo]))).toEqual({
    "Bo has a cold.": Date.parse("2026-06-01T00:00:00.001Z"),
    "Bo works at Acme.": Date.parse("2026-06-01T00:00:00Z"),
    "Bo works at Initech.": undefined,
  });
  expect((await list("user:cleo")).map(({ text, tags }) => [text, tags])).toEqual([
    ['{"age":40}', ["profiles"]],
    ["Cleo sails.", ["memories"]],
    ["Cleo likes tea.", ["memories"]],
  ]);
  const recall = async (...more: readonly string[]): Promise<string> =>
    (await runCommand(["recall", "Where does Bo work?", "--scope", "user:bo", "--data", data, ...more])).out;
  expect(await recall()).not.toContain("Acme");
  expect(await recall("--valid-at", "2026-03-01")).toContain("Acme");
});

test("an export of another store that is imported as it is, is refused with the way to bring it over", async () => {
  for (const [name, text] of [
    ["mem0.json", JSON.stringify({ results: records["mem0"] })],
    ["mem0.jsonl", `${JSON.stringify(records["mem0"]?.[0])}\n`],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { code, error } = await runCommand(["import", file, "--data", join(folder, "data")]);
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining("mem0, Letta, Zep or LangMem") as string,
    });
  }
});

test("blocks and conversations come over, messages become memories, and a fact is replaced", async () => {
  await using loci = await openLoci({ tenant: "acme", dataDirectory: join(folder, "data") });
  await bringBlocks(loci, "agent-7", [
    { label: "persona", value: "I coach swimmers." },
    { label: "human", value: "Ann swims on Mondays." },
  ]);
  const { text } = await loci.assemble({
    layout: "threeTier",
    blockOwners: ["agent:agent-7"],
    query: "Monday?",
    recall: { scopes: ["agent:agent-7"] },
  });
  expect(text).toContain("## human\nAnn swims on Mondays.");

  const at = Date.parse("2026-01-05T09:00:00Z");
  const said = Array.from({ length: 150 }, (_, number) => ({
    role: number % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `Turn ${number}.`,
    at: at + number * 1_000,
  }));
  const session = { scope: "user:ann", id: "january" } as const;
  expect(await bringConversation(loci, session, said)).toBe(150);
  expect((await loci.sessions.get(session)).createdAt).toBe(at);
  const { turns } = await loci.sessions.turns(session, { order: "newestFirst", pageSize: 1 });
  expect(turns).toMatchObject([{ number: 150, content: "Turn 149.", at: at + 149_000 }]);

  const learned = await addMessages(loci, "bo", [{ role: "user", content: "I live in Oslo.", at }]);
  expect(learned).toEqual(["ADD: The user lives in Oslo. (new)"]);
  const [old] = (await loci.memories.list({ scopes: ["user:bo"] })).memories;
  if (old === undefined) throw new Error("One was made.");
  const moved = await replaceFact(loci, old, "The user lives in Bergen.", at + 1_000);
  expect(await loci.memories.get(old.id)).toMatchObject({ validTo: at + 1_000, supersededBy: moved.id });
  const { hits } = await loci.recall({ query: "Where does the user live?", scopes: ["user:bo"] });
  expect(hits.map((hit) => hit.text)).toEqual(["The user lives in Bergen."]);
});

test("the guide shows what is run here", () => {
  const guide = readFileSync(join(root, "docs/guides/coming-from-another-memory.md"), "utf8");
  const example = readFileSync(program, "utf8");
  const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks.length).toBeGreaterThan(3);
  for (const code of blocks) expect(example).toContain(code);
});
