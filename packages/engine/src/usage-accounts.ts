import type { ModelTokens, TenantId } from "@loci/domain";

/** What the calls of one model used, added up. */
export interface ModelAccount extends ModelTokens {
  readonly cachedInputTokens: number;
  readonly model: string;
  readonly calls: number;
}

/** What one call used, and on whose account. */
export interface AccountEntry extends ModelTokens {
  readonly cachedInputTokens: number;
  readonly model: string;
  readonly session: string | undefined;
}

/** Keeps what model calls used. Tokens only: what they cost is worked out from the prices of the day they are read. */
export interface UsageAccounts {
  /** Adds a call to the account of its tenant and, if it has one, of its session: to both or to none. */
  add(tenant: TenantId, entry: AccountEntry): Promise<void>;
  /** The account of a session, or without one of the whole tenant. Nothing recorded: an empty list. */
  read(tenant: TenantId, session: string | undefined): Promise<readonly ModelAccount[]>;
}

/** Accounts that end with the process, and grow by a few hundred bytes for each session and model. */
export class MemoryUsageAccounts implements UsageAccounts {
  /** By tenant, session (or none) and model. */
  readonly #accounts = new Map<string, Map<string, ModelAccount>>();

  async add(tenant: TenantId, entry: AccountEntry): Promise<void> {
    this.#addTo(keyOf(tenant, undefined), entry);
    if (entry.session !== undefined) this.#addTo(keyOf(tenant, entry.session), entry);
  }

  async read(tenant: TenantId, session: string | undefined): Promise<readonly ModelAccount[]> {
    return [...(this.#accounts.get(keyOf(tenant, session))?.values() ?? [])];
  }

  #addTo(key: string, { model, inputTokens, cachedInputTokens, outputTokens }: AccountEntry): void {
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = new Map();
      this.#accounts.set(key, account);
    }
    const before = account.get(model);
    account.set(model, {
      model,
      calls: (before?.calls ?? 0) + 1,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      cachedInputTokens: (before?.cachedInputTokens ?? 0) + cachedInputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
    });
  }
}

function keyOf(tenant: TenantId, session: string | undefined): string {
  return JSON.stringify(session === undefined ? [tenant] : [tenant, session]);
}
