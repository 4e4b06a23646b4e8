import { unsealed } from "@loci/ledger/sql";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openForWriting } from "../src/connection.ts";
import { CheckpointReader } from "../src/checkpoint-reader.ts";
import { DecisionReader } from "../src/decision-reader.ts";
import { EmbeddingReader } from "../src/embedding-reader.ts";
import { GroupWriter } from "../src/group-writer.ts";
import { JobReader } from "../src/job-reader.ts";
import { KnownAtReader } from "../src/known-at-reader.ts";
import { LogReader } from "../src/log-reader.ts";
import { MaintenanceReader } from "../src/maintenance-reader.ts";
import { MemoryReader } from "../src/memory-reader.ts";
import { ModelUsageReader } from "../src/model-usage-reader.ts";
import { NewestFirst } from "../src/newest-first.ts";
import { RecentMemories } from "../src/recent-memories.ts";
import { ReceiptReader } from "../src/receipt-reader.ts";
import { RecallMarkReader } from "../src/recall-mark-reader.ts";
import { RequestReader } from "../src/request-reader.ts";
import { ResourceReader } from "../src/resource-reader.ts";
import { ScopeCounts } from "../src/scope-counts.ts";
import { StandingReader } from "../src/standing-reader.ts";
import { RecentTags } from "../src/recent-tags.ts";
import { TagReader } from "../src/tag-reader.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Notes every statement that is prepared. */
class RecordingDatabase extends DatabaseSync {
  readonly statements: string[] = [];

  override prepare(sql: string): StatementSync {
    this.statements.push(sql);
    return super.prepare(sql);
  }
}

/**
 * Lists handed in as JSON, the few at the low end of a table, what was found just before, and open jobs may be read in full; and
 * when a backup is restored, the settings.
 */
const mayBeScanned =
  /^SCAN (wanted|pieces|place|entries|h|history|steps|every|requests|projections|jobs USING INDEX jobs_unfinished)\b/;

test("resources of a group are found by it, however many others there are", () => {
  const { directory, remove } = temporaryDirectory();
  const path = join(directory, "ledger.sqlite");
  openForWriting(path).close();
  const database = new RecordingDatabase(path);
  expect(new ResourceReader(database, unsealed)).toBeDefined();
  const ofGroup = database.statements.filter((sql) => sql.includes("r.belongs_to = ?"));
  expect(ofGroup).toHaveLength(1);
  for (const sql of ofGroup) {
    const plan = DatabaseSync.prototype.prepare.call(database, `EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan.map((row) => String(row["detail"])).join("; ")).toContain(
      "SEARCH r USING INDEX resources_by_group (tenant=? AND family=? AND belongs_to=? AND ref>?)",
    );
  }
  const fromGroup = database.statements.filter((sql) => sql.includes("(r.belongs_to, r.ref) > (?, ?)"));
  expect(fromGroup).toHaveLength(1);
  const plan = DatabaseSync.prototype.prepare.call(database, `EXPLAIN QUERY PLAN ${fromGroup[0]}`).all();
  const steps = plan.map((row) => String(row["detail"])).join("; ");
  expect(steps).toContain("SEARCH r USING INDEX resources_by_group (tenant=? AND family=? AND (belongs_to,ref)>(?,?))");
  database.close();
  remove();
});

test("no statement reads a whole table or sorts what an index has in order", () => {
  const { directory, remove } = temporaryDirectory();
  const path = join(directory, "ledger.sqlite");
  openForWriting(path).close();
  const database = new RecordingDatabase(path);
  const settings = { path, requestRetentionMilliseconds: 1, embeddingCacheRows: 1 };
  const preparing = [
    new MemoryReader(database, new RecentMemories(), unsealed),
    new NewestFirst(database, unsealed),
    new LogReader(database, database, unsealed),
    new EmbeddingReader(database, database),
    new ModelUsageReader(database),
    new KnownAtReader(database),
    new RecallMarkReader(database),
    new CheckpointReader(database, unsealed),
    new TagReader(database, new RecentTags(), unsealed),
    new StandingReader(database),
    new ScopeCounts(database),
    new MaintenanceReader(database, database),
    new DecisionReader(database, unsealed),
    new RequestReader(database, 1),
    new JobReader(database),
    new ReceiptReader(database),
    new GroupWriter(database, settings),
  ];
  expect(preparing.length).toBe(17);
  const explained = database.statements.filter((sql) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql));
  expect(explained.length).toBeGreaterThan(30);
  for (const sql of explained) {
    const plan = DatabaseSync.prototype.prepare.call(database, `EXPLAIN QUERY PLAN ${sql}`).all();
    const steps = plan.map((row) => String(row["detail"]));
    const wasteful = steps.filter((step) => step.startsWith("SCAN ") && !mayBeScanned.test(step));
    const sorting = steps.filter((step) => /TEMP B-TREE|AUTOMATIC/.test(step));
    // Places come in the caller's order, and jobs are counted by their states, which no index has: a handful of groups.
    const mayBeSorted = sql.includes("place.key") || sql.includes("GROUP BY kind, state");
    expect({ sql, wasteful, sorting: sorting.length }).toEqual({
      sql,
      wasteful: [],
      sorting: mayBeSorted ? 1 : 0,
    });
  }
  database.close();
  remove();
});
