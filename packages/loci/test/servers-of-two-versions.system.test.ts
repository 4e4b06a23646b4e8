import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTextAnalyser } from "@loci/core";
import { type Loci, type OpenedEngine, openEngine, type OpenEngineOptions, roles, tenantId } from "@loci/loci";
import type { PostgresLedger } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceLedger } from "./service-ledger.ts";
import { WordEmbedder } from "./word-embedder.ts";

/**
 * What servers of two versions are to each other on one PostgreSQL, without a checkout of another version: one of them is told
 * that the other has made the indexes by other rules, or what is recorded is changed to what a version to come would record.
 */
describe.skipIf(missingNativePostgres() !== undefined)("servers of two versions on one ledger", () => {
  const scope = "user:alice";
  let parent: string;
  let database: TestDatabase;
  let ledger: PostgresLedger;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "loci-two-versions-"));
    database = await openTestDatabase("native");
    ledger = await serviceLedger(database, 5);
  });
  afterAll(async () => {
    await database.drop();
    await rm(parent, { recursive: true, force: true });
  });

  /** A server of the ledger `name`. */
  function open(name: string, server: string, options: OpenEngineOptions = {}): Promise<OpenedEngine> {
    const { connectionString } = database;
    return openEngine({
      dataDirectory: join(parent, name, server),
      ledger: { ...ledger, schema: `ledger_${name}` },
      index: { kind: "pgvector", connectionString, maxConnections: 5, schema: `index_${name}` },
      embedder: new WordEmbedder("words", 16),
      ...options,
    });
  }

  function lociOf(engine: OpenedEngine): Loci {
    return engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
  }

  /** The words of each text in the index, in alphabetical order. */
  async function indexedWords(name: string): Promise<readonly string[]> {
    const rows = await database.execute(
      `SELECT (SELECT string_agg(word, ' ' ORDER BY word COLLATE "C")
         FROM string_to_table(trim(split_part(words, E'\\t', 1)), ' ') AS word) AS words
       FROM index_${name}.texts WHERE scope IS NOT NULL`,
    );
    return rows.map(({ words }) => String(words)).toSorted();
  }

  async function wordsOf(language: "english" | "german", texts: readonly string[]): Promise<readonly string[]> {
    const analyser = await loadTextAnalyser(language);
    return texts.map((text) => [...analyser.analyse(text).keys()].toSorted().join(" ")).toSorted();
  }

  test("what one writes whose rules are others is brought into the indexes by the one they were made for", async () => {
    const problems: string[] = [];
    const reportProblem = (error: unknown): void => void problems.push(String(error));
    const hers = await open("rules", "hers", { reportProblem });
    const [first] = [lociOf(hers)];
    const texts = ["The children were playing in the garden.", "Die Kinder spielten in den Gärten."];
    for (const text of texts) await first.memories.remember({ text, scope });
    await first.settled();
    expect(await indexedWords("rules")).toEqual(await wordsOf("english", texts));

    const his = await open("rules", "his", { language: "german", reportProblem });
    for (let number = 0; number < 20; number++) {
      texts.push(`Die Katzen schliefen ${number} Stunden auf den Stühlen.`);
      await first.memories.remember({ text: texts.at(-1) ?? "", scope });
    }
    await lociOf(his).settled();
    // Who waits on the server that may not write is served by the other one, too.
    await first.settled();
    expect(await indexedWords("rules")).toEqual(await wordsOf("german", texts));
    const { hits } = await first.recall({ query: "Stunden 19", scopes: [scope] });
    expect(hits[0]?.memory.text).toBe(texts.at(-1));

    // The one that may not write may have had no turn. Alone it has, and says why it writes nothing.
    await his.close();
    await first.memories.remember({ text: "Der Hund schlief.", scope });
    await expect.poll(() => problems.join("\n")).toContain('The indexes "pgvector" were made for other settings');
    expect(problems.join("\n")).toContain("german/");
    expect(await indexedWords("rules")).toEqual(await wordsOf("german", texts));
    await hers.close();
  }, 120_000);

  test("one that is older than the indexes of the others is not started on them, until they are removed", async () => {
    const newer = await open("older", "newer");
    const { id } = await lociOf(newer).memories.remember({ text: "The orchard has forty quince trees.", scope });
    await lociOf(newer).settled();
    await newer.close();
    const before = await indexedWords("older");
    const setting = "UPDATE ledger_older.settings SET value = 'english/900 []' WHERE name = 'index-contents:pgvector'";
    await database.execute(setting);

    await expect(open("older", "older")).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_TOO_NEW",
      message: expect.stringContaining("version 900") as string,
      advice: expect.stringContaining("Start the newer version") as string,
    });
    expect(await indexedWords("older")).toEqual(before);
    await database.execute("DROP SCHEMA index_older CASCADE");
    const again = await open("older", "older");
    await lociOf(again).settled();
    const { hits } = await lociOf(again).recall({ query: "quince trees", scopes: [scope] });
    expect([hits[0]?.memory.id, await indexedWords("older")]).toEqual([id, before]);
    await again.close();
  }, 120_000);

  test("one that runs when a newer one makes the indexes anew goes on with what it can, and says what it needs", async () => {
    const problems: string[] = [];
    const hers = await open("overtaken", "hers", { reportProblem: (error) => void problems.push(String(error)) });
    const loci = lociOf(hers);
    const { id } = await loci.memories.remember({ text: "The orchard has forty quince trees.", scope });
    await loci.settled();
    await database.execute("UPDATE index_overtaken.schema_version SET version = 900");
    const { id: later } = await loci.memories.remember({ text: "The marmalade is made in October.", scope });
    await expect.poll(() => problems.join("\n")).toContain("version 900");
    expect(await indexedWords("overtaken")).toEqual(await wordsOf("english", ["The orchard has forty quince trees."]));
    // What the index does not take is read from the log.
    const found = await loci.recall({ query: "When is the marmalade made? quince trees", scopes: [scope] });
    expect(found.hits.map(({ memory }) => memory.id).toSorted()).toEqual([id, later].toSorted());
    await hers.close();
  }, 120_000);
});
