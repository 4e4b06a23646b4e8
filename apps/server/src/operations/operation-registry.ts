import { randomUUID } from "node:crypto";
import type { Operation } from "@loci/api";
import {
  authorize,
  coversPatterns,
  type Instant,
  LociError,
  type MaintenanceProgress,
  type MaintenanceReport,
  type Principal,
  type Role,
  type TenantId,
} from "@loci/loci";

/** What an operation does. It may tell how far it has come, and give a report. */
export type OperationWork = (
  signal: AbortSignal,
  onProgress: (progress: MaintenanceProgress) => void,
) => Promise<MaintenanceReport | void>;

/** What is started. */
export interface StartedWork {
  readonly kind: string;
  /** Takes it to start the work, and so to look at it, to wait for it and to stop it. */
  readonly role: Role;
  readonly run: OperationWork;
}

/** How long an operation can be read after its end, in milliseconds. */
const keptAfterEnd = 60 * 60 * 1_000;
const mostRunning = 64;
const mostKept = 1_000;

interface Entry {
  operation: Operation;
  /** Who started it. */
  readonly subject: string;
  readonly role: Role;
  /** What it may have seen, and so what it takes to see its report. */
  readonly scopePatterns: readonly string[];
  readonly work: AbortController;
  /** Resolved at the end, however it ended. */
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * The operations of each tenant: in memory, at most 64 running and 1,000 in all, ended ones for an hour. One is there for
 * the subject that started it, as long as it has the role for that, and for the tenant's keys with the role `operate`; both
 * only as far as their scope patterns cover those it was started with, as its report may tell of what is there.
 */
export class OperationRegistry {
  readonly #clock: () => Instant;
  // Of each tenant in the order they were started.
  readonly #tenants = new Map<TenantId, Map<string, Entry>>();

  constructor(clock: () => Instant) {
    this.#clock = clock;
  }

  /**
   * Starts work. It goes on after the call.
   *
   * @throws LociError `TOO_MANY_REQUESTS`
   */
  start(principal: Principal, { kind, role, run }: StartedWork): Operation {
    const entries = this.#current(principal.tenant);
    const running = [...entries.values()].filter(isRunning).length;
    if (running >= mostRunning)
      throw new LociError("TOO_MANY_REQUESTS", {
        message: `${running} operations of the tenant are under way, which is the most there can be.`,
        advice: "Wait for one of them to end.",
      });
    const end = new AbortController();
    const operation: Operation = { id: randomUUID(), kind, state: "running", createdAt: this.#clock() };
    const { subject, scopePatterns } = principal;
    const entry: Entry = { operation, subject, role, scopePatterns, work: end, ended: Promise.withResolvers<void>() };
    entries.set(operation.id, entry);
    void this.#run(entry, run);
    return operation;
  }

  /** @throws LociError `OPERATION_NOT_FOUND`, also for another tenant's; `ROLE_REQUIRED` for another subject's; `SCOPE_NOT_PERMITTED` */
  get(principal: Principal, id: string): Operation {
    return this.#entry(principal, id).operation;
  }

  /**
   * The operation when it has ended or the time is over, whichever is first.
   *
   * @param milliseconds how long to wait
   * @throws LociError what `get` throws; what `signal` was aborted with
   */
  async wait(principal: Principal, id: string, milliseconds: number, signal: AbortSignal): Promise<Operation> {
    const entry = this.#entry(principal, id);
    const { promise: over, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([entry.ended.promise, over]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
    return entry.operation;
  }

  /** Stops an operation; one that has ended stays as it is. @throws LociError what `get` throws */
  cancel(principal: Principal, id: string): Operation {
    const entry = this.#entry(principal, id);
    this.#cancel(entry);
    return entry.operation;
  }

  /** Stops all that is under way. */
  close(): void {
    for (const entries of this.#tenants.values()) for (const entry of entries.values()) this.#cancel(entry);
  }

  #cancel(entry: Entry): void {
    if (!isRunning(entry)) return;
    this.#end(entry, { state: "cancelled" });
    entry.work.abort(new LociError("CANCELLED", { message: "The operation was cancelled." }));
  }

  async #run(entry: Entry, work: OperationWork): Promise<void> {
    const onProgress = (progress: MaintenanceProgress): void => {
      if (isRunning(entry)) entry.operation = { ...entry.operation, progress };
    };
    try {
      const report = await work(entry.work.signal, onProgress);
      this.#end(entry, { state: "succeeded", ...(report === undefined ? {} : { report }) });
    } catch (error) {
      const known = LociError.is(error)
        ? error
        : new LociError("INTERNAL", { message: "The operation failed unexpectedly.", cause: error });
      this.#end(entry, { state: "failed", error: known });
    }
  }

  #end(entry: Entry, outcome: Pick<Operation, "state" | "error" | "report">): void {
    if (!isRunning(entry)) return;
    entry.operation = { ...entry.operation, ...outcome, endedAt: this.#clock() };
    entry.ended.resolve();
  }

  #entry(principal: Principal, id: string): Entry {
    const entry = this.#current(principal.tenant).get(id);
    if (entry === undefined)
      throw new LociError("OPERATION_NOT_FOUND", {
        message: `There is no operation ${JSON.stringify(id.slice(0, 60))}.`,
        advice: "Operations are kept for an hour after their end, and not across a restart of the server.",
      });
    const isOperator = principal.roles.includes("operate");
    if (!isOperator && entry.subject !== principal.subject)
      throw new LociError("ROLE_REQUIRED", {
        message: `${principal.subject} did not start this operation, and does not have the role operate.`,
        advice: "Use the credential that started it, or one of the tenant with the role operate.",
      });
    if (!isOperator) authorize(principal, entry.role, []);
    if (!coversPatterns(principal, entry.scopePatterns))
      throw new LociError("SCOPE_NOT_PERMITTED", {
        message: `${principal.subject} may not touch every scope that this operation may.`,
        advice: "Use the credential that started it, or one that covers its scopes.",
      });
    return entry;
  }

  /** The tenant's operations without those that are over for long, or are the oldest of too many. */
  #current(tenant: TenantId): Map<string, Entry> {
    let entries = this.#tenants.get(tenant);
    if (entries === undefined) this.#tenants.set(tenant, (entries = new Map<string, Entry>()));
    const forgotten = this.#clock() - keptAfterEnd;
    for (const [id, { operation }] of entries)
      if (operation.endedAt !== undefined && (operation.endedAt <= forgotten || entries.size >= mostKept))
        entries.delete(id);
    return entries;
  }
}

function isRunning({ operation }: Entry): boolean {
  return operation.state === "running";
}
