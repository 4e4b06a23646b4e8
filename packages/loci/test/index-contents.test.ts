import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { type Filter, type Loci, openLoci, type OpenLociOptions, type RecallResult } from "@loci/loci";
import type { Ledger } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";

let dataDirectory: string;
beforeEach(async () => (dataDirectory = await mkdtemp(join(tmpdir(), "loci-contents-"))));
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const scopes = ["user:alice"] as const;
let embedded = 0;

/** Counts the texts that are embedded to be kept. */
function open(options: Partial<OpenLociOptions> = {}): Promise<Loci> {
  const embedder = deterministicEmbedder();
  return openLoci({
    tenant: "acme",
    dataDirectory,
    index: "embedded",
    embedder: {
      ...embedder,
      embed: (texts, call) => {
        if (call.kind === "document") embedded += texts.length;
        return embedder.embed(texts, call);
      },
    },
    ...options,
  });
}

function texts({ hits }: RecallResult): readonly string[] {
  return hits.map(({ memory }) => memory.text);
}

test("metadata that is declared later can be filtered by, and costs no embedding", async () => {
  const where: Filter = { field: "metadata.area", operator: "equals", value: "editor" };
  const ask = { query: "theme", scopes, where };
  {
    await using loci = await open();
    await loci.memories.rememberMany([
      { text: "The theme is Solarized.", scope: "user:alice", metadata: { area: "editor" } },
      { text: "The theme is Nord.", scope: "user:alice", metadata: { area: 7 } },
    ]);
    await loci.settled();
    await expect(loci.recall(ask)).rejects.toMatchObject({ reason: "INVALID_FILTER", field: "where.field" });
  }
  embedded = 0;
  for (const _ of ["built again", "as it was left"]) {
    await using loci = await open({ metadataFields: { area: "string" } });
    expect(texts(await loci.recall(ask))).toEqual(["The theme is Solarized."]);
    await loci.settled();
    expect(texts(await loci.recall(ask))).toEqual(["The theme is Solarized."]);
  }
  {
    // What was written before the declaration and has another type is no error, and is not found by it.
    await using loci = await open({ metadataFields: { area: "number" } });
    await expect(loci.recall(ask)).rejects.toMatchObject({ reason: "INVALID_FILTER", field: "where.value" });
    const seven: Filter = { field: "metadata.area", operator: "equals", value: 7 };
    await loci.settled();
    expect(texts(await loci.recall({ ...ask, where: seven }))).toEqual(["The theme is Nord."]);
  }
  expect(embedded).toBe(0);
});

test("another language finds what is stored in its forms, and what names it is refused when it is not known", async () => {
  const ask = { query: "Rechnungen", scopes };
  // Words alone: the embedder of this test knows no meaning.
  const found = async (loci: Loci): Promise<number> =>
    (await loci.recall({ ...ask, explain: true })).hits.filter(({ parts }) => parts.text > 0).length;
  {
    await using loci = await open();
    await loci.memories.remember({ text: "Die Rechnung liegt im Archiv.", scope: "user:alice" });
    await loci.settled();
    expect(await found(loci)).toBe(0);
  }
  embedded = 0;
  for (const language of ["german", "german", "none", "german"] as const) {
    await using loci = await open({ language });
    const before = await found(loci);
    await loci.settled();
    expect([before, await found(loci)]).toEqual(language === "german" ? [1, 1] : [0, 0]);
  }
  {
    // Who says nothing of it goes on as it was, and builds nothing.
    await using loci = await open();
    expect(await found(loci)).toBe(1);
  }
  expect(embedded).toBe(0);
  await expect(open({ language: "klingon" as "german" })).rejects.toMatchObject({ field: "language" });
});

test("each tenant has the scoring profile it was configured with, from which a call may differ", async () => {
  const scoring = { profile: "archive", tenants: { acme: { neighbourFactor: 0.5, staleFactor: 0.25 } } } as const;
  await using loci = await open({ scoring });
  const rotation = { owner: "alice", session: "one" };
  await loci.memories.remember({ text: "The theme is Nord.", scope: "user:alice" });
  await loci.recall({ query: "theme", scopes, rotation });
  const stale = async (changes: object): Promise<number | undefined> => {
    const other = { ...rotation, session: "two" };
    return (await loci.recall({ query: "theme", scopes, rotation: other, explain: true, ...changes })).hits[0]?.parts
      .stale;
  };
  expect(await stale({})).toBe(0.25);
  expect(await stale({ profile: { boostPerTag: 0 } })).toBe(0.25);
  expect(await stale({ profile: { staleFactor: 0.75 } })).toBe(0.75);
  expect(await stale({ profile: "assistant" })).toBe(0.5);
  await expect(open({ scoring: { tenants: { acme: { staleFactor: 2 } } } })).rejects.toMatchObject({
    reason: expect.stringMatching(/INVALID_CONFIGURATION|DATA_DIRECTORY_LOCKED/),
  });
});

test("an index of an older analyser is built again", async () => {
  const ask = { query: "GRÖSSE", scopes };
  {
    await using loci = await open();
    await loci.memories.remember({ text: "Die größe des Krakens.", scope: "user:alice" });
    await loci.settled();
  }
  const setting = "index-contents:embedded";
  {
    await using ledger = await openLedger();
    expect(await ledger.settings.get(undefined, setting)).toBe("english/4 []");
    await ledger.settings.set(undefined, setting, "english []");
  }
  embedded = 0;
  {
    await using loci = await open();
    await loci.settled();
    expect(texts(await loci.recall(ask))).toEqual(["Die größe des Krakens."]);
  }
  expect(embedded).toBe(0);
  await using ledger = await openLedger();
  expect(await ledger.settings.get(undefined, setting)).toBe("english/4 []");
});

async function openLedger(): Promise<Ledger & AsyncDisposable> {
  const ledger = await openSqliteLedger({ directory: dataDirectory });
  return Object.assign(ledger, { [Symbol.asyncDispose]: () => ledger.close() });
}
