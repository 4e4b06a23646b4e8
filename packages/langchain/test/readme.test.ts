// What the README shows, run with a model that says what it is told to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAssistant } from "../../../docs/examples/memory-in-langchain.ts";
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

test("the README shows what is run, and names every tool", () => {
  const [, file = "", code] = /^<!-- (\S+) -->\n\n```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  expect(code).toBe(readFileSync(join(root, file), "utf8"));
  expect(code?.split("\n").length).toBeLessThanOrEqual(31);
  const conversation = { scope: "user:ann" } as const;
  for (const { name } of lociTools({ loci: {} as never, conversation })) expect(readme).toContain(`\`${name}\``);
});
