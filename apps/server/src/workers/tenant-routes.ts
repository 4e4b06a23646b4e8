import { idOfApiKey, readDelegatedToken } from "@loci/api";
import type { AccessEntries } from "../security/access-entries.ts";
import { looksDelegated } from "../security/delegated-credential.ts";
import type { PresentedCertificate } from "../security/presented-certificate.ts";

/** The workers that a tenant's calls may go to, the one they go to while it is there first. */
export type WorkersOfTenant = (tenant: string) => readonly number[];

/** Where a call goes, and whose it says to be. */
export interface Route {
  readonly tenant: string | undefined;
  readonly workers: readonly number[];
  /** What the worker is to know of the connection's certificate, with the name that counts, or none when nothing is bound to any. */
  readonly certificate?: PresentedCertificate | undefined;
}

/** Worker 0 answers who has no credential, or one that nobody knows, that it may not call. */
const anyWorker: Route = { tenant: undefined, workers: [0] };

/**
 * Where calls go. Who is let in the workers decide: each of them knows the keys and the names of certificates of its own tenants
 * only, so that a call which came to the wrong one is refused.
 */
export class TenantRoutes {
  readonly #workersOf: WorkersOfTenant;
  /** By the id of the key. */
  #routes: ReadonlyMap<string, Route> = new Map();
  /** By the name in the certificate. */
  #routesOfNames: ReadonlyMap<string, Route> = new Map();
  #entries: AccessEntries = { apiKeys: [], clientCertificates: [] };

  constructor(workersOf: WorkersOfTenant, entries: AccessEntries) {
    this.#workersOf = workersOf;
    this.replace(entries);
  }

  /** Goes by these keys and names from now on. */
  replace(entries: AccessEntries): void {
    this.#entries = entries;
    const routeTo = (tenant: string): Route => ({ tenant, workers: this.#workersOf(tenant) });
    this.#routes = new Map(entries.apiKeys.map(({ id, tenant }) => [id, routeTo(tenant)]));
    this.#routesOfNames = new Map(entries.clientCertificates.map(({ name, tenant }) => [name, routeTo(tenant)]));
  }

  /** Looks anew where tenants are. */
  update(): void {
    this.replace(this.#entries);
  }

  /** What a worker is to know. */
  entriesFor(worker: number): AccessEntries {
    const isServed = ({ tenant }: { readonly tenant: string }): boolean => this.#workersOf(tenant).includes(worker);
    return {
      apiKeys: this.#entries.apiKeys.filter(isServed),
      clientCertificates: this.#entries.clientCertificates.filter(isServed),
    };
  }

  /**
   * @param authorization of a call, as it was sent: it goes before the certificate
   * @param certificate of the connection that it came by
   */
  routeOf(authorization: string | undefined, certificate?: PresentedCertificate): Route {
    if (authorization === undefined) return this.#routeOfCertificate(certificate);
    const id = keyIdIn(authorization);
    return (id === undefined ? undefined : this.#routes.get(id)) ?? anyWorker;
  }

  #routeOfCertificate(certificate: PresentedCertificate | undefined): Route {
    if (certificate === undefined || this.#routesOfNames.size === 0) return anyWorker;
    const { names, expiresAt } = certificate;
    const name = names.find((one) => this.#routesOfNames.has(one));
    if (name === undefined) return { ...anyWorker, certificate: { names: [], expiresAt } };
    const route = this.#routesOfNames.get(name) ?? anyWorker;
    return { ...route, certificate: { names: [name], expiresAt } };
  }
}

/** The id of the key that a credential is, or was made with. Nothing is verified. */
function keyIdIn(authorization: string): string | undefined {
  const bearer = authorization.replace(/^Bearer +/i, "");
  return looksDelegated(bearer) ? readDelegatedToken(bearer)?.keyId : idOfApiKey(bearer);
}
