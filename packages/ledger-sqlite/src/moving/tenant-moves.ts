import type { DatabaseSync } from "node:sqlite";
import { LociError, type TenantId } from "@loci/domain";
import { openForReading } from "../connection.ts";
import type { InternedNames } from "../interned-names.ts";
import { sqlite } from "../sqlite-module.ts";
import type { WriteOperation } from "../write-operation.ts";
import { ChangeRecorder } from "./change-recorder.ts";
import type { MoveOperation, MoveResult } from "./move-operation.ts";
import { prepareQuery } from "../query.ts";
import { isOfDeploymentFor } from "./moved-table.ts";
import { TenantCopy } from "./tenant-copy.ts";
import { hideTenants, removeTenantStep } from "./tenant-removal.ts";

/** Why nothing of a tenant is written here. */
type Absence = "held" | "arriving" | "copied" | "gone";

/** What builds the indexes of a tenant that is on its way. */
const writesOfDrainers: ReadonlySet<WriteOperation["type"]> = new Set(["lease", "release", "acknowledge"]);

/** Moves tenants to and from other files, between the groups of the thread that writes this one. */
export class TenantMoves {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #names: InternedNames;
  readonly #absent = new Map<TenantId, Absence>();
  #recorder: ChangeRecorder | undefined;
  #copy: TenantCopy | undefined;
  /** Files that tenants leave, by path. */
  readonly #sources = new Map<string, DatabaseSync>();
  /** A connection that takes rows before those that they refer to. */
  #unchecked: DatabaseSync | undefined;
  /** Whether that one need not wait for the disk. */
  #isDeferred = false;

  constructor(database: DatabaseSync, path: string, names: InternedNames) {
    this.#database = database;
    this.#path = path;
    this.#names = names;
  }

  /** @throws LociError `SERVER_UNAVAILABLE` for a write of a tenant that is on its way */
  check(operation: WriteOperation): void {
    if (this.#absent.size === 0 || !("tenant" in operation) || operation.tenant === undefined) return;
    const absence = this.#absent.get(operation.tenant);
    if (absence === undefined || (absence === "arriving" && writesOfDrainers.has(operation.type))) return;
    throw new LociError("SERVER_UNAVAILABLE", {
      message: "The tenant is being moved to another shard. Nothing was written.",
      advice: "Try again: it is served again in a moment.",
    });
  }

  /** Whether jobs may be taken up: those of a tenant in mid-move are in two files. */
  get mayClaimJobs(): boolean {
    for (const absence of this.#absent.values()) if (absence === "held" || absence === "copied") return false;
    return true;
  }

  /** Whether rows of a tenant are being brought here from another file. */
  get isCopying(): boolean {
    return this.#copy !== undefined;
  }

  /** Outside of any transaction. @throws what SQLite throws; then the tenant has to be moved from the beginning */
  perform({ tenant, step }: MoveOperation): MoveResult {
    try {
      switch (step.type) {
        case "follow":
          this.#recorder?.end();
          this.#recorder = new ChangeRecorder(this.#database, { name: tenant, id: this.#names.tenant(tenant) });
          return {};
        case "changes":
          return { changes: this.#recorded() };
        case "hold":
          this.#checkWork(tenant);
          this.#absent.set(tenant, "held");
          return { changes: this.#recorded() };
        case "stay":
          this.#recorder?.end();
          this.#recorder = undefined;
          this.#absent.delete(tenant);
          return {};
        case "remove":
          return { isComplete: this.#remove(tenant, step.isDeferred === true) };
        case "copy":
          this.#absent.set(tenant, "arriving");
          this.#copy ??= new TenantCopy(this.#openSource(step.from), this.#openUnchecked(step.isDeferred), tenant);
          return { isComplete: this.#copy.step() };
        case "apply":
          this.#copying().apply(step.changes, step.last);
          if (step.last !== undefined) this.#absent.set(tenant, "copied");
          return {};
        case "arrive":
          this.#endCopy();
          this.#names.forget();
          this.#absent.delete(tenant);
          return {};
      }
    } catch (error) {
      if (step.type === "copy" || step.type === "apply") this.#endCopy();
      throw error;
    }
  }

  /** No more deferred steps come for now: what they keep open is closed. */
  settle(): void {
    if (this.#isDeferred) this.#endCopy(false);
  }

  /** Has nobody find these here, and write them. */
  hide(tenants: readonly TenantId[]): undefined {
    hideTenants(this.#database, tenants);
    for (const tenant of tenants) this.#absent.set(tenant, "gone");
    this.#names.forget();
  }

  /** Work of the deployment for the tenant, such as erasing it, would find nothing here any more, and say that it has done it. */
  #checkWork(tenant: TenantId): void {
    const running = prepareQuery<{ found: number }>(
      this.#database,
      `SELECT 1 AS found FROM jobs WHERE ${isOfDeploymentFor} AND available_at IS NOT NULL LIMIT 1`,
    ).get(tenant);
    if (running === undefined) return;
    throw new LociError("SERVER_UNAVAILABLE", {
      message: "An operation on the whole tenant has not ended.",
      advice: "Move the tenant when it has.",
    });
  }

  #recorded(): NonNullable<MoveResult["changes"]> {
    if (this.#recorder !== undefined) return this.#recorder.take();
    throw notBegun("What the tenant writes was not noted.");
  }

  #copying(): TenantCopy {
    if (this.#copy !== undefined) return this.#copy;
    throw notBegun("Nothing of the tenant was copied.");
  }

  #remove(tenant: TenantId, isDeferred: boolean): boolean {
    this.#recorder?.end();
    this.#recorder = undefined;
    this.#copy = undefined;
    this.#absent.set(tenant, "gone");
    const isComplete = removeTenantStep(this.#openUnchecked(isDeferred), tenant);
    if (isComplete && !isDeferred) {
      // What was deleted is overwritten in the file, and still to be read in its log. When somebody reads, a later one empties it.
      this.#openUnchecked().exec("PRAGMA busy_timeout = 200; PRAGMA wal_checkpoint(TRUNCATE)");
      this.#endCopy();
    }
    this.#names.forget();
    return isComplete;
  }

  #openSource(path: string): DatabaseSync {
    let source = this.#sources.get(path);
    if (source === undefined) this.#sources.set(path, (source = openForReading(path)));
    return source;
  }

  #openUnchecked(isDeferred = false): DatabaseSync {
    if (this.#unchecked === undefined) {
      this.#unchecked = new sqlite.DatabaseSync(this.#path, { timeout: 5000, enableForeignKeyConstraints: false });
      this.#unchecked.exec(
        "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA trusted_schema = OFF",
      );
    }
    this.#isDeferred = isDeferred;
    this.#unchecked.exec(`PRAGMA synchronous = ${isDeferred ? "NORMAL" : "FULL"}`);
    return this.#unchecked;
  }

  /** @param isKept whether the next tenant needs the same connections */
  #endCopy(isKept = this.#isDeferred): void {
    this.#copy = undefined;
    if (isKept) return;
    for (const source of this.#sources.values()) source.close();
    this.#sources.clear();
    this.#unchecked?.close();
    this.#unchecked = undefined;
    this.#isDeferred = false;
  }
}

function notBegun(message: string): LociError {
  return new LociError("INVALID_REQUEST", { message, advice: "Begin the move again." });
}
