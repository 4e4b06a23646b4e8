import { equal, fail } from "node:assert/strict";
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

/** One case. `method` is the method of the contract it is about; the case must call it. */
export interface LedgerCase {
  readonly method: LedgerMethod;
  readonly name: string;
  readonly run: (context: LedgerContext) => Promise<void>;
}

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
    this.ledger = recordCalls(fixture.ledger, called);
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
    const recorded = (ledger: Ledger): Ledger => recordCalls(ledger, this.#called);
    try {
      await run({
        ledger: recorded(fixture.ledger),
        reopen: async () => recorded(await fixture.reopen()),
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
  "resources",
  "settings",
] satisfies readonly (keyof Ledger)[]);

/** Wraps a ledger so that the names of the methods called on it, its cache and its leases are noted. */
function recordCalls(ledger: Ledger, called: Set<string>): Ledger {
  return recorded(ledger, "", called);
}

function recorded<Target extends object>(target: Target, prefix: string, called: Set<string>): Target {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object);
      const name = `${prefix}${String(property)}`;
      if (tables.has(name)) return recorded(value as object, `${name}.`, called);
      if (typeof value !== "function") return value;
      return (...values: readonly unknown[]): unknown => {
        called.add(name);
        const result: unknown = Reflect.apply(value, object, values);
        if (name !== "lease") return result;
        return (result as ReturnType<Ledger["lease"]>).then((lease) => lease && recorded(lease, "lease.", called));
      };
    },
  });
}
