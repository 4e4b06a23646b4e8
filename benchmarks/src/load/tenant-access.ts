/** What one tenant's program is started with. It stays in the memory of processes: never in their arguments. */
export interface TenantAccess {
  /** Its place among the tenants, the busiest first. */
  readonly tenant: number;
  /** What the servers know it by. */
  readonly name: string;
  /** An API key, or a delegated token of one. */
  readonly credential: string;
  /** Where it calls. */
  readonly address: string;
}

/** The one scope of each tenant's memories. */
export const loadedScope = "user:load";
