import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { sqlStateOf } from "./sql-state.ts";

/** There is no statement of that name, or another one. */
const lostNames: ReadonlySet<string | undefined> = new Set(["26000", "42P05"]);

interface Prepared {
  readonly names: Map<string, string>;
  given: number;
}

/**
 * The names under which connections keep statements. A name is made of the text, so that where connections of the server are
 * lent to one client after the other, none ever means another statement.
 */
export class PreparedStatements {
  readonly #byClient = new WeakMap<ClientBase, Prepared>();
  readonly #most: number;
  #areKept = true;

  /** @param most so many a connection keeps, of however many forms statements have. Default 64 */
  constructor(most = 64) {
    this.#most = most;
  }

  /**
   * Of a statement that this connection has, or that it is to keep from now on. `undefined` for one that is to be sent
   * without a name. Whether a statement that failed the first time is kept nobody can tell, so the next time it gets
   * another name.
   */
  nameOf(client: ClientBase, text: string): string | undefined {
    if (!this.#areKept) return undefined;
    const prepared = this.#of(client);
    const name = prepared.names.get(text);
    if (name !== undefined) return name;
    if (prepared.given === this.#most) return undefined;
    return `loci_${createHash("sha256").update(text).digest("hex").slice(0, 40)}_${++prepared.given}`;
  }

  /** The connection has the statement. */
  worked(client: ClientBase, text: string, name: string): void {
    this.#of(client).names.set(text, name);
  }

  /**
   * @returns whether the statement can be sent again without a name, as all are from now on: what stands between here and the
   *   server, such as a pool of connections, keeps no names
   */
  failed(error: unknown): boolean {
    if (!lostNames.has(sqlStateOf(error))) return false;
    this.#areKept = false;
    return true;
  }

  #of(client: ClientBase): Prepared {
    let prepared = this.#byClient.get(client);
    if (prepared === undefined) this.#byClient.set(client, (prepared = { names: new Map(), given: 0 }));
    return prepared;
  }
}
