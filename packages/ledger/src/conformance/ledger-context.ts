import { equal, fail } from "node:assert/strict";
import {
  type CallOptions,
  type ErrorReason,
  type Instant,
  LociError,
  type MemoryRecord,
  type Principal,
  type Ref,
  type TenantId,
} from "@loci/domain";
import type { Change, CommitBatch, Committed, Ledger, ProjectionLease, StoredMemory } from "../index.ts";
import { beginning, written } from "./samples.ts";

/** What is promised, method by method; `lease.acknowledge` is the method of what `lease` gives. */
export type LedgerMethod =
  | Exclude<keyof Ledger, "embeddingCache" | "modelUsage" | "recallMarks" | "settings">
  | `lease.${keyof ProjectionLease}`
  | `embeddingCache.${keyof Ledger["embeddingCache"]}`
  | `modelUsage.${keyof Ledger["modelUsage"]}`
  | `recallMarks.${keyof Ledger["recallMarks"]}`
  | `settings.${keyof Ledger["settings"]}`;

/** The clock a ledger under test must go by. */
export interface TestClock {
  now: Instant;
}

/** A ledger that was opened for a test. */
export interface LedgerFixture {
  readonly ledger: Ledger;
  /** Opens what `ledger`, which is closed by then, has stored. */
  readonly reopen: () => Promise<Ledger>;
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
  readonly #open: OpenLedger;

  constructor(ledger: Ledger, open: OpenLedger, clock: TestClock, tenant: TenantId, called: Set<string>) {
    this.#called = called;
    this.ledger = recordCalls(ledger, called);
    this.#open = open;
    this.clock = clock;
    this.tenant = tenant;
    clock.now = beginning;
  }

  /** Commits changes of the case's tenant. */
  commit(changes: readonly Change[], rest: Partial<CommitBatch> = {}, call?: CallOptions): Promise<Committed> {
    return this.ledger.commit({ principal: principalOf(this.tenant), expect: [], changes, ...rest }, call);
  }

  remember(...memories: readonly MemoryRecord[]): Promise<Committed> {
    return this.commit(memories.map(written));
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
        destroy: fixture.destroy,
      });
    } finally {
      await fixture.destroy();
    }
  }
}

export function principalOf(tenant: TenantId, subject = "local"): Principal {
  return { tenant, subject, roles: ["admin"], scopePatterns: ["*"] };
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

/** Wraps a ledger so that the names of the methods called on it, its cache and its leases are noted. */
function recordCalls(ledger: Ledger, called: Set<string>): Ledger {
  return recorded(ledger, "", called);
}

function recorded<Target extends object>(target: Target, prefix: string, called: Set<string>): Target {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object);
      const name = `${prefix}${String(property)}`;
      if (name === "modelUsage") return recorded(value as Ledger["modelUsage"], "modelUsage.", called);
      if (name === "recallMarks") return recorded(value as Ledger["recallMarks"], "recallMarks.", called);
      if (name === "settings") return recorded(value as Ledger["settings"], "settings.", called);
      if (name === "embeddingCache") return recorded(value as Ledger["embeddingCache"], "embeddingCache.", called);
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
