// The example of the README, run.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ModelScript } from "@loci/agent/conformance";
import { expect, test } from "vitest";
import { withMemory } from "../../../docs/examples/memory-in-mastra.ts";
import { openedLoci } from "./opened-loci.ts";
import { scriptedModel } from "./scripted-model.ts";

const at = openedLoci();

test("what a user says in one chat is known in the next", async () => {
  const user = randomUUID();
  const script = new ModelScript([{ says: "Noted." }, { says: "A window seat." }], new AbortController());
  const { answer, settled } = withMemory(at.loci, scriptedModel(script));
  await answer(user, "monday", "I prefer window seats on every flight.");
  await settled();
  await at.loci.settled();
  const { captures } = await at.loci.captures.list({ scopes: [`user:${user}`] });
  for (const { id } of captures) await at.loci.captures.wait(id);
  expect(await answer(user, "tuesday", "Which seat on my flight?")).toBe("A window seat.");
  await settled();
  const [first, second] = script.shown.map(({ messages }) => messages.at(-1)?.text);
  expect(first).toBe("I prefer window seats on every flight.");
  expect(second).toMatch(/^<loci-remembered>[^]*window seats[^]*\n\nWhich seat on my flight\?$/);
  expect((await at.loci.sessions.get({ scope: `user:${user}`, id: "tuesday" })).lastTurn).toBe(2);
});

test("the README shows what is run here", async () => {
  const root = join(import.meta.dirname, "../../..");
  const readme = await readFile(join(root, "packages/mastra/README.md"), "utf8");
  const example = await readFile(join(root, "docs/examples/memory-in-mastra.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example.slice(example.indexOf("\n") + 1)}\`\`\``);
});
