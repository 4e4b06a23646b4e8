import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConversationInput, openEngine, roles, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WordEmbedder } from "./word-embedder.ts";

// Written by the version before ledgers had identities, indexes owners and turns a key: two tenants with a batch, a
// conversation, and twice as many tokens as a number can hold.
const fixture = join(import.meta.dirname, "fixtures", "before-identities.tar.gz");

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-former-"));
  execFileSync("tar", ["-xzf", fixture, "-C", directory]);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A day later: what a request was answered is kept for seven days. */
const clock = (): number => Date.UTC(2026, 10, 23, 19);

const scope = "user:alice";
const conversation: ConversationInput = {
  session: "s",
  scope,
  turns: [
    { id: "1", speaker: "Alice", content: "We meet at noon.", at: 1_000 },
    { id: "2", speaker: "Alice", content: "Fine.", at: 2_000 },
  ],
};

test("a directory of a former version goes on with everything it has, twice", async () => {
  const problems: string[] = [];
  for (let time = 0; time < 2; time++) {
    await using engine = await openEngine({
      dataDirectory: directory,
      index: "embedded",
      embedder: new WordEmbedder("words", 64),
      reportProblem: (error) => void problems.push(String(error)),
    });
    for (const tenant of ["acme", "globex"]) {
      const loci = engine.for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] });
      const { hits, degraded } = await loci.recall({ query: "code", scopes: [scope] });
      expect([hits.map(({ text }) => text), degraded]).toEqual([[`The code of ${tenant} is 4711.`], []]);
      const turns = await loci.memories.rememberConversation(conversation);
      expect(turns.map(({ text }) => text)).toEqual(["Alice: We meet at noon.", "Alice: Fine."]);
      expect((await loci.memories.list({ scopes: [scope] })).memories.length).toBe(3);
      expect((await loci.budget.totals({})).inputTokens).toBe(Number.MAX_SAFE_INTEGER);
      await loci.settled();
      expect((await loci.maintenance.verify()).counts).toMatchObject({ rows: 6, missing: 0, stale: 0, foreign: 0 });
    }
  }
  expect(problems).toEqual([]);
  for (const name of readdirSync(directory))
    expect([name, statSync(join(directory, name)).mode & 0o077]).toEqual([name, 0]);
});

test("what is erased from a directory of a former version stays erased", async () => {
  await using engine = await openEngine({
    dataDirectory: directory,
    index: "embedded",
    embedder: new WordEmbedder("words", 64),
    clock,
  });
  const loci = engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
  await loci.maintenance.erase({ user: "alice" });
  const inputs = [{ text: "The code of acme is 4711.", scope }] as const;
  await expect(loci.memories.rememberMany(inputs, { requestId: "batch" })).rejects.toMatchObject({
    reason: "MEMORY_ERASED",
  });
  const turns = await loci.memories.rememberConversation(conversation);
  expect(turns.map(({ text }) => text)).toEqual(["Alice: Fine."]);
});
