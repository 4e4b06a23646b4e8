// What `docs/guides/guard-a-model-call.md` shows, run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatMessage } from "@loci/loci";
import { expect, test } from "vitest";
import { answerOrSay, look, openWithCaps } from "../../../docs/examples/guard-a-model-call.ts";

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/guides/guard-a-model-call.md"), "utf8");

const said = (count: number): readonly ChatMessage[] => [
  { role: "user", content: "Why does the report show a wrong total? We decided to keep the old layout." },
  ...Array.from({ length: count }, (_, step): ChatMessage => ({
    role: "assistant",
    content: `Step ${step}. ${"I read another page of the report and added up its rows. ".repeat(25)}`,
  })),
];

test("a call is made with messages that fit, and refused when it could cost more than it may", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-guard-guide-"));
  await using loci = await openWithCaps(directory);
  const shown: (readonly ChatMessage[])[] = [];
  const ask = async (
    messages: readonly ChatMessage[],
  ): Promise<{ text: string; inputTokens: number; outputTokens: number }> => {
    shown.push(messages);
    return { text: "Row 7 is counted twice.", inputTokens: 20_000, outputTokens: 5_000 };
  };
  const call = async (messages: readonly ChatMessage[]): Promise<string> =>
    answerOrSay(loci, { session: "monday", messages }, ask);
  expect(await call(said(3))).toBe("Row 7 is counted twice.");
  expect(shown[0]).toEqual(said(3));
  const long = said(40);
  expect(await call(long)).toBe("Row 7 is counted twice.");
  const [question, summary, ...others] = shown[1] ?? [];
  expect(question).toEqual(long[0]);
  expect(summary).toMatchObject({
    role: "user",
    content: expect.stringMatching(/^\[Summary of earlier conversation\]/),
  });
  expect(others).toEqual(long.slice(-others.length));
  // 50,000 tokens are used by now.
  expect(await call(said(1))).toBe("This conversation has used up what it may.");
  const huge = answerOrSay(
    loci,
    { session: "tuesday", messages: [{ role: "user", content: "word ".repeat(9_000) }] },
    ask,
  );
  expect(await huge).toBe("This message is too long for the model.");
  expect(shown).toHaveLength(2);
  expect(guide).toContain(await look(loci));
  await loci.close();
  rmSync(directory, { recursive: true });
});

test("the guide shows what is run here", () => {
  const example = readFileSync(join(root, "docs/examples/guard-a-model-call.ts"), "utf8");
  const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks).toHaveLength(4);
  for (const code of blocks) expect(example).toContain(code);
});
