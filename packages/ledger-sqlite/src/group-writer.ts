import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import { Sealing } from "@loci/encryption";
import { CacheWriter } from "./cache-writer.ts";
import { CheckpointWriter } from "./checkpoint-writer.ts";
import { CommitWriter } from "./commit-writer.ts";
import { prepareEncryption } from "./encryption/prepare-encryption.ts";
import { RowResealer } from "./encryption/row-resealer.ts";
import { InternedNames } from "./interned-names.ts";
import { JobWriter } from "./job-writer.ts";
import { TenantMoves } from "./moving/tenant-moves.ts";
import { ModelUsageWriter } from "./model-usage-writer.ts";
import { emptyLog, maintainFile } from "./maintain-file.ts";
import { OpenedFile } from "./opened-file.ts";
import { ProjectionWriter } from "./projection-writer.ts";
import { PurgeWriter } from "./purge-writer.ts";
import { prepareStep, type Step } from "./query.ts";
import { ReceiptWriter } from "./receipt-writer.ts";
import { RecallMarkWriter } from "./recall-mark-writer.ts";
import { SettingWriter } from "./setting-writer.ts";
import { toLociError } from "./sqlite-error.ts";
import { UsageWriter } from "./usage-writer.ts";
import type { Outcome, ResultOf, WriteGroup, WriteOperation, WriterSettings } from "./write-operation.ts";

/**
 * Writes operations of many callers in one transaction, so that they share one wait for the disk. Each of several has a
 * savepoint: one that fails takes nobody along.
 */
export class GroupWriter {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #file: OpenedFile;
  readonly #names: InternedNames;
  readonly #commits: CommitWriter;
  readonly #usage: UsageWriter;
  readonly #modelUsage: ModelUsageWriter;
  readonly #recallMarks: RecallMarkWriter;
  readonly #receipts: ReceiptWriter;
  readonly #checkpoints: CheckpointWriter;
  readonly #cache: CacheWriter;
  readonly #projections: ProjectionWriter;
  readonly #purges: PurgeWriter;
  readonly #settings: SettingWriter;
  readonly #jobs: JobWriter;
  readonly #resealer: RowResealer;
  readonly #moves: TenantMoves;
  readonly #begin: Step;
  readonly #commit: Step;
  readonly #rollback: Step;
  readonly #save: Step;
  readonly #keep: Step;
  readonly #undo: Step;
  /** Whether COMMIT waits for the disk, as it does in a file that was just opened. */
  #waits = true;

  constructor(database: DatabaseSync, settings: WriterSettings) {
    this.#database = database;
    this.#path = settings.path;
    this.#file = new OpenedFile(settings.path);
    this.#names = new InternedNames(database);
    this.#modelUsage = new ModelUsageWriter(database);
    const { encryption } = settings;
    const sealing = prepareEncryption(database, settings.path, encryption && new Sealing(encryption));
    this.#commits = new CommitWriter(database, this.#names, this.#modelUsage, sealing, settings);
    this.#usage = new UsageWriter(database);
    this.#recallMarks = new RecallMarkWriter(database);
    this.#receipts = new ReceiptWriter(database);
    this.#checkpoints = new CheckpointWriter(database, sealing);
    this.#cache = new CacheWriter(database, settings.embeddingCacheRows);
    this.#projections = new ProjectionWriter(database, this.#names);
    this.#purges = new PurgeWriter(database, sealing);
    this.#resealer = new RowResealer(database, sealing);
    this.#settings = new SettingWriter(database);
    this.#jobs = new JobWriter(database, this.#names);
    this.#jobs.endLeases();
    this.#moves = new TenantMoves(database, settings.path, this.#names);
    this.#begin = prepareStep(database, "BEGIN IMMEDIATE");
    this.#commit = prepareStep(database, "COMMIT");
    this.#rollback = prepareStep(database, "ROLLBACK");
    this.#save = prepareStep(database, "SAVEPOINT operation");
    this.#keep = prepareStep(database, "RELEASE operation");
    this.#undo = prepareStep(database, "ROLLBACK TO operation");
  }

  /**
   * Returns when the group is on the disk, with one outcome an operation. Never throws. Does not wait for the disk where
   * everything in it can be found out again; it then is on the disk when a later group is.
   */
  write(group: WriteGroup): readonly Outcome[] {
    const [only] = group.operations;
    if (only?.type === "maintain") return [this.#alone(() => maintainFile(this.#database, this.#path, only.scrub))];
    if (only?.type === "moveTenant") return [this.#alone(() => this.#moves.perform(only))];
    if (only?.type === "emptyLog") return [this.#alone(() => this.#emptyLog())];
    if (only?.type === "hideTenants") return [this.#alone(() => this.#moves.hide(only.tenants))];
    try {
      this.#file.checkInPlace();
      this.#waitForDisk(!group.operations.every(canBeFoundOutAgain));
      this.#begin();
      const outcomes = this.#outcomesOf(group);
      this.#commits.prune(group.now);
      this.#commit();
      this.#file.checkInPlace();
      return outcomes;
    } catch (error) {
      this.#abandon();
      const outcome = failure(error, this.#path);
      return group.operations.map(() => outcome);
    }
  }

  #emptyLog(): boolean {
    this.#moves.settle();
    return emptyLog(this.#database);
  }

  #waitForDisk(waits: boolean): void {
    if (waits === this.#waits) return;
    this.#database.exec(`PRAGMA synchronous = ${waits ? "FULL" : "NORMAL"}`);
    this.#waits = waits;
  }

  #alone(work: () => ResultOf<WriteOperation>): Outcome {
    try {
      this.#waitForDisk(true);
      return { succeeded: true, result: work() };
    } catch (error) {
      return failure(error, this.#path);
    }
  }

  /** What is alone in its transaction needs no savepoint: all of it is rolled back when this throws. */
  #outcomesOf({ operations, now }: WriteGroup): readonly Outcome[] {
    const [first, ...others] = operations;
    if (first !== undefined && others.length === 0) return [{ succeeded: true, result: this.#perform(first, now) }];
    return operations.map((operation) => this.#attempt(operation, now));
  }

  /** @throws what SQLite threw, when that ended the whole transaction */
  #attempt(operation: WriteOperation, now: Instant): Outcome {
    this.#save();
    try {
      const result = this.#perform(operation, now);
      this.#keep();
      return { succeeded: true, result };
    } catch (error) {
      this.#forget();
      try {
        this.#undo();
        this.#keep();
      } catch {
        // A full disk or an I/O error may already have rolled the transaction back, and the savepoint with it.
        throw error;
      }
      return failure(error, this.#path);
    }
  }

  #perform(operation: WriteOperation, now: Instant): ResultOf<WriteOperation> {
    this.#moves.check(operation);
    switch (operation.type) {
      case "commit":
        return this.#commits.commit(operation, now);
      case "recordUsage":
        return this.#usage.record(this.#names.tenant(operation.tenant), operation.entries);
      case "recordShown":
        this.#usage.recordShown(this.#names.tenant(operation.tenant), operation.refs);
        return undefined;
      case "modelUsage":
        this.#modelUsage.add(this.#names.tenant(operation.tenant), operation.entry);
        return undefined;
      case "recallMarks":
        this.#recallMarks.record(this.#names.tenant(operation.tenant), operation.marks, now);
        return undefined;
      case "receipts":
        this.#receipts.record(this.#names.tenant(operation.tenant), operation, now);
        return undefined;
      case "checkpoints":
        this.#checkpoints.add(this.#names.tenant(operation.tenant), operation);
        return undefined;
      case "cache":
        this.#cache.put(this.#names.tenant(operation.tenant), operation);
        return undefined;
      case "purge":
        return this.#purges.purge(this.#names.tenant(operation.tenant), operation.tenant, operation.refs, now);
      case "sweep":
        this.#purges.sweep(this.#names.tenant(operation.tenant), operation);
        // Scopes may have lost their names.
        this.#names.forget();
        return undefined;
      case "reseal":
        return this.#resealer.step(operation.from);
      case "retireKeys":
        return this.#moves.isCopying ? undefined : this.#resealer.retire(operation.pass);
      case "setting":
        this.#settings.put(operation);
        return undefined;
      case "settingIf":
        return this.#settings.putIf(operation);
      case "maintain":
      case "moveTenant":
      case "emptyLog":
      case "hideTenants":
        throw new TypeError(`${operation.type} is no part of a transaction.`);
      case "lease":
        return this.#projections.take(operation, now);
      case "release":
        return this.#projections.release(operation);
      case "acknowledge":
        return this.#projections.acknowledge(operation, now);
      case "resetProjection":
        this.#projections.reset(operation.projection);
        return undefined;
      case "enqueueJob":
        return this.#jobs.enqueue(operation, now);
      case "claimJob":
        return this.#moves.mayClaimJobs ? this.#jobs.claim(operation.claim, now) : undefined;
      case "renewJob":
        return this.#jobs.renew(operation, now);
      case "finishJob":
        return this.#jobs.finish(operation, now);
      case "cancelJob":
        return this.#jobs.cancel(operation, now);
    }
  }

  #abandon(): void {
    this.#forget();
    try {
      this.#rollback();
    } catch {
      // SQLite has rolled back by itself, or the transaction never began.
    }
  }

  #forget(): void {
    this.#names.forget();
  }
}

/**
 * Who drains or works, and how far it came: the next owner of the directory ends all leases, and asks the index where it stands. What
 * was read of resources is read again. That an index begins again is known only from here, for as long as its files are still being removed.
 */
function canBeFoundOutAgain(operation: WriteOperation): boolean {
  if (operation.type === "acknowledge") return operation.through > 0;
  const { type } = operation;
  return type === "lease" || type === "release" || type === "renewJob" || type === "checkpoints";
}

function failure(error: unknown, path: string): Outcome {
  return { succeeded: false, error: toLociError(error, path).toJSON() };
}
