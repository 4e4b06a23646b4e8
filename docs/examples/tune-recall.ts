// What `docs/guides/tune-recall.md` shows: languages, declared metadata, times, rotation and a reranker, in one program.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openLoci, type RecallRequest, type Reranker } from "@loci/loci";

/** Stands for a cross-encoder behind a server: it prefers what names a weekday. */
const reranker: Reranker = {
  maxCandidates: 20,
  rerank: async (_query, candidates) =>
    candidates.map(({ id, text }) => ({ id, score: /\b\w+tags?\b/u.test(text) ? 0.9 : 0.1 })),
};

const dataDirectory = await mkdtemp(join(tmpdir(), "loci-tune-"));
await using loci = await openLoci({
  tenant: "acme",
  dataDirectory,
  language: "german",
  metadataFields: { area: "string", priority: "number" },
  scoring: { profile: "assistant", tenants: { archive: "archive" } },
  reranker,
  rerankTimeLimit: 500,
});

const scope = "user:ada";
const month = 30 * 86_400_000;
const now = Date.now();
const old = await loci.memories.remember({
  text: "Wir liefern dienstags aus.",
  scope,
  validFrom: now - 6 * month,
  metadata: { area: "ops", priority: 2 },
});
await setTimeout(10);
const fresh = await loci.memories.remember({
  text: "Wir liefern donnerstags aus.",
  scope,
  validFrom: now - month,
  metadata: { area: "ops" },
});
await loci.memories.update(old.id, { validTo: now - month, supersededBy: fresh.id }, { etag: old.etag });
await loci.memories.remember({ text: "Die Auslieferungen leitet Mara.", scope, metadata: { area: "people" } });

const ask = async (title: string, request: Partial<RecallRequest>): Promise<void> => {
  const { hits, degraded } = await loci.recall({ query: "Wann liefern wir aus?", scopes: [scope], ...request });
  console.log(`${title}:`, hits.map(({ text }) => text).join(" | ") || "nothing", degraded.join(" "));
};

await ask("now", {});
await ask("true two months ago", { validAt: now - 2 * month });
await ask("known before the second was recorded", { knownAt: fresh.recordedAt - 1 });
await ask("of the area ops", { where: { field: "metadata.area", operator: "equals", value: "ops" } });

const rotation = { owner: "ada", session: "morning" };
const words: RecallRequest = { query: "Auslieferung", scopes: [scope], rotation };
await loci.recall(words);
const { hits } = await loci.recall({ ...words, rotation: { ...rotation, session: "noon" }, explain: true });
for (const { text, parts } of hits)
  console.log(`${text} relevance ${parts.relevance.toFixed(2)}, rerank ${parts.rerank}, stale ${parts.stale}`);

await loci.close();
await rm(dataDirectory, { recursive: true });
