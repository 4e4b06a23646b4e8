import { equal, fail } from "node:assert/strict";
import { type CaseFile, recordCalls } from "@loci/conformance";
import {
  type CallOptions,
  type ErrorReason,
  type Instant,
  LociError,
  type MemoryRecord,
  type Ref,
  type TenantId,
} from "@loci/domain";
import type { CommitBatch, Committed, Ledger, LogEntry, StoredMemory } from "../index.ts";
import type { LedgerMethod } from "./family-methods.ts";
import { beginning, written } from "./samples.ts";

/** The clock a ledger under test must go by. */
export interface TestClock {
  now: Instant;
}

/** An entry that this version does not write. */
export interface PlantedEntry extends Pick<LogEntry, "family" | "kind" | "ref" | "version"> {
  /** What JSON can hold. */
  readonly payload: unknown;
}

/** A ledger that was opened for a test. */
export interface LedgerFixture {
  readonly ledger: Ledger;
  /** Opens what `ledger`, which is closed by then, has stored. */
  readonly reopen: () => Promise<Ledger>;
  /** Appends entries to the log of a tenant that has one, as a server of another version would, while the ledger is open. */
  readonly plant: (tenant: TenantId, entries: readonly PlantedEntry[]) => Promise<void>;
  /** Closes whatever is open and removes what was stored. */
  readonly destroy: () => Promise<void>;
}

export type OpenLedger = (clock: () => Instant) => Promise<LedgerFixture>;

export type LedgerCaseFile = CaseFile<LedgerMethod, LedgerContext>;

/** What a case works with. Its tenants are its own; the ledger is shared, so that a suite opens few of them. */
export class LedgerContext {
  readonly ledger: Ledger;
  readonly tenant: TenantId;
  readonly clock: TestClock;
  readonly #called: Set<string>;
  readonly #plant: LedgerFixture["plant"];
  readonly #open: OpenLedger;

  constructor(fixture: LedgerFixture, open: OpenLedger, clock: TestClock, tenant: TenantId, called: Set<string>) {
    this.#called = called;
    this.ledger = recorded(fixture.ledger, called);
    this.#plant = fixture.plant;
    this.#open = open;
    this.clock = clock;
    this.tenant = tenant;
    clock.now = beginning;
  }

  /** Commits changes of the case's tenant. */
  commit(changes: CommitBatch["changes"], rest: Partial<CommitBatch> = {}, call?: CallOptions): Promise<Committed> {
    return this.ledger.commit({ ...authorOf(this.tenant), expect: [], changes, ...rest }, call);
  }

  remember(...memories: readonly MemoryRecord[]): Promise<Committed> {
    return this.commit(memories.map(written));
  }

  /** Appends entries of another version to the log of the case's tenant, which must have one. */
  plant(...entries: readonly PlantedEntry[]): Promise<void> {
    return this.#plant(this.tenant, entries);
  }

  async memory(ref: Ref): Promise<StoredMemory> {
    const found = (await this.ledger.memories(this.tenant, [ref])).get(ref);
    return found ?? fail(`${ref} is not in the ledger`);
  }

  /** Runs with an empty ledger of its own, for cases that close one. */
  async withFresh(run: (fixture: LedgerFixture) => Promise<void>): Promise<void> {
    const fixture = await this.#open(() => this.clock.now);
    const noted = (ledger: Ledger): Ledger => recorded(ledger, this.#called);
    try {
      await run({
        ledger: noted(fixture.ledger),
        reopen: async () => noted(await fixture.reopen()),
        plant: fixture.plant,
        destroy: fixture.destroy,
      });
    } finally {
      await fixture.destroy();
    }
  }
}

/** Whose batch it is. */
export function authorOf(
  tenant: TenantId,
  subject = "local",
): Pick<CommitBatch, "tenant" | "author" | "scopePatterns"> {
  return { tenant, author: { subject }, scopePatterns: ["*"] };
}

/** The call must fail with a `LociError` of this reason. */
export async function expectRefusal(call: () => Promise<unknown>, reason: ErrorReason): Promise<LociError> {
  try {
    await call();
  } catch (error) {
    if (!LociError.is(error)) throw error;
    equal(error.reason, reason, error.message);
    return error;
  }
  return fail(`The call succeeded, but ${reason} was expected.`);
}

/** The refs of what a read gave, in its order. */
export function refsOf(memories: readonly StoredMemory[]): readonly Ref[] {
  return memories.map(({ memory }) => memory.id);
}

/** What of a ledger has methods of its own. */
const tables: ReadonlySet<string> = new Set([
  "checkpoints",
  "embeddingCache",
  "jobs",
  "modelUsage",
  "recallMarks",
  "receipts",
  "resources",
  "settings",
] satisfies readonly (keyof Ledger)[]);

/** Notes the methods called on a ledger, its cache and its leases. */
function recorded(ledger: Ledger, called: Set<string>): Ledger {
  return recordCalls(ledger, called, { isPart: (path) => tables.has(path), gives: { lease: "lease" } });
}
