import { setImmediate } from "node:timers";
import { type CallOptions, LociError, type Ref, type ScopeText, type TenantId, throwIfAborted } from "@loci/domain";
import type { Connections } from "../postgres/connections.ts";
import type { Transaction } from "../postgres/transaction.ts";
import type { RowTables } from "../schema/tables.ts";
import { type KeptRoom, longestIdle, type Occupant } from "./kept-room.ts";
import { type ChangesSince, changesSince } from "./recent-changes.ts";

/** Rows of one scope. */
export interface KeptRows<Read> {
  readonly bytes: number;
  has(ref: Ref): boolean;
  /** Takes those that were read of its scope in place of those of given refs. */
  replace(refs: readonly Ref[], read: Read): void;
}

/** @typeParam Read rows as they are read, of several scopes */
export interface KeptScopesOptions<Read, Rows extends KeptRows<Read>> {
  readonly connections: Connections;
  readonly tables: Pick<RowTables, "checkpoints" | "recent">;
  readonly room: KeptRoom;
  /** So many searches of a scope are made in PostgreSQL, none long after the one before, until its rows are read and kept. */
  readonly searchesBefore: number;
  /** Of a scope: one that has more is not kept. */
  readonly mostRows: number;
  /** Rows that are read at once. */
  readonly rowsAtOnce: number;
  /** The SQL of the refs of a scope. $1: tenant, $2: scope, $3: most. */
  readonly refsOfScope: string;
  /** The SQL of the rows of the refs of a table with the column `ref`, as one `Read` in JSON. $1: tenant. */
  readonly rowsOf: (refs: string) => string;
  /** Reads the rows of a scope among those of given refs, many at once. */
  readonly read: (
    transaction: Transaction,
    of: { tenant: TenantId; scope: ScopeText; refs: readonly Ref[] },
  ) => Promise<Read>;
  readonly make: (scope: ScopeText) => Rows;
}

interface KeptScope<Rows> extends Occupant {
  readonly scope: ScopeText;
  /** The last note of which the rows know. */
  stamp: number;
  id: string;
  readonly rows: Rows;
}

/** A state of a tenant's rows. */
type Noted = Pick<KeptScope<unknown>, "stamp" | "id">;

/** Above all stamps: what has changed since is nothing. */
const now = "9223372036854775807";
/** So many scopes are counted at once. */
const mostCounted = 10_000;
/** Searches until a scope that could not be kept is tried again, if none comes long after the one before. */
const searchesUntilNextAttempt = 1_000;

/**
 * Rows of the scopes that are searched again and again, so that a search asks PostgreSQL only for what has changed: with each
 * search, in the same statement and of one state, since what another server may have written nobody here knows.
 */
export class KeptScopes<Read, Rows extends KeptRows<Read>> {
  readonly #options: KeptScopesOptions<Read, Rows>;
  readonly #changes: string;
  readonly #tenants = new Map<TenantId, Map<ScopeText, KeptScope<Rows>>>();
  readonly #searches = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #waiting = new Map<string, Promise<Noted | undefined>>();
  /** Of what is waiting. */
  #waitingCall: CallOptions | undefined;
  readonly #closing = new AbortController();
  #loading: Promise<void> | undefined;

  constructor(options: KeptScopesOptions<Read, Rows>) {
    this.#options = options;
    this.#changes = changesSince(options.tables, options.rowsOf);
  }

  /** Which of the scopes of a search are kept. The others are counted, and some are read to be kept. */
  divide(tenant: TenantId, scopes: readonly ScopeText[]): Readonly<Record<"kept" | "others", readonly ScopeText[]>> {
    const own = this.#tenants.get(tenant);
    const isKept = (scope: ScopeText): boolean => own?.has(scope) === true;
    const others = scopes.filter((scope) => !isKept(scope));
    if (others.length > 0) this.#countSearch(tenant, others);
    return { kept: scopes.filter(isKept), others };
  }

  /**
   * The rows of scopes that are kept, as they are now. To be used before anything else is waited for: then they may change.
   *
   * @returns `undefined` where it cannot be told what has become of them
   */
  async find(
    tenant: TenantId,
    scopes: readonly ScopeText[],
    call: CallOptions | undefined,
  ): Promise<readonly Rows[] | undefined> {
    const noted = await this.#refreshTogether(tenant, scopes, call);
    if (noted === undefined) return undefined;
    const kept = this.#keptOf(tenant, scopes);
    // One that was read anew meanwhile may be of an earlier state.
    const isOfNow = ({ stamp, id }: Noted): boolean => (stamp === noted.stamp ? id === noted.id : stamp > noted.stamp);
    if (kept === undefined || !kept.every(isOfNow)) return undefined;
    for (const one of kept) this.#options.room.use(one);
    return kept.map(({ rows }) => rows);
  }

  /** Where each of given rows is kept, as `find` has it. `undefined` where some row is not kept. */
  async holding(
    tenant: TenantId,
    refs: readonly Ref[],
    call: CallOptions | undefined,
  ): Promise<ReadonlyMap<Ref, Rows> | undefined> {
    const scopes: ScopeText[] = [];
    const left = new Set(refs);
    for (const [scope, { rows }] of this.#tenants.get(tenant) ?? []) {
      const size = left.size;
      for (const ref of left) if (rows.has(ref)) left.delete(ref);
      if (left.size < size) scopes.push(scope);
    }
    if (left.size > 0 || scopes.length === 0) return undefined;
    const found = await this.find(tenant, scopes, call);
    const places = new Map<Ref, Rows>();
    for (const rows of found ?? []) for (const ref of refs) if (rows.has(ref)) places.set(ref, rows);
    return refs.every((ref) => places.has(ref)) ? places : undefined;
  }

  /** @param tenant default all: some of what is kept was, or is about to be, purged */
  forget(tenant?: TenantId): void {
    if (tenant === undefined) {
      for (const one of this.#tenants.keys()) this.forget(one);
      return;
    }
    for (const kept of this.#tenants.get(tenant)?.values() ?? []) this.#drop(kept);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new LociError("CLOSED", { message: "The store is closed.", advice: "Open it again." }));
    this.forget();
    await this.#loading;
  }

  #keptOf(tenant: TenantId, scopes: readonly ScopeText[]): readonly KeptScope<Rows>[] | undefined {
    const own = this.#tenants.get(tenant);
    if (own === undefined) return undefined;
    const kept: KeptScope<Rows>[] = [];
    for (const scope of scopes) {
      const one = own.get(scope);
      if (one === undefined) return undefined;
      kept.push(one);
    }
    return kept;
  }

  /** Searches of one turn of the event loop for the same call ask once: it is not sent before the turn is over. */
  #refreshTogether(
    tenant: TenantId,
    scopes: readonly ScopeText[],
    call: CallOptions | undefined,
  ): Promise<Noted | undefined> {
    if (call?.signal !== this.#waitingCall?.signal || call?.deadline !== this.#waitingCall?.deadline)
      this.#waiting.clear();
    this.#waitingCall = call;
    const key = `${tenant}\n${scopes.join("\n")}`;
    const known = this.#waiting.get(key);
    if (known !== undefined) return known;
    if (this.#waiting.size === 0) setImmediate(() => this.#waiting.clear());
    const refreshing = this.#refresh(tenant, scopes, call);
    this.#waiting.set(key, refreshing);
    return refreshing;
  }

  async #refresh(
    tenant: TenantId,
    scopes: readonly ScopeText[],
    call: CallOptions | undefined,
  ): Promise<Noted | undefined> {
    const asked = (this.#keptOf(tenant, scopes) ?? []).map((kept) => ({ kept, stamp: kept.stamp, id: kept.id }));
    const since = Math.min(...asked.map(({ stamp }) => stamp));
    let found: ChangesSince<Read> | undefined;
    try {
      const reader = this.#options.connections.reader(tenant, call);
      [found] = await reader.query<ChangesSince<Read>>(this.#changes, [tenant, since]);
    } catch (error) {
      throwIfAborted(call?.signal);
      if (LociError.is(error) && error.code === "DEADLINE_EXCEEDED") throw error;
      // What it is the search says that is made instead. What is kept is as good as before.
      if (LociError.is(error) && error.code === "UNAVAILABLE") return undefined;
    }
    const isWhole = found !== undefined && found.notes === found.stamp - since;
    for (const { kept, stamp, id } of asked) {
      if (found === undefined || !isWhole || found.ids[stamp] !== id) this.#drop(kept);
      else if (kept.stamp < found.stamp) this.#replace(kept, found);
    }
    return isWhole ? found : undefined;
  }

  #replace(kept: KeptScope<Rows>, { refs, rows, stamp, id }: ChangesSince<Read>): void {
    try {
      kept.rows.replace(refs, rows);
      Object.assign(kept, { stamp, id });
    } catch {
      // There is no memory for more of it.
      this.#drop(kept);
    }
  }

  #drop(kept: KeptScope<Rows>): void {
    this.#options.room.remove(kept);
    kept.leave();
  }

  #countSearch(tenant: TenantId, scopes: readonly ScopeText[]): void {
    const due: ScopeText[] = [];
    for (const scope of scopes) {
      const key = `${tenant}\n${scope}`;
      const at = this.#options.room.now();
      const last = this.#searches.get(key);
      const count = last === undefined || at - last.at >= longestIdle ? 1 : last.count + 1;
      this.#searches.delete(key);
      this.#searches.set(key, { count, at });
      if (count >= this.#options.searchesBefore) due.push(scope);
    }
    for (const key of this.#searches.keys()) {
      if (this.#searches.size <= mostCounted) break;
      this.#searches.delete(key);
    }
    if (due.length === 0 || this.#loading !== undefined || this.#closing.signal.aborted) return;
    this.#loading = this.#loadAll(tenant, due).finally(() => {
      this.#loading = undefined;
    });
  }

  async #loadAll(tenant: TenantId, scopes: readonly ScopeText[]): Promise<void> {
    for (const scope of scopes) {
      const key = `${tenant}\n${scope}`;
      try {
        if (await this.#load(tenant, scope)) this.#searches.delete(key);
        else this.#putOff(key);
      } catch {
        // Nothing is missing without it: searches are made as before.
        this.#putOff(key);
      }
    }
  }

  #putOff(key: string): void {
    this.#searches.set(key, { count: -searchesUntilNextAttempt, at: this.#options.room.now() });
  }

  /**
   * Reads a scope in pieces. What changes meanwhile is noted, and read again by the search that comes first.
   *
   * @returns false when it is too large
   */
  async #load(tenant: TenantId, scope: ScopeText): Promise<boolean> {
    const { connections, refsOfScope, mostRows, rowsAtOnce, room, read, make } = this.#options;
    const call = { signal: this.#closing.signal };
    const inOneState = { isReadOnly: true };
    const begun = await connections.transaction(
      tenant,
      call,
      async (statements) => {
        const [last] = await statements.query<{ stamp: string; id: string }>(this.#changes, [tenant, now]);
        const found = await statements.query<{ ref: Ref }>(refsOfScope, [tenant, scope, mostRows + 1]);
        return last && { stamp: Number(last.stamp), id: last.id, found };
      },
      inOneState,
    );
    // Until a batch makes a note nobody could tell what changes.
    if (begun === undefined) return true;
    const { stamp, id, found } = begun;
    if (found.length > mostRows) return false;
    const refs = found.map(({ ref }) => ref);
    const rows = make(scope);
    for (let first = 0; first < refs.length; first += rowsAtOnce) {
      const some = refs.slice(first, first + rowsAtOnce);
      const readSome = (one: Transaction): Promise<Read> => read(one, { tenant, scope, refs: some });
      rows.replace(some, await connections.transaction(tenant, call, readSome, inOneState));
      if (rows.bytes > room.mostBytes) return false;
    }
    throwIfAborted(this.#closing.signal);
    let own = this.#tenants.get(tenant);
    if (own === undefined) this.#tenants.set(tenant, (own = new Map<ScopeText, KeptScope<Rows>>()));
    const scopesOfTenant = own;
    const kept: KeptScope<Rows> = {
      scope,
      stamp,
      id,
      rows,
      get bytes() {
        return rows.bytes;
      },
      leave: () => {
        if (scopesOfTenant.get(scope) === kept) scopesOfTenant.delete(scope);
        if (scopesOfTenant.size === 0 && this.#tenants.get(tenant) === scopesOfTenant) this.#tenants.delete(tenant);
      },
    };
    scopesOfTenant.set(scope, kept);
    room.use(kept);
    return true;
  }
}
