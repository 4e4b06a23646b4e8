// What the README shows, run with a model that says what it is told to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAssistant } from "../../../docs/examples/memory-in-langchain.ts";
import { makeNotesAgent } from "../../../docs/examples/store-in-langgraph.ts";
import { lociTools } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";
import { ScriptedModel } from "./scripted-model.ts";

const root = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

test("what is said in one chat is known in the next", async () => {
  await using opened = await openedLoci();
  const { loci } = opened;
  const model = new ScriptedModel("Noted.", "Not the prawns.");
  const { ask, settled } = makeAssistant(loci, model);
  expect(await ask({ user: "ann", chat: "monday" }, "I am allergic to shellfish.")).toBe("Noted.");
  await settled();
  const session = { scope: "user:ann", id: "monday" } as const;
  for (const { id } of (await loci.captures.list({ session })).captures) await loci.captures.wait(id);
  expect(await ask({ user: "ann", chat: "tuesday" }, "What can I order here?")).toBe("Not the prawns.");
  expect(model.shown[1]?.at(-1)?.text).toContain("allergic to shellfish");
  await settled();
});

test("what a graph's tools keep for one user is found for that user alone", async () => {
  await using opened = await openedLoci();
  const model = new ScriptedModel(
    { name: "note", args: { about: "tea", text: "Ann drinks Assam." }, id: "call-1" },
    "Noted.",
    { name: "find", args: { query: "Which tea?" }, id: "call-2" },
    "Assam.",
    { name: "find", args: { query: "Which tea?" }, id: "call-3" },
    "I do not know.",
  );
  const agent = makeNotesAgent(opened.loci, model);
  const ask = async (user: string, question: string): Promise<readonly string[]> => {
    const asked = { messages: [{ role: "user", content: question }] };
    const { messages } = await agent.invoke(asked, { configurable: { user } });
    return messages.map(({ text }) => text).slice(-2);
  };
  expect(await ask("ann", "I drink Assam.")).toEqual(["Noted.", "Noted."]);
  expect(await ask("ann", "Which tea do I drink?")).toEqual(['[{"about":"tea","text":"Ann drinks Assam."}]', "Assam."]);
  expect(await ask("anna", "Which tea do I drink?")).toEqual(["[]", "I do not know."]);
  const kept = await opened.loci.memories.get({ scope: "agent:notes", key: '["notes","ann","tea"]' });
  expect(kept.text).toBe("Ann drinks Assam.");
});

test("the README shows what is run, and names every tool", () => {
  const shown = Array.from(readme.matchAll(/^<!-- (\S+) -->\n\n```ts\n(.*?)^```$/gms));
  expect(shown).toHaveLength(2);
  for (const [, file = "", code] of shown) {
    expect(code).toBe(readFileSync(join(root, file), "utf8"));
    expect(code?.split("\n").length).toBeLessThanOrEqual(36);
  }
  const conversation = { scope: "user:ann" } as const;
  for (const { name } of lociTools({ loci: {} as never, conversation })) expect(readme).toContain(`\`${name}\``);
});
