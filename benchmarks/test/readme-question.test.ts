// The README asks one question of the demo's memories: the first three answer it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importConversations, importMarkdown } from "@loci/file-import";
import { openLocalEmbedder } from "@loci/embedding";
import { expect, test } from "vitest";
import { openTemporaryLoci } from "../src/quality/replay.ts";

const root = join(import.meta.dirname, "../..");
const scope = "project:loci";
const query = "why is the vector store not our database?";

test("the README's own question is answered in the first three", { timeout: 120_000 }, async () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(query);
  await using loci = await openTemporaryLoci(await openLocalEmbedder());
  await importMarkdown(loci, { paths: [join(root, "docs/decisions"), join(root, "README.md")], scope, root });
  await importConversations(loci, { file: join(root, "docs/conversations/building-loci.jsonl"), scope });
  await loci.settled();
  const { hits } = await loci.recall({ query, scopes: [scope], limit: 3 });
  expect(hits.map(({ memory }) => memory.text).join("\n")).toContain("every index is a projection of that log");
});
