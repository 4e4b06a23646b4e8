// What searches of scopes of several sizes cost in PostgreSQL's indexes when none is kept, when all are read at once, and by the rule.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openLoci } from "@loci/loci";
import { collectionId } from "@loci/store";
import { startPostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { ServerUsage } from "../stores/server-usage.ts";
import { madeUpMemories, madeUpQuestions } from "./made-up-scopes.ts";
import { type IndexedTenant, searchesOf } from "./recall-searches.ts";

const { values } = parseArgs({
  options: {
    /** Scopes of each size, as `memories:scopes`. */
    scopes: { type: "string", default: "100:30,1000:10,10000:2" },
    json: { type: "boolean", default: false },
  },
});
const sizes = values.scopes.split(",").map((part) => {
  const [memories = 0, scopes = 0] = part.split(":").map(Number);
  return { memories, scopes };
});
const batch = 500;

/** How often each scope is recalled from. In the mixture seven of ten are once, two five times, and one forty times. */
const visits = {
  once: () => 1,
  "five times": () => 5,
  "twelve times": () => 12,
  "forty times": () => 40,
  mixed: (scope: number) => (scope % 10 < 7 ? 1 : scope % 10 < 9 ? 5 : 40),
} satisfies Record<string, (scope: number) => number>;
const patience = { never: Number.MAX_VALUE, rule: 1, atOnce: 0 };

function scopeOf(memories: number, number: number): `user:${string}` {
  return `user:of-${memories}-${number}`;
}

const folder = mkdtempSync(join(tmpdir(), "loci-keeping-"));
const server = await startPostgres({ kind: "native" });
const watcher = new Client({ connectionString: server.connectionString });
try {
  await watcher.connect();
  await watcher.query("CREATE EXTENSION vector");
  const { connectionString } = server;
  const index = { kind: "pgvector", connectionString, keptBytes: 0 } as const;
  const loci = await openLoci({ tenant: "measured", dataDirectory: folder, index });
  const all = madeUpMemories(sizes.reduce((sum, { memories, scopes }) => sum + memories * scopes, 0));
  let first = 0;
  for (const { memories, scopes } of sizes)
    for (let number = 0; number < scopes; number++) {
      const own = all.slice(first, (first += memories)).map((one) => ({ ...one, scope: scopeOf(memories, number) }));
      for (let start = 0; start < own.length; start += batch)
        await loci.memories.rememberMany(own.slice(start, start + batch));
    }
  await loci.settled();
  await loci.close();
  await watcher.query("VACUUM ANALYZE");
  const { rows } = await watcher.query<IndexedTenant & { id: string; process: number }>(
    `SELECT id, space, (SELECT owner FROM loci_indexes.schema_version) AS owner, pg_backend_pid() AS process
    FROM loci_indexes.collections`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error("No collection was made.");
  const usage = ServerUsage.of(found.process);
  const spent = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000 + (usage?.cpuMilliseconds() ?? 0);
  };
  const questions = madeUpQuestions(1_000);
  const report: object[] = [];
  for (const { memories, scopes } of sizes)
    for (const [often, times] of Object.entries(visits)) {
      const milliseconds: Record<string, number> = {};
      for (const [name, keepingPatience] of Object.entries(patience)) {
        const tenant = { connectionString, tenant: "measured", documents: all.length, ...found };
        await using searches = await searchesOf({ ...tenant, collection: collectionId(found.id), keepingPatience });
        for (const question of questions.slice(0, 12)) await searches.recall("user:nobody", question);
        let asked = 12;
        const before = spent();
        for (let round = 0; round < 40; round++)
          for (let number = 0; number < scopes; number++) {
            if (times(number) <= round) continue;
            await searches.recall(scopeOf(memories, number), questions[asked++ % questions.length] as string);
            // What is read in the background is to be there for the next.
            await pause(15 + memories / 80);
          }
        milliseconds[name] = spent() - before;
      }
      const { never = 0, rule = 0, atOnce = 0 } = milliseconds;
      report.push({ memories, scopes, recalls: often, ...milliseconds, ruleByBest: rule / Math.min(never, atOnce) });
      if (!values.json) console.log(JSON.stringify(report.at(-1)));
    }
  if (values.json) console.log(JSON.stringify(report));
} finally {
  await watcher.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
