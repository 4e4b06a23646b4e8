// A recall with everything in PostgreSQL next to one with everything in files: statements, round trips and processor time.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Loci, type OpenLociOptions, openLoci, type RecallResult } from "@loci/loci";
import { countStatements, rememberTexts, startPostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { measureInTurns } from "../measure/measure-calls.ts";
import { percentile } from "../measure/percentile.ts";
import { ServerUsage } from "../stores/server-usage.ts";
import { evaluationTime, madeUpMemories, madeUpQuestions, scopes } from "./made-up-scopes.ts";

const { values } = parseArgs({
  options: {
    memories: { type: "string", default: "10000" },
    questions: { type: "string", default: "60" },
    /** Prints the statements of the last recall. */
    statements: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const memories = madeUpMemories(Number(values.memories));
const questionCount = Number(values.questions);
const warmCount = 30;
const batch = 500;

async function fill(loci: Loci): Promise<void> {
  for (let start = 0; start < memories.length; start += batch)
    await loci.memories.rememberMany(memories.slice(start, start + batch));
  await loci.settled();
}

function recall(loci: Loci, query: string): Promise<RecallResult> {
  return loci.recall({ query, scopes, evaluationTime });
}

/** What must be the same wherever memories are kept. Ids are made anew in each. */
function answerOf({ hits, degraded }: RecallResult): string {
  return JSON.stringify([degraded, hits.map(({ memory, score }) => [memory.text, score])]);
}

rememberTexts();
const folder = mkdtempSync(join(tmpdir(), "loci-postgres-recall-"));
const server = await startPostgres({ kind: "native" });
const watcher = new Client({ connectionString: server.connectionString });
try {
  await watcher.connect();
  await watcher.query("CREATE EXTENSION vector");
  await watcher.query("CREATE ROLE ordinary LOGIN PASSWORD 'ordinary'");
  await watcher.query("GRANT CREATE ON DATABASE postgres TO ordinary");
  const address = new URL(server.connectionString);
  address.username = address.password = "ordinary";
  const connectionString = address.href;
  const { rows } = await watcher.query<{ process: number }>("SELECT pg_backend_pid() AS process");
  const usage = ServerUsage.of(rows[0]?.process ?? 0);
  const open = (name: string, options: Partial<OpenLociOptions>): Promise<Loci & AsyncDisposable> =>
    openLoci({ tenant: "measured", dataDirectory: join(folder, name), ...options });
  await using files = await open("files", {});
  await using database = await open("database", {
    ledger: { kind: "postgres", connectionString, ownerConnectionString: server.connectionString },
    index: { kind: "pgvector", connectionString },
  });
  await fill(files);
  await fill(database);
  await watcher.query("VACUUM ANALYZE");
  const questions = madeUpQuestions(warmCount + questionCount);
  for (const question of questions.slice(0, warmCount))
    for (const loci of [files, database]) await recall(loci, question);
  const asked = questions.slice(warmCount);
  const counted: { statements: number; exchanges: number; roundTrips: number }[] = [];
  let sent: readonly string[] = [];
  let unlike = 0;
  const answers = createHash("sha256");
  for (const question of asked) {
    const { result, statements, ...counts } = await countStatements(() => recall(database, question));
    counted.push({ statements: statements.length, ...counts });
    sent = statements;
    answers.update(answerOf(result));
    if (answerOf(result) !== answerOf(await recall(files, question))) unlike++;
  }
  // Others than those above, or their memories would be in reach.
  const others = madeUpQuestions(warmCount + 2 * questionCount).slice(warmCount + questionCount);
  const numbers = [...others.keys()];
  const ask = (loci: Loci) => (number: number) => recall(loci, others[number] as string);
  const [inFiles, inDatabase] = await measureInTurns(
    numbers,
    [ask(files), ask(database)],
    () => usage?.cpuMilliseconds() ?? 0,
  );
  const of = (name: "statements" | "exchanges" | "roundTrips"): object => {
    const all = counted.map((counts) => counts[name]);
    // What runs in the background beside a recall counts with it, the more the longer it takes.
    return { fewest: Math.min(...all), p50: percentile(all, 0.5), most: Math.max(...all) };
  };
  const report = {
    memories: memories.length,
    recalls: questionCount,
    unlike,
    answers: answers.digest("hex").slice(0, 16),
    statements: of("statements"),
    exchanges: of("exchanges"),
    roundTrips: of("roundTrips"),
    files: inFiles,
    database: inDatabase,
    ratioOfCpu: ((inDatabase?.cpu.p50 ?? 0) + (inDatabase?.server?.p50 ?? 0)) / (inFiles?.cpu.p50 ?? 1),
  };
  if (values.statements) for (const text of sent) console.log(text.replaceAll(/\s+/gu, " ").slice(0, 160));
  console.log(JSON.stringify(report, null, values.json ? 0 : 2));
} finally {
  await watcher.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
