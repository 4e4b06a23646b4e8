import type { DatabaseSync } from "node:sqlite";
import { LociError, type TenantId } from "@loci/domain";
import { columnsKeyOf, noteArrivals } from "../encryption/file-keys.ts";
import type { Command } from "../query.ts";
import { keptCommand, keptQuery } from "./kept-statements.ts";
import type { ChangedRows } from "./change-recorder.ts";
import { isCopiedAtLast, isOfDeploymentFor, type MovedTable, movedTables } from "./moved-table.ts";
import { FileNumbers } from "./numbers-there.ts";
import { beginning, RowPages, type RowPlace } from "./row-pages.ts";
import { type Row, RowWriter } from "./row-writer.ts";

/** How long one step may take, in milliseconds: whoever writes the file waits for it. */
const stepTime = 15;
/** Rows that are read together, and between two looks at the clock. */
const rowsPerPage = 64;

/** Where the log of a tenant ends. */
interface Head {
  readonly head: number;
  readonly recorded_at: number;
}

interface CopiedTable {
  readonly table: MovedTable;
  readonly writer: RowWriter;
}

/**
 * Copies everything of a tenant from one ledger file into another one, in steps: first all, each row as it is when it is read, then
 * what was changed since it began. Between two steps nothing of the file that is left is held, so that what works on all of it, such
 * as an erasure of another tenant, takes turns with the copy. The tenant's log has its end written last, so that until then it
 * counts in the new file as one that has nothing.
 */
export class TenantCopy {
  readonly #source: DatabaseSync;
  readonly #target: DatabaseSync;
  readonly #numbers: FileNumbers;
  readonly #takeName: Command;
  readonly #nameScope: Command;
  readonly #tenant: number;
  readonly #tables: ReadonlyMap<string, CopiedTable>;
  readonly #pages: Iterator<{ readonly copied: CopiedTable; readonly rows: readonly Row[] }>;
  /** The end that the log had before anything was read: all up to there is copied. */
  readonly #headBefore: Head;

  /**
   * @param source the file that the tenant leaves; another process may be writing it
   * @param target of this process, without checks of references: rows come before what they refer to. Both stay with the caller
   */
  constructor(source: DatabaseSync, target: DatabaseSync, name: TenantId) {
    this.#source = source;
    this.#target = target;
    checkSameForm(this.#source, target);
    this.#tenant = keptQuery<{ id: number }>(this.#source, "SELECT id FROM tenants WHERE name = ?").get(name)?.id ?? -1;
    this.#headBefore = this.#readHead();
    this.#numbers = new FileNumbers(this.#source, target, name);
    this.#takeName = keptCommand(
      target,
      "UPDATE scopes SET kind = 'moving', name = 'of ' || id WHERE tenant = ? AND kind = ? AND name = ? AND id <> ?",
    );
    this.#nameScope = keptCommand(target, "UPDATE scopes SET kind = ?, name = ? WHERE id = ?");
    this.#tables = new Map(
      movedTables(this.#source).map((table) => [
        table.name,
        { table, writer: new RowWriter(target, table, this.#numbers) },
      ]),
    );
    this.#pages = this.#allPages();
  }

  /** Copies for some milliseconds. @returns whether all is there that was there when it began and was not changed since */
  step(): boolean {
    const end = performance.now() + stepTime;
    return this.#inTransaction(() => {
      do {
        const next = this.#pages.next();
        if (next.done === true) return true;
        const { copied, rows } = next.value;
        for (const row of rows) this.#write(copied, row);
      } while (performance.now() < end);
      return false;
    });
  }

  /**
   * Brings over what was changed, as it is now.
   *
   * @param last given when nothing is changed any more: what is copied at last is copied, and what the tenant has is counted in
   *   both files. `builtHere`: the projections whose places are those of this file
   * @throws LociError `DATA_DIRECTORY_CORRUPT` when the counts differ
   */
  apply(changes: ChangedRows, last?: { readonly builtHere: readonly string[] }): void {
    this.#inTransaction(() => {
      const byTable = Map.groupBy(changes, ({ table }) => table);
      // Scopes first.
      for (const copied of this.#tables.values()) this.#bringOver(copied, byTable.get(copied.table.name) ?? []);
      if (last !== undefined)
        for (const copied of this.#tables.values())
          if (isCopiedAtLast(copied.table)) this.#copyAtLast(copied, new Set(last.builtHere));
      if (last === undefined) return;
      this.#copyReceipts();
      // Not before: of what is written meanwhile the log here may lack what its end there counts.
      this.#writeHead(this.#readHead());
      this.#compare();
    });
  }

  /** Reads the file that is left as it is at one moment, for as long as the work takes: its log cannot be emptied meanwhile. */
  #inTransaction<Result>(work: () => Result): Result {
    this.#target.exec("BEGIN IMMEDIATE");
    try {
      this.#source.exec("BEGIN");
      const result = work();
      this.#source.exec("COMMIT");
      this.#target.exec("COMMIT");
      return result;
    } catch (error) {
      for (const database of [this.#source, this.#target]) if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  *#allPages(): Iterator<{ readonly copied: CopiedTable; readonly rows: readonly Row[] }> {
    for (const copied of this.#tables.values()) {
      const { table } = copied;
      if (isCopiedAtLast(table)) continue;
      const pages = new RowPages(this.#source, table, rowsPerPage);
      // Scopes come first. What is written in those that are added later is noted.
      for (const owner of table.way === "ofScopes" ? [...this.#numbers.knownScopes()] : [this.#owner(table)])
        for (let place: RowPlace | undefined = beginning; place !== undefined;) {
          const { rows, next }: ReturnType<RowPages["read"]> = pages.read(owner, place);
          yield { copied, rows };
          place = next;
        }
    }
    // Only now it has all that its log says.
    this.#writeHead(this.#headBefore);
  }

  #write(copied: CopiedTable, row: Row): void {
    if (copied.table.way === "scopes") this.#writeScope(row);
    else copied.writer.insert(row);
  }

  #bringOver(copied: CopiedTable, changes: ChangedRows): void {
    if (changes.length === 0) return;
    const { table, writer } = copied;
    const isOne = table.key.map((column) => `${column} IS ?`).join(" AND ");
    const find = keptQuery<Row>(this.#source, `SELECT * FROM ${table.name} WHERE ${table.isTenants("")} AND ${isOne}`);
    for (const { key } of changes) {
      const row = find.get(this.#owner(table), ...key);
      if (table.way === "scopes") {
        if (row !== undefined) this.#writeScope(row);
        continue;
      }
      writer.remove(key);
      if (row !== undefined) writer.insert(row);
    }
  }

  /** The name of one whose memories were purged is its number, which another scope may get in this file. */
  #writeScope(row: Row): void {
    const kind = row["kind"] ?? null;
    const there = this.#numbers.scope(Number(row["id"]));
    const name = kind === "purged" ? String(there) : (row["name"] ?? null);
    // Who had it here has given it up since, which was noted.
    this.#takeName.run(this.#numbers.tenant, kind, name, there);
    this.#nameScope.run(kind, name, there);
  }

  /** Whoever worked on them works for the file that is left. */
  #copyAtLast({ table: { name, isTenants }, writer }: CopiedTable, builtHere: ReadonlySet<string>): void {
    const isBuiltHere = ({ projection }: Row): boolean => typeof projection === "string" && builtHere.has(projection);
    const rowsOf = (database: DatabaseSync, tenant: number): readonly Row[] =>
      keptQuery<Row>(database, `SELECT * FROM ${name} WHERE ${isTenants("")}`)
        .all(tenant)
        .filter((row) => !isBuiltHere(row));
    const key = this.#tables.get(name)?.table.key ?? [];
    for (const row of rowsOf(this.#target, this.#numbers.tenant))
      writer.remove(key.map((column) => row[column] as string | number));
    for (const row of rowsOf(this.#source, this.#tenant)) writer.insert(withoutWorker(row));
  }

  /** What was done for the tenant by the deployment, such as an erasure, is asked for where the tenant is. */
  #copyReceipts(): void {
    const { columns = [] } = this.#tables.get("jobs")?.table ?? {};
    const insert = keptCommand(
      this.#target,
      `INSERT INTO jobs (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    );
    const receipts = keptQuery<Row>(this.#source, `SELECT * FROM jobs WHERE ${isOfDeploymentFor}`);
    for (const row of receipts.all(this.#numbers.name)) insert.run(...columns.map((column) => row[column] ?? null));
  }

  #readHead(): Head {
    const found = keptQuery<Head>(this.#source, "SELECT head, recorded_at FROM tenants WHERE id = ?");
    return found.get(this.#tenant) ?? { head: 0, recorded_at: 0 };
  }

  #writeHead({ head, recorded_at }: Head): void {
    const write = keptCommand(this.#target, "UPDATE tenants SET head = ?, recorded_at = ? WHERE id = ?");
    write.run(head, recorded_at, this.#numbers.tenant);
  }

  #compare(): void {
    for (const { table } of this.#tables.values()) {
      if (!table.isCounted) continue;
      const count = (database: DatabaseSync, owner: string | number): number =>
        keptQuery<{ count: number }>(
          database,
          `SELECT count(*) AS count FROM ${table.name} WHERE ${table.isTenants("")}`,
        ).get(owner)?.count ?? 0;
      const isNamed = table.way === "named";
      const [here, there] = [
        count(this.#source, this.#owner(table)),
        count(this.#target, isNamed ? this.#numbers.name : this.#numbers.tenant),
      ];
      if (here !== there)
        throw new LociError("DATA_DIRECTORY_CORRUPT", {
          message: `Of ${here} rows of the tenant in ${table.name} ${there} have arrived. The tenant stays where it is.`,
          resource: table.name,
          advice: "Check both files with `loci doctor`, and report this.",
        });
    }
  }

  #owner({ way }: MovedTable): string | number {
    return way === "named" ? this.#numbers.name : this.#tenant;
  }
}

/** A job that somebody works on, and a place that somebody keeps up, are free to be taken up. */
function withoutWorker(row: Row): Row {
  if ("holder" in row) return { ...row, holder: null };
  return row["state"] === "running" ? { ...row, available_at: 0, worker: null } : row;
}

/** Rows are copied as they stand, and looked up by what stands in them. @throws LociError `INVALID_CONFIGURATION` */
function checkSameKey(source: DatabaseSync, target: DatabaseSync): void {
  const key = columnsKeyOf(source);
  if (key === columnsKeyOf(target)) {
    // Rows come as they are, whatever key they were sealed under.
    if (key !== undefined) noteArrivals(target, source);
    return;
  }
  throw new LociError("INVALID_CONFIGURATION", {
    message: "The two ledgers are encrypted with different current keys, or only one of them is.",
    field: "encryption",
    advice: "Open both with the same keys, and try again.",
  });
}

/** Two files of one server, which opened both: they have the same tables. */
function checkSameForm(source: DatabaseSync, target: DatabaseSync): void {
  const versionOf = (database: DatabaseSync): unknown =>
    database.prepare("PRAGMA user_version").get()?.["user_version"];
  if (versionOf(source) === versionOf(target)) return checkSameKey(source, target);
  throw new LociError("INVALID_CONFIGURATION", {
    message: "The two ledgers were written by different versions of Loci.",
    advice: "Open both with this version, and try again.",
  });
}
