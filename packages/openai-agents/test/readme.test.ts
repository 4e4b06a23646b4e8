// What the README shows, run with a model that says what it is told to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assistantMessage, ScriptedModel } from "@openai/agents-core/testing";
import { beforeAll, expect, test } from "vitest";
import { makeAssistant } from "../../../docs/examples/memory-in-openai-agents.ts";
import { openedLoci } from "./opened-loci.ts";

const opened = openedLoci();
const root = join(import.meta.dirname, "../../..");

// The first recall reads a model, which may take longer than a question waits.
beforeAll(async () => {
  await opened.loci.recall({ query: "What is it?", scopes: ["user:ann"] });
});

test("what is said in one chat is known in the next", async () => {
  const model = new ScriptedModel([[assistantMessage("Noted.")], [assistantMessage("Not the prawns.")]]);
  const { ask, settled } = makeAssistant(opened.loci, model);
  expect(await ask({ user: "ann", chat: "monday" }, "I am allergic to shellfish.")).toBe("Noted.");
  await settled();
  const session = { scope: "user:ann", id: "monday" } as const;
  await opened.loci.sessions.close(session);
  for (const { id } of (await opened.loci.captures.list({ session })).captures) await opened.loci.captures.wait(id);
  expect(await ask({ user: "ann", chat: "tuesday" }, "What can I order here?")).toBe("Not the prawns.");
  expect(JSON.stringify(model.lastCall?.request.input)).toContain("allergic to shellfish");
  await settled();
});

test("the README shows what is run", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, file = "", code] = /^<!-- (\S+) -->\n\n```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  expect(code).toBe(readFileSync(join(root, file), "utf8"));
  expect(code?.split("\n").length).toBeLessThanOrEqual(31);
});
