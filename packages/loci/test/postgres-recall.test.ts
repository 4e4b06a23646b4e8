import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EncryptionKeys,
  type IndexChoice,
  type LocalLoci,
  openLoci,
  type RecallHit,
  type RememberInput,
} from "@loci/loci";
import {
  countStatements,
  missingNativePostgres,
  openTestDatabase,
  rememberTexts,
  type SentStatements,
  type TestDatabase,
} from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const words = ["ledger", "deploy", "billing", "cache", "Thursday", "invoice", "latency"];
/** In texts, tags and sources, and nowhere else in a database. */
const unlikeWords = ["thursday", "invoice", "upkeep", "chat-"];
const encryption: EncryptionKeys = { current: "first", keys: { first: new Uint8Array(32).fill(1) } };
const scopes = ["user:a", "agent:b", "global"] as const;
const evaluationTime = 1_800_000_000_000;

/** Facts, turns of conversations and procedures with tags, in three scopes. */
function memories(): readonly RememberInput[] {
  return Array.from({ length: 400 }, (_, number): RememberInput => {
    const text = `Note ${number}: the ${words[number % 7]} comes before the ${words[(number * 5) % 6]} in case ${number % 40}.`;
    const common = { text, scope: scopes[number % 3] ?? "global", createdAt: 1_790_000_000_000 + number * 1_000 };
    if (number % 20 === 0) return { ...common, category: "procedure", tags: ["upkeep", `step-${number % 3}`] };
    if (number % 4 !== 0) return common;
    return {
      ...common,
      provenance: { kind: "conversation", sourceId: `chat-${number % 8}`, position: Math.floor(number / 8) },
    };
  });
}

function questions(subject: string): readonly string[] {
  return words.map((word, number) => `What about the ${word} in ${subject} ${number}?`);
}

const parts: Readonly<Record<string, RegExp>> = {
  "changed rows": /text_recent|vectors_1_recent/u,
  changes: /AS wanted \(family\)/u,
  memories: /AS wanted \(ref, known\)/u,
  nearness: /<#>/u,
  neighbours: /place\.position - 1 AND place\.position \+ 1/u,
  places: /vectors_1_checkpoints/u,
  statistics: /sum\(total_length\)/u,
  tags: /FROM tags AS t/u,
  words: /inverse_frequency/u,
};

/** What a statement asks for; its beginning where that is nothing known. */
function partsOf(text: string): string {
  const found = Object.keys(parts).filter((part) => parts[part]?.test(text));
  if (found.length > 0) return found.join(", ");
  return /SELECT ref, version, length/u.test(text) ? "words of found rows" : text.slice(0, 80);
}

type PgvectorChoice = Extract<IndexChoice, { readonly kind: "pgvector" }>;

describe.skipIf(missingNativePostgres() !== undefined)("a recall with all of it in PostgreSQL", () => {
  let directory: string;
  let database: TestDatabase;

  beforeAll(async () => {
    rememberTexts();
    directory = await mkdtemp(join(tmpdir(), "loci-postgres-recall-"));
    database = await openTestDatabase("native");
    await database.execute(`CREATE ROLE ${role}`);
  });
  afterAll(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const role = `service_${randomUUID().slice(0, 8)}`;
  const pgvector = (kept: Pick<PgvectorChoice, "keptBytes" | "keepingPatience">): IndexChoice => ({
    kind: "pgvector",
    connectionString: database.connectionString,
    ...kept,
  });

  function open(index: IndexChoice, encryption?: EncryptionKeys): Promise<LocalLoci> {
    const { connectionString } = database;
    const ledger = { kind: "postgres", connectionString, ownerConnectionString: connectionString, role } as const;
    return openLoci({ tenant: "local", dataDirectory: join(directory, "data"), ledger, index, encryption });
  }

  /** Of the words those that stand in any row of any table, of the ledger and of the indexes. */
  async function foundInRows(): Promise<readonly string[]> {
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
           WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      );
      const found = new Set<string>();
      for (const { name } of tables) {
        // oxlint-disable-next-line no-await-in-loop -- One connection sends one statement at a time.
        const { rows } = await client.query<{ text: string }>(`SELECT lower(t::text) AS text FROM ${name} AS t`);
        for (const { text } of rows) for (const word of unlikeWords) if (text.includes(word)) found.add(word);
      }
      return unlikeWords.filter((word) => found.has(word));
    } finally {
      await client.end();
    }
  }

  async function hitsOf(loci: LocalLoci, query: string): Promise<readonly RecallHit[]> {
    return (await loci.recall({ query, scopes, evaluationTime })).hits;
  }

  /** Of several recalls the one with the fewest statements: what runs in the background beside one counts with it. */
  async function fewest(loci: LocalLoci, asked: readonly string[]): Promise<SentStatements> {
    const counted: SentStatements[] = [];
    for (const question of asked) {
      // oxlint-disable-next-line no-await-in-loop -- One at a time is counted.
      const { result, ...sent } = await countStatements(() => hitsOf(loci, question));
      expect(result).not.toEqual([]);
      counted.push(sent);
    }
    return counted.toSorted((left, right) => left.statements.length - right.statements.length)[0] as SentStatements;
  }

  test("takes five statements in three round trips, and finds what indexes in memory find", async () => {
    const asked = questions("case");
    const answers: (readonly RecallHit[])[] = [];
    {
      await using loci = await open(pgvector({ keptBytes: 0 }));
      await loci.memories.rememberMany(memories());
      await loci.settled();
      for (const question of questions("every case")) await hitsOf(loci, question);
      const { statements, exchanges, roundTrips } = await fewest(loci, asked);
      expect({ read: statements.map(partsOf).toSorted(), exchanges, roundTrips }).toEqual({
        read: ["changes, tags", "memories, neighbours", "nearness, words", "places, statistics", "words of found rows"],
        exchanges: 5,
        roundTrips: 3,
      });
      for (const question of asked) answers.push(await hitsOf(loci, question));
    }
    {
      // As many where scopes are kept, none of which searches.
      await using loci = await open(pgvector({ keepingPatience: 0 }));
      const read = async (): Promise<unknown> => {
        const { statements, exchanges, roundTrips } = await fewest(loci, asked);
        return { read: statements.map(partsOf).toSorted(), exchanges, roundTrips };
      };
      await expect.poll(read, { timeout: 10_000 }).toEqual({
        read: ["changed rows", "changed rows, places", "changes, tags", "memories, neighbours", "places, statistics"],
        exchanges: 5,
        roundTrips: 3,
      });
      for (const [number, question] of asked.entries()) expect(await hitsOf(loci, question)).toEqual(answers[number]);
    }
    {
      await using loci = await open("memory");
      await loci.settled();
      for (const [number, question] of asked.entries()) expect(await hitsOf(loci, question)).toEqual(answers[number]);
    }
    expect(await foundInRows()).toEqual(unlikeWords);
    await using loci = await open(pgvector({ keptBytes: 0 }), encryption);
    await loci.settled();
    await loci.maintenance.encrypt();
    expect(await foundInRows()).toEqual([]);
    for (const question of questions("every case")) await hitsOf(loci, question);
    const { statements, roundTrips } = await fewest(loci, asked);
    expect({ statements: statements.length, roundTrips }).toEqual({ statements: 5, roundTrips: 3 });
    for (const [number, question] of asked.entries()) expect(await hitsOf(loci, question)).toEqual(answers[number]);
  });
});
