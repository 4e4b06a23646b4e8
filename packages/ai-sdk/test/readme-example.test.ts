// The example of the README, run.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { withMemory } from "../../../docs/examples/memory-in-ai-sdk.ts";
import { openedLoci } from "./opened-loci.ts";
import { calls, RecordingModel } from "./recording-model.ts";

const at = openedLoci();

test("what a user says in one chat is known in the next", async () => {
  const user = randomUUID();
  const model = new RecordingModel([
    "Noted.",
    calls("remember", { text: "Ann flies to Oslo on Friday." }, "c1"),
    "I keep it.",
    "To Oslo.",
  ]);
  const { answer, settled } = withMemory(at.loci, model);
  const ask = async (chat: string, messages: ModelMessage[]): Promise<string> => {
    const { text, responseMessages } = answer({ user, chat, messages });
    const answered = await text;
    messages.push(...(await responseMessages));
    await settled();
    return answered;
  };
  const monday: ModelMessage[] = [{ role: "user", content: "I prefer window seats on every flight." }];
  expect(await ask("monday", monday)).toBe("Noted.");
  expect(await ask("monday", [...monday, { role: "user", content: "I fly to Oslo on Friday." }])).toBe("I keep it.");
  await at.loci.settled();
  const { captures } = await at.loci.captures.list({ scopes: [`user:${user}`] });
  for (const { id } of captures) await at.loci.captures.wait(id);

  expect(await ask("tuesday", [{ role: "user", content: "Where do I fly on Friday?" }])).toBe("To Oslo.");
  const shown = JSON.stringify(model.prompts.at(-1));
  expect(shown).toContain("prefers window seats");
  expect(shown).toContain("Ann flies to Oslo on Friday.");
  const { sessions } = await at.loci.sessions.list({ scopes: [`user:${user}`] });
  expect(Object.fromEntries(sessions.map(({ id, lastTurn }) => [id, lastTurn]))).toEqual({ monday: 6, tuesday: 2 });
});

test("the README shows what is run here", async () => {
  const root = join(import.meta.dirname, "../../..");
  const readme = await readFile(join(root, "packages/ai-sdk/README.md"), "utf8");
  const example = await readFile(join(root, "docs/examples/memory-in-ai-sdk.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example.slice(example.indexOf("\n") + 1)}\`\`\``);
});
