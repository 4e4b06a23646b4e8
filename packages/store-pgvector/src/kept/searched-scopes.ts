import type { ScopeText, TenantId } from "@loci/domain";
import { KeepingAccount, type KeepingCosts } from "./keeping-costs.ts";
import { longestIdle } from "./kept-room.ts";

/** Searches of a scope that is not kept, none long after the one before. */
export interface SearchedScope {
  readonly account: KeepingAccount;
  /** How many rows it had when they were counted. */
  rows: number | undefined;
  /** Searches that come before it is thought of again. */
  toWaitFor: number;
}

interface LastSearch extends SearchedScope {
  at: number;
}

export interface SearchedScopesOptions {
  readonly costs: KeepingCosts;
  /** As `KeepingAccount` has it. */
  readonly patience: number;
  /** Of a scope that is kept. */
  readonly mostRows: number;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/** So many scopes are counted at once. */
const mostCounted = 10_000;
/** Searches until a scope that could not be kept is tried again, if none comes long after the one before. */
const searchesUntilNextAttempt = 1_000;

/** What searches of scopes that are not kept have cost. */
export class SearchedScopes {
  readonly #options: SearchedScopesOptions;
  /** Those searched last come last. */
  readonly #scopes = new Map<string, LastSearch>();

  constructor(options: SearchedScopesOptions) {
    this.#options = options;
  }

  /** Counts a search. @returns whether the scope may be worth to be read */
  count(tenant: TenantId, scope: ScopeText, isApart: boolean | undefined): boolean {
    const { costs, patience, now } = this.#options;
    const key = keyOf(tenant, scope);
    const at = now();
    let searched = this.#scopes.get(key);
    if (searched === undefined || at - searched.at >= longestIdle)
      searched = { account: new KeepingAccount(costs, patience), at, rows: undefined, toWaitFor: 0 };
    searched.at = at;
    this.#scopes.delete(key);
    this.#scopes.set(key, searched);
    const [oldest] = this.#scopes.size > mostCounted ? this.#scopes.keys() : [];
    if (oldest !== undefined) this.#scopes.delete(oldest);
    searched.account.searched(isApart);
    if (searched.toWaitFor > 0) {
      searched.toWaitFor--;
      return false;
    }
    return this.#mayBeWorthIt(searched);
  }

  get(tenant: TenantId, scope: ScopeText): SearchedScope | undefined {
    return this.#scopes.get(keyOf(tenant, scope));
  }

  /** It is kept now, or nobody could. */
  forget(tenant: TenantId, scope: ScopeText): void {
    this.#scopes.delete(keyOf(tenant, scope));
  }

  /** It could not be kept. */
  putOff(searched: SearchedScope): void {
    searched.toWaitFor = searchesUntilNextAttempt;
  }

  /** Of a size that is not known: if neither the smallest nor the largest is, then none is. */
  #mayBeWorthIt({ account, rows }: SearchedScope): boolean {
    const sizes = rows === undefined ? [0, this.#options.mostRows] : [rows];
    return sizes.some((size) => account.isWorthReading(size));
  }
}

/** No identifier holds a line break. */
function keyOf(tenant: TenantId, scope: ScopeText): string {
  return `${tenant}\n${scope}`;
}
