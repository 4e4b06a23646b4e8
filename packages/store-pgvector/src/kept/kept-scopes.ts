import { setImmediate } from "node:timers";
import { type CallOptions, LociError, type Ref, type ScopeText, type TenantId, throwIfAborted } from "@loci/domain";
import type { Connections } from "../postgres/connections.ts";
import type { Transaction } from "../postgres/transaction.ts";
import type { RowTables } from "../schema/tables.ts";
import { KeepingAccount, type KeepingCosts } from "./keeping-costs.ts";
import type { KeptRoom, Occupant } from "./kept-room.ts";
import { SearchedScopes, type SearchedScope } from "./searched-scopes.ts";
import { type ChangesSince, changesSince, lastNote } from "./recent-changes.ts";

/** Rows of one scope. */
export interface KeptRows<Read> {
  readonly bytes: number;
  /** How many there are. */
  readonly size: number;
  has(ref: Ref): boolean;
  /** Takes those that were read of its scope in place of those of given refs. */
  replace(refs: readonly Ref[], read: Read): void;
}

/** @typeParam Read rows as they are read, of several scopes */
export interface KeptScopesOptions<Read, Rows extends KeptRows<Read>> {
  readonly connections: Connections;
  readonly tables: Pick<RowTables, "checkpoints" | "recent">;
  readonly room: KeptRoom;
  readonly costs: KeepingCosts;
  /** As `KeepingAccount` has it. */
  readonly patience: number;
  /** Of a scope: one that has more is not kept. */
  readonly mostRows: number;
  /** The SQL that gives one row for each row of a scope. $1: tenant, $2: scope. */
  readonly eachOfScope: string;
  /** The SQL of the rows of the refs of a table with the column `ref`, as one `Read` in JSON. $1: tenant. */
  readonly rowsOf: (refs: string) => string;
  /** Reads the scope that `thisScope` names, of the tenant that the transaction is set to. What has no room is left out. */
  readonly readScope: (transaction: Transaction, rows: Rows, hasRoom: () => boolean) => Promise<void>;
  readonly make: (scope: ScopeText) => Rows;
}

interface KeptScope<Rows> extends Occupant {
  readonly scope: ScopeText;
  /** The last note of which the rows know. */
  stamp: number;
  id: string;
  readonly rows: Rows;
  readonly account: KeepingAccount;
}

/** A state of a tenant's rows. */
type Noted = Pick<KeptScope<unknown>, "stamp" | "id">;

/** What was read of a scope, or why nothing was. */
type Loaded<Rows> = (Noted & { readonly rows: Rows }) | "not due" | "not noted" | "too large";

/** Names the scope in a transaction that reads it: what is copied takes no parameters. */
const scopeSetting = "loci.scope";
/** The SQL of the scope that is read. */
export const thisScope: string = `current_setting('${scopeSetting}')`;
/** The SQL of its tenant. */
export const thisTenant: string = "current_setting('loci.tenant')";

/**
 * Rows of the scopes that are searched again and again, so that a search asks PostgreSQL only for what has changed: with each
 * search, in the same statement and of one state, since what another server may have written nobody here knows.
 */
export class KeptScopes<Read, Rows extends KeptRows<Read>> {
  readonly #options: KeptScopesOptions<Read, Rows>;
  readonly #changes: string;
  readonly #tenants = new Map<TenantId, Map<ScopeText, KeptScope<Rows>>>();
  readonly #searched: SearchedScopes;
  readonly #waiting = new Map<string, Promise<Noted | undefined>>();
  /** Of what is waiting. */
  #waitingCall: CallOptions | undefined;
  readonly #closing = new AbortController();
  #loading: Promise<void> | undefined;

  constructor(options: KeptScopesOptions<Read, Rows>) {
    this.#options = options;
    this.#searched = new SearchedScopes({ ...options, now: () => options.room.now() });
    this.#changes = changesSince(options.tables, options.rowsOf);
  }

  /** Which of the scopes of a search are kept. The others are counted, and some are read to be kept. */
  divide(
    tenant: TenantId,
    scopes: readonly ScopeText[],
    isApart: boolean | undefined,
  ): Readonly<Record<"kept" | "others", readonly ScopeText[]>> {
    const own = this.#tenants.get(tenant);
    const isKept = (scope: ScopeText): boolean => own?.has(scope) === true;
    const others = scopes.filter((scope) => !isKept(scope));
    if (others.length > 0) this.#countSearch(tenant, others, isApart);
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
    const lost: KeptScope<Rows>[] = [];
    const isWhole = found !== undefined && found.notes === found.stamp - since;
    for (const { kept, stamp, id } of asked) {
      if (found === undefined || !isWhole || found.ids[stamp] !== id) this.#drop(kept);
      else {
        if (kept.stamp < found.stamp) this.#replace(kept, found);
        // All of them were read for all scopes at once, to whichever they belong.
        if (!kept.account.reread(kept.rows.size, found.refs.length / asked.length)) lost.push(kept);
      }
    }
    for (const kept of lost) setImmediate(() => this.#drop(kept));
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

  #countSearch(tenant: TenantId, scopes: readonly ScopeText[], isApart: boolean | undefined): void {
    const due = scopes.filter((scope) => this.#searched.count(tenant, scope, isApart));
    if (due.length === 0 || this.#loading !== undefined || this.#closing.signal.aborted) return;
    this.#loading = this.#loadAll(tenant, due).finally(() => {
      this.#loading = undefined;
    });
  }

  async #loadAll(tenant: TenantId, scopes: readonly ScopeText[]): Promise<void> {
    for (const scope of scopes) {
      const searched = this.#searched.get(tenant, scope);
      if (searched === undefined) continue;
      try {
        if (await this.#load(tenant, scope, searched)) this.#searched.forget(tenant, scope);
      } catch {
        // Nothing is missing without it: searches are made as before.
        this.#searched.putOff(searched);
      }
    }
  }

  /**
   * Reads a scope in one state. What changes meanwhile is noted, and read by the search that comes first.
   *
   * @returns whether its searches are to be counted no longer
   */
  async #load(tenant: TenantId, scope: ScopeText, searched: SearchedScope): Promise<boolean> {
    const call = { signal: this.#closing.signal };
    const read = (transaction: Transaction): Promise<Loaded<Rows>> => this.#read(transaction, tenant, scope, searched);
    const loaded = await this.#options.connections.transaction(tenant, call, read, { isReadOnly: true });
    if (loaded === "too large") this.#searched.putOff(searched);
    if (typeof loaded === "string") return loaded === "not noted";
    throwIfAborted(this.#closing.signal);
    this.#keep(tenant, scope, loaded);
    return true;
  }

  async #read(
    transaction: Transaction,
    tenant: TenantId,
    scope: ScopeText,
    searched: SearchedScope,
  ): Promise<Loaded<Rows>> {
    const { eachOfScope, readScope, mostRows, room, make, tables } = this.#options;
    const [begun] = await transaction.query<{ rows: string; stamp: string | null; id: string | null }>(
      `SELECT (SELECT count(*) FROM (${eachOfScope} LIMIT $3) AS one) AS rows, last.stamp, last.id,
        set_config('${scopeSetting}', $2, true) AS scope FROM (SELECT) AS one LEFT JOIN (${lastNote(tables)}) AS last ON true`,
      [tenant, scope, mostRows + 1],
    );
    if (begun === undefined) throw new Error("A query of one row had none.");
    searched.rows = Number(begun.rows);
    if (searched.rows > mostRows) return "too large";
    if (!searched.account.isWorthReading(searched.rows)) return "not due";
    // Until a batch makes a note nobody could tell what changes.
    if (begun.stamp === null || begun.id === null) return "not noted";
    const rows = make(scope);
    let hasRoom = true;
    await readScope(transaction, rows, () => (hasRoom &&= rows.bytes <= room.mostBytes));
    return hasRoom ? { stamp: Number(begun.stamp), id: begun.id, rows } : "too large";
  }

  #keep(tenant: TenantId, scope: ScopeText, { stamp, id, rows }: Noted & { readonly rows: Rows }): void {
    const { costs, patience, room } = this.#options;
    let own = this.#tenants.get(tenant);
    if (own === undefined) this.#tenants.set(tenant, (own = new Map<ScopeText, KeptScope<Rows>>()));
    const scopesOfTenant = own;
    const kept: KeptScope<Rows> = {
      scope,
      stamp,
      id,
      rows,
      account: new KeepingAccount(costs, patience),
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
  }
}
