import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const slot = "editor";
const at = Date.UTC(2025, 0, 1);

test("a context shows the newer value of a slot right before the older one, though much else is nearer to the question", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const tips = Array.from({ length: 300 }, (_, chapter) => `A favourite tip for Vim, of chapter ${chapter}.`);
  const [old, newer] = await loci.memories.rememberMany([
    { text: "My favourite editor is Vim.", scope, slot, createdAt: at },
    { text: "Writes in Helix.", scope, slot, createdAt: at + 2 },
    ...tips.map((text) => ({ text, scope, createdAt: at }) as const),
  ]);
  const query = "Which editor is my favourite?";
  const { hits } = await loci.recall({ query, scopes: [scope] });
  expect(hits.find(({ memory }) => memory.id === old?.id)?.outdated).toEqual({
    since: at + 2,
    isInPart: false,
    replacedBy: [newer?.id],
  });
  expect(hits.some(({ memory }) => memory.id === newer?.id)).toBe(false);
  const { text } = await loci.assemble({ query, recall: { scopes: [scope] } });
  expect(text).toMatch(/Writes in Helix\.[^A-Z]*outdated="true"[^>]*>\s*My favourite editor is Vim\./u);
  // Nobody gets more who names how many are wanted.
  const few = await loci.assemble({ query, recall: { scopes: [scope], limit: 3 } });
  expect(few.text).toContain('outdated="true"');
  expect(few.text).not.toContain("Helix");
});
