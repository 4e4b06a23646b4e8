import { randomUUID } from "node:crypto";
import { anthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount } from "ai";
import { expect, test } from "vitest";
import { lociMemory } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";
import { calls, RecordingModel } from "./recording-model.ts";

const at = openedLoci();

test("a model keeps files, and is told what it did wrong", async () => {
  const owner = `user:${randomUUID()}` as const;
  const path = "/memories/trip.md";
  const model = new RecordingModel([
    calls("memory", { command: "create", path, file_text: "Oslo on Friday.\n" }, "c1"),
    calls("memory", { command: "str_replace", path, old_str: "Monday", new_str: "Friday" }, "c2"),
    calls("memory", { command: "view", path }, "c3"),
    "Noted.",
  ]);
  const execute = lociMemory({ loci: at.loci, owner, policy: "auto" });
  const tools = { memory: anthropic.tools.memory_20250818({ execute }) };
  const { text } = await generateText({ model, prompt: "I fly on Friday.", tools, stopWhen: isStepCount(5) });
  expect(text).toBe("Noted.");
  const shown = JSON.stringify(model.prompts.at(-1));
  expect(shown).toContain(`File created successfully at: ${path}`);
  expect(shown).toContain(`No replacement was performed, old_str \`Monday\` did not appear verbatim in ${path}.`);
  expect(shown).toContain(JSON.stringify("     1\tOslo on Friday.\n     2\t").slice(1, -1));
});

test("a command ends with its call", async () => {
  const execute = lociMemory({ loci: at.loci, owner: `user:${randomUUID()}`, policy: "auto" });
  const command = { command: "create", path: "/memories/a", file_text: "" };
  await expect(execute(command, { abortSignal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(await execute({ command: "view", path: "/memories" })).not.toContain("/memories/a");
});
