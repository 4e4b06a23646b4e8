import { idOfApiKey, readDelegatedToken } from "@loci/api";
import type { AccessEntries } from "../security/access-entries.ts";
import { looksDelegated } from "../security/delegated-credential.ts";

/** The workers that a tenant's calls may go to, the one they go to while it is there first. */
export type WorkersOfTenant = (tenant: string) => readonly number[];

/** Where a call goes, and whose it says to be. */
export interface Route {
  readonly tenant: string | undefined;
  readonly workers: readonly number[];
}

/** Worker 0 answers who has no credential, or one that nobody knows, that it may not call. */
const anyWorker: Route = { tenant: undefined, workers: [0] };

/**
 * Where calls go. Who is let in the workers decide: each of them knows the keys of its own tenants only, so that a call which
 * came to the wrong one is refused.
 */
export class TenantRoutes {
  readonly #workersOf: WorkersOfTenant;
  #routes: ReadonlyMap<string, Route> = new Map();
  #entries: AccessEntries = { apiKeys: [], clientCertificates: [] };

  constructor(workersOf: WorkersOfTenant, entries: AccessEntries) {
    this.#workersOf = workersOf;
    this.replace(entries);
  }

  /** Goes by these keys from now on. */
  replace(entries: AccessEntries): void {
    this.#entries = entries;
    this.#routes = new Map(entries.apiKeys.map(({ id, tenant }) => [id, { tenant, workers: this.#workersOf(tenant) }]));
  }

  /** Looks anew where tenants are. */
  update(): void {
    this.replace(this.#entries);
  }

  /** What a worker is to know. */
  entriesFor(worker: number): AccessEntries {
    return {
      apiKeys: this.#entries.apiKeys.filter(({ tenant }) => this.#workersOf(tenant).includes(worker)),
      clientCertificates: [],
    };
  }

  /** @param authorization of a call, as it was sent */
  routeOf(authorization: string | undefined): Route {
    const id = authorization === undefined ? undefined : keyIdIn(authorization);
    return (id === undefined ? undefined : this.#routes.get(id)) ?? anyWorker;
  }
}

/** The id of the key that a credential is, or was made with. Nothing is verified. */
function keyIdIn(authorization: string): string | undefined {
  const bearer = authorization.replace(/^Bearer +/i, "");
  return looksDelegated(bearer) ? readDelegatedToken(bearer)?.keyId : idOfApiKey(bearer);
}
