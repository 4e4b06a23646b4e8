import { type Loci, type ScopeText } from "@loci/loci";
import { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { changedLines } from "../src/decisions/shown-lines.ts";
import { call, textOf } from "./call-tool.ts";
import { connectClient, environmentOf, serveInMemory } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

const label = "human";

/** A client whose person approves whatever they are shown. */
async function approvingClient(scope: ScopeText, shown: string[] = []): Promise<Client> {
  const client = new Client(
    { name: "approving", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: { decision: "approve" } };
  });
  await client.connect(serveInMemory(environmentOf(loci, [scope])));
  await client.listTools();
  return client;
}

test("a block that is not there is told from none at all", async () => {
  const client = await connectClient(loci, ["user:ben", "project:ben"]);
  expect(textOf(await call(client, "view_blocks", {}))).toBe(
    "There are no blocks yet. The user can make one: loci blocks create human --scope user:ben",
  );
  await loci.blocks.create({ owner: "project:ben", label: "core_memory" });
  expect(textOf(await call(client, "view_blocks", { label }))).toBe(
    "There is no block of that label. There are: core_memory of project:ben.",
  );
  const everybodys = await connectClient(loci, ["global"]);
  expect(textOf(await call(everybodys, "view_blocks", {}))).toContain("users, agents, teams and projects have them");
});

test("what waits for a person is told without its words, and is not proposed twice", async () => {
  const owner = "user:cleo";
  await loci.blocks.create({ owner, label, values: { name: "Cleo" } });
  await loci.blocks.create({ owner, label: "core_memory" });
  const client = await connectClient(loci, [owner]);
  const operations = [
    { op: "set", field: "role", value: "smith" },
    { op: "append", field: "facts", value: "has a forge" },
  ];
  const first = await call(client, "edit_block", { label, operations, reason: "She said so" });
  const { id } = first.structuredContent as { id: string };
  const again = await call(client, "edit_block", { label, operations, reason: "She said it again" });
  expect(again.structuredContent).toEqual(first.structuredContent);
  expect(textOf(again)).toMatch(new RegExp(`^That waits already, as edit ${id}: it takes effect when`));
  const other = [{ op: "set", field: "role", value: "farrier" }];
  const another = await call(client, "edit_block", { label, operations: other, reason: "She said so" });
  expect(another.structuredContent).not.toMatchObject({ id });
  expect((await loci.blocks.listEdits({ owner })).edits).toHaveLength(2);

  const seen = await call(client, "view_blocks", {});
  expect(textOf(seen)).toContain(`\nA change waits for the user: set role, append facts (edit ${id}).\n`);
  expect(textOf(seen)).not.toMatch(/smith|forge/);
  expect(textOf(seen).match(/A change waits/g)).toHaveLength(2);
  expect(seen.structuredContent).toMatchObject({
    blocks: [{ label: "core_memory" }, { label, waiting: [{ id, changes: "set role, append facts" }, {}] }],
  });
});

test("what leaves a full list is told with the proposal, and the form shows that and nothing that stays", async () => {
  const owner = "user:dov";
  await loci.blocks.create({ owner, label, values: { facts: ["has a <cat>", "eats no nuts", "lives in Oslo"] } });
  const shown: string[] = [];
  const client = await approvingClient(owner, shown);
  expect(textOf(await call(client, "view_blocks", {}))).toContain(
    "facts (list, at most 3, then the oldest becomes a memory):",
  );
  const operations = [{ op: "append", field: "facts", value: "works at a quay" }];
  const proposed = await call(client, "edit_block", { label, operations, reason: "He said so" });
  expect(textOf(proposed)).toMatch(/To make room these leave .*and become memories:\n.*\n- facts: has a &lt;cat>$/s);
  expect(textOf(await call(client, "review", {}))).toBe("The user has approved it. Nothing else waits.");
  expect(shown[0]).toMatch(/\n\nfacts:\n- has a <cat>\n\+ works at a quay$/);
  const recalled = await call(client, "recall", { query: "Does he have a cat?" });
  expect(recalled.structuredContent).toMatchObject({ memories: [{ text: "has a &lt;cat>", source: "block:human" }] });
});

test("that an approved change was too long for the block is told to the model", async () => {
  const owner = "user:eli";
  await loci.blocks.create({ owner, label, values: { contextNotes: ["old ".repeat(180)] } });
  const client = await approvingClient(owner);
  const operations = [{ op: "append", field: "contextNotes", value: "new ".repeat(180) }];
  await call(client, "edit_block", { label, operations, reason: "A note" });
  expect(textOf(await call(client, "review", {}))).toMatch(/approved it\. The block was too long with it: its oldest/);
});

test("the form says that a change was proposed before another one of the same", async () => {
  const owner = "user:fox";
  await loci.blocks.create({ owner, label, values: { name: "Fox" } });
  const shown: string[] = [];
  const client = await approvingClient(owner, shown);
  for (const value of ["Foxy", "Fuchs"])
    await call(client, "edit_block", { label, operations: [{ op: "set", field: "name", value }], reason: "So" });
  await call(client, "review", {});
  await call(client, "review", {});
  const says = shown.map((form) =>
    form.includes("\nThe block has changed in the same place since this was proposed.\n"),
  );
  expect(says).toEqual([false, true]);
});

test("what waits and can not be approved as it is any more is proposed anew", async () => {
  const owner = "user:fay";
  await loci.blocks.create({ owner, label, values: { name: "Fay" } });
  const client = await approvingClient(owner);
  const propose = async (value: string): Promise<string> => {
    const operations = [{ op: "set", field: "name", value }];
    const { structuredContent } = await call(client, "edit_block", { label, operations, reason: "So" });
    return (structuredContent as { id: string }).id;
  };
  await propose("Fayette");
  const waiting = await propose("Faye");
  expect(await propose("Faye")).toBe(waiting);
  await call(client, "review", {});
  expect(await propose("Faye")).not.toBe(waiting);
});

test("a version that never was is told by the name that the tool has for it", async () => {
  const owner = "user:gus";
  await loci.blocks.create({ owner, label, values: { name: "Gus" } });
  const client = await connectClient(loci, [owner]);
  const operations = [{ op: "set", field: "name", value: "August" }];
  for (const version of [9, -1, 1.5]) {
    const refused = textOf(await call(client, "edit_block", { label, version, operations, reason: "So" }));
    expect(refused).toMatch(/^VERSION_NOT_FOUND: .*\nPass as version what view_blocks shows, or leave it out\.$/);
    expect(refused).not.toContain("baseVersion");
  }
});

test("entries that change places are shown all", () => {
  const change = { field: "facts", before: ["one", "two"], after: ["two", "one", "three"] };
  expect(changedLines([change])).toEqual(["facts:", "- one", "- two", "+ two", "+ one", "+ three"]);
  expect(changedLines([{ field: "facts", after: ["one\ntwo"] }])).toEqual(["facts:", "+ one", "+ two"]);
});

test("a line that stands there twice and then once is shown as it goes", () => {
  const shown = (before: string, after: string): readonly string[] => changedLines([{ field: "text", before, after }]);
  expect(shown("one\none", "one")).toEqual(["text:", "- one"]);
  expect(shown("one\ntwo\none", "one")).toEqual(["text:", "- two", "- one"]);
  expect(shown("one", "one\none")).toEqual(["text:", "+ one"]);
});
