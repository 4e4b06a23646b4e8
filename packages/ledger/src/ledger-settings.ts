import type { TenantId } from "@loci/domain";

/**
 * Small durable values by name, outside the log: which index is in use, how far a job has come. Names are 1 to 200
 * characters. Without a tenant a value belongs to the deployment.
 */
export interface SettingsTable {
  get(tenant: TenantId | undefined, name: string): Promise<string | undefined>;
  /** Resolves once it is durable. `undefined` removes the value. */
  set(tenant: TenantId | undefined, name: string, value: string | undefined): Promise<void>;
  /**
   * Sets the value if it is still the expected one, `undefined` for none, in one step: of several that expect the same only
   * one succeeds, whichever servers they are on. Resolves once it is durable. @returns whether the value was set
   */
  compareAndSet(
    tenant: TenantId | undefined,
    name: string,
    expected: string | undefined,
    value: string,
  ): Promise<boolean>;
  /** The values whose names begin so, by name in code units. */
  list(tenant: TenantId | undefined, prefix: string): Promise<ReadonlyMap<string, string>>;
}

/** Small durable values, outside the log. */
export interface LedgerSettings {
  readonly settings: SettingsTable;
}
