// What `docs/guides/follow-changes.md` shows, run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { expect, test, vi } from "vitest";
import { type Copy, follow } from "../../../docs/examples/follow-changes.ts";

test("a copy follows, stops, and goes on where it stood", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "loci-follow-"));
  const loci = await openLoci({ tenant: "acme", dataDirectory });
  const remember = (text: string): ReturnType<typeof loci.memories.remember> =>
    loci.memories.remember({ text, scope: "user:ann" });
  const copy: Copy = { memories: new Map(), cursor: undefined };
  const texts = (): readonly string[] => [...copy.memories.values()].map(({ text }) => text);
  try {
    const ferry = await remember("The ferry leaves at nine.");
    for (const text of ["The inn is in Oslo.", "The dog stays at home."]) {
      const stop = new AbortController();
      const following = follow(loci, copy, stop.signal).catch((error: unknown) => error);
      await remember(text);
      await vi.waitFor(() => expect(texts()).toContain(text));
      stop.abort();
      expect(await following).toMatchObject({ reason: "CANCELLED" });
      // While nobody follows.
      await loci.memories.forget(ferry.id).catch(() => undefined);
    }
    expect(texts()).toEqual(["The inn is in Oslo.", "The dog stays at home."]);
  } finally {
    await loci.close();
    await rm(dataDirectory, { recursive: true });
  }
});

test("the guide shows what is run here and by the tests of Python and Go", async () => {
  const docs = join(import.meta.dirname, "../../../docs");
  const guide = await readFile(join(docs, "guides/follow-changes.md"), "utf8");
  for (const [language, file] of [
    ["ts", "follow-changes.ts"],
    ["python", "follow-changes.py"],
    ["go", "follow-changes.go"],
  ]) {
    const [code] = Array.from(guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "gu")), ([, one]) => one);
    expect(await readFile(join(docs, "examples", file ?? ""), "utf8")).toContain(code);
  }
});
