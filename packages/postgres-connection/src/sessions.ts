import type { TenantId } from "@loci/domain";
import type { ClientBase } from "pg";

/** What the session of a connection is set to. */
export interface SessionState {
  readonly tenant: TenantId;
  /** The server's process. */
  readonly process: number;
}

/**
 * What the sessions behind the connections are known to be set to, so that it need not be said with every statement. It is
 * never relied upon: each answer says which tenant its statement ran for, and in which process. One that tells of another
 * is thrown away, and from then on every statement brings its settings along: between us and the server something hands
 * out sessions, as a pooler in transaction mode does.
 */
export class Sessions {
  readonly #states = new WeakMap<ClientBase, SessionState>();
  #areKept: boolean;

  /** @param areKept false where a pooler hands out sessions, as is known from the start. Default true */
  constructor(areKept = true) {
    this.#areKept = areKept;
  }

  /** Whether a connection stays with its session, as far as is known. */
  get areKept(): boolean {
    return this.#areKept;
  }

  /** The process, when the session is set to the tenant. */
  processOf(client: ClientBase, tenant: TenantId): number | undefined {
    const state = this.#states.get(client);
    return this.#areKept && state?.tenant === tenant ? state.process : undefined;
  }

  isSet(client: ClientBase, state: SessionState): void {
    this.#states.set(client, state);
  }

  /** Also after whatever may have taken a setting back. */
  forget(client: ClientBase): void {
    this.#states.delete(client);
  }

  areHandedOut(): void {
    this.#areKept = false;
  }
}
