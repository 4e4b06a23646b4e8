// A recall with everything in PostgreSQL next to one with everything in files: statements, round trips and processor time.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Loci, type OpenLociOptions, openLoci, type RecallResult } from "@loci/loci";
import { countStatements, rememberTexts, startPostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { type CallFigure, measureInTurns } from "../measure/measure-calls.ts";
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
/** Questions that are asked with a memory written before each. */
const otherCount = 20;
const batch = 500;

async function fill(loci: Loci): Promise<void> {
  for (let start = 0; start < memories.length; start += batch)
    await loci.memories.rememberMany(memories.slice(start, start + batch));
  await loci.settled();
}

function recall(loci: Loci, query: string): Promise<RecallResult> {
  return loci.recall({ query, scopes, evaluationTime });
}

function ratioOf(files: CallFigure | undefined, database: CallFigure | undefined): number {
  return ((database?.cpu.p50 ?? 0) + (database?.server?.p50 ?? 0)) / (files?.cpu.p50 ?? 1);
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
  // What both are held against: every cosine is exact there, and none of its answers depends on a bound.
  await using exact = await open("exact", { index: "memory" });
  for (const loci of [files, database, exact]) await fill(loci);
  await watcher.query("VACUUM ANALYZE");
  const questions = madeUpQuestions(warmCount + questionCount);
  for (const question of questions.slice(0, warmCount))
    for (const loci of [files, database]) await recall(loci, question);
  const asked = questions.slice(warmCount);
  const counted: { statements: number; exchanges: number; roundTrips: number }[] = [];
  let sent: readonly string[] = [];
  let unlike = 0;
  let filesUnlike = 0;
  const answers = createHash("sha256");
  for (const question of asked) {
    const { result, statements, ...counts } = await countStatements(() => recall(database, question));
    counted.push({ statements: statements.length, ...counts });
    sent = statements;
    answers.update(answerOf(result));
    const expected = answerOf(await recall(exact, question));
    if (answerOf(result) !== expected) unlike++;
    if (answerOf(await recall(files, question)) !== expected) filesUnlike++;
  }
  // Others than those above, or their memories would be in reach.
  const others = madeUpQuestions(warmCount + 3 * questionCount + otherCount).slice(warmCount + questionCount);
  const serverCpu = (): number => usage?.cpuMilliseconds() ?? 0;
  const ask = (loci: Loci) => (question: string) => recall(loci, question);
  const [inFiles, inDatabase] = await measureInTurns(
    others.slice(0, questionCount),
    [ask(files), ask(database)],
    serverCpu,
  );
  // Where each recall comes behind a write. That is not measured, what a recall has to do because of it is.
  const behindWrites: CallFigure[][] = [];
  for (const [number, question] of others.slice(questionCount, questionCount + otherCount).entries()) {
    for (const loci of [files, database]) {
      await loci.memories.remember({ text: `What was written beside case ${number}`, scope: scopes[0] });
      await loci.settled();
    }
    behindWrites.push([...(await measureInTurns([question], [ask(files), ask(database)], serverCpu))]);
  }
  await using unkept = await open("unkept", {
    ledger: { kind: "postgres", connectionString, ownerConnectionString: server.connectionString },
    index: { kind: "pgvector", connectionString, keptBytes: 0 },
  });
  const last = others.slice(questionCount + otherCount);
  for (const question of asked.slice(0, warmCount)) await recall(unkept, question);
  const [besideUnkept, inUnkept] = await measureInTurns(last, [ask(files), ask(unkept)], serverCpu);
  const of = (name: "statements" | "exchanges" | "roundTrips"): object => {
    const all = counted.map((counts) => counts[name]);
    // What runs in the background beside a recall counts with it, the more the longer it takes.
    return { fewest: Math.min(...all), p50: percentile(all, 0.5), most: Math.max(...all) };
  };
  const report = {
    memories: memories.length,
    recalls: questionCount,
    unlike,
    /** Files choose whom they look up by bounds: at the edge of the 200 others than by exact cosines. */
    filesUnlike,
    answers: answers.digest("hex").slice(0, 16),
    statements: of("statements"),
    exchanges: of("exchanges"),
    roundTrips: of("roundTrips"),
    files: inFiles,
    database: inDatabase,
    ratioOfCpu: ratioOf(inFiles, inDatabase),
    ratioBehindWrites: percentile(
      behindWrites.map(([one, other]) => ratioOf(one, other)),
      0.5,
    ),
    /** Where nothing is kept of a scope yet, or it is too large. */
    ratioWithNothingKept: ratioOf(besideUnkept, inUnkept),
    nothingKept: inUnkept,
  };
  if (values.statements) for (const text of sent) console.log(text.replaceAll(/\s+/gu, " ").slice(0, 160));
  console.log(JSON.stringify(report, null, values.json ? 0 : 2));
} finally {
  await watcher.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
