// The example of the README, run.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { instructionsNotice } from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import { expect, test } from "vitest";
import { remembering } from "../../../docs/examples/memory-in-any-loop.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();

test("what a user says in one chat is known in the next", async () => {
  const user = randomUUID();
  const shown: string[] = [];
  const { answer, settled } = remembering(at.loci, async (instructions, messages) => {
    expect(instructions).toContain(instructionsNotice);
    shown.push(messages.at(-1)?.content ?? "");
    return "Noted.";
  });
  const asked = (content: string): readonly TurnInput[] => [{ role: "user", content }];
  await answer({ user, chat: "monday", messages: asked("I prefer window seats on every flight.") });
  await settled();
  await at.loci.settled();
  const { captures } = await at.loci.captures.list({ scopes: [`user:${user}`] });
  for (const { id } of captures) await at.loci.captures.wait(id);
  await answer({ user, chat: "tuesday", messages: asked("Which seat on my flight?") });
  await settled();
  expect(shown[0]).toBe("I prefer window seats on every flight.");
  expect(shown[1]).toMatch(/^<loci-remembered>[^]*window seats[^]*\n\nWhich seat on my flight\?$/);
  expect((await at.loci.sessions.get({ scope: `user:${user}`, id: "tuesday" })).lastTurn).toBe(2);
});

test("the README shows what is run here", async () => {
  const root = join(import.meta.dirname, "../../..");
  const readme = await readFile(join(root, "packages/agent/README.md"), "utf8");
  const example = await readFile(join(root, "docs/examples/memory-in-any-loop.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example.slice(example.indexOf("\n") + 1)}\`\`\``);
});
