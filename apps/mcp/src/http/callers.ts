import { hash, hkdfSync } from "node:crypto";
import { readDelegatedToken } from "@loci/api";
import type { ConnectOptions } from "@loci/client";
import { formatScope, LociError, type NonEmpty, parseScope, type ScopeText } from "@loci/loci";
import { RecentReceipts } from "../resources/recent-receipts.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { LociConnection, type LocateServer } from "../connection/loci-connection.ts";

/**
 * Somebody who calls over HTTP, known by a credential of Loci. `principal` is a hash of it. `secret` is derived from it: every server of these
 * credentials derives the same.
 */
export interface Caller extends ToolEnvironment, AsyncDisposable {}

/** How long a credential that was let in is not asked about again, in milliseconds. Each call of Loci looks at it anyway. */
const trustMilliseconds = 10_000;
/** Callers that are kept: those who called longest ago go first. */
const mostCallers = 256;
/** Credentials that are asked about at once: each takes a connection. */
const mostAsked = 16;

interface Known<Served> {
  readonly caller: Caller;
  readonly served: Served;
  /** What the server last said of the credential, or is about to. */
  admission: Promise<void>;
  askedAt: number;
  wasAdmitted: boolean;
  requests: number;
}

/** What each caller gets. */
interface MadeForCallers<Served> {
  serve(caller: Caller): Served;
  close(served: Served): Promise<void>;
}

/** Who calls, by credential, and what was made for them. */
export class Callers<Served> implements AsyncDisposable {
  readonly #locate: LocateServer;
  readonly #scopes: NonEmpty<ScopeText>;
  readonly #made: MadeForCallers<Served>;
  /** The one who called longest ago first. */
  readonly #known = new Map<string, Known<Served>>();
  #asked = 0;

  /** @param scopes of those whose credential names none */
  constructor(locate: LocateServer, scopes: NonEmpty<ScopeText>, made: MadeForCallers<Served>) {
    this.#locate = locate;
    this.#scopes = scopes;
    this.#made = made;
  }

  /**
   * Runs what one request needs of its caller.
   *
   * @throws LociError what the server says of the credential, such as `CREDENTIAL_INVALID`; `SERVER_UNAVAILABLE`;
   *   `TOO_MANY_REQUESTS` while too many are asked about
   */
  async with<Result>(bearer: string, work: (served: Served) => Promise<Result>): Promise<Result> {
    const known = this.#knownBy(bearer);
    known.requests++;
    try {
      await this.#admit(known);
      return await work(known.served);
    } finally {
      known.requests--;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#known.values()];
    this.#known.clear();
    await Promise.all(all.map((known) => this.#dispose(known)));
  }

  #knownBy(bearer: string): Known<Served> {
    const id = hash("sha256", bearer, "base64url");
    const known = this.#known.get(id) ?? this.#meet(id, bearer);
    this.#known.delete(id);
    this.#known.set(id, known);
    return known;
  }

  async #admit(known: Known<Served>): Promise<void> {
    if (Date.now() - known.askedAt > trustMilliseconds) {
      known.askedAt = Date.now();
      known.admission = this.#ask(known.caller);
    }
    try {
      await known.admission;
      known.wasAdmitted = true;
    } catch (error) {
      known.askedAt = -Infinity;
      const isRefused = LociError.is(error) && error.code === "UNAUTHENTICATED";
      // Who is refused is nobody, and what is under way for them ends. A server that is away says nothing of those it knew.
      if (isRefused || !known.wasAdmitted) await this.#forget(known);
      throw error;
    }
  }

  #meet(id: string, bearer: string): Known<Served> {
    if (this.#asked >= mostAsked)
      throw new LociError("TOO_MANY_REQUESTS", {
        message: "Too many credentials are looked at for the first time.",
        advice: "Try again in a second.",
      });
    this.#makeRoom();
    const locate: LocateServer = async (signal): Promise<ConnectOptions> => ({
      ...(await this.#locate(signal)),
      apiKey: bearer,
    });
    const connection = new LociConnection(locate);
    const caller: Caller = {
      principal: id,
      connection,
      scopes: scopesOfToken(bearer) ?? this.#scopes,
      secret: new Uint8Array(hkdfSync("sha256", bearer, "", "loci mcp request state 1", 32)),
      receipts: new RecentReceipts(),
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    };
    return {
      caller,
      served: this.#made.serve(caller),
      admission: Promise.resolve(),
      askedAt: -Infinity,
      wasAdmitted: false,
      requests: 0,
    };
  }

  /** Asks the server for next to nothing: what matters is whether it lets the credential in. */
  async #ask({ connection }: Caller): Promise<void> {
    this.#asked++;
    try {
      await connection.run((loci) => loci.tokens.count({ text: "" }));
    } catch (error) {
      // One that may only write is let in, and told with each call what it may not do.
      if (!LociError.is(error) || error.reason !== "ROLE_REQUIRED") throw error;
    } finally {
      this.#asked--;
    }
  }

  #makeRoom(): void {
    for (const known of this.#known.values()) {
      if (this.#known.size < mostCallers) return;
      if (known.requests === 0) void this.#forget(known);
    }
  }

  async #forget(known: Known<Served>): Promise<void> {
    // Only the first of those who are told.
    if (this.#known.get(known.caller.principal) !== known) return;
    this.#known.delete(known.caller.principal);
    await this.#dispose(known);
  }

  async #dispose({ served, caller }: Known<Served>): Promise<void> {
    await this.#made.close(served);
    await caller[Symbol.asyncDispose]();
  }
}

/** Those that a delegated token names whole. What is true of them is said by the server that is called with it. */
function scopesOfToken(bearer: string): NonEmpty<ScopeText> | undefined {
  const patterns = readDelegatedToken(bearer)?.claims.scopes ?? [];
  const [first, ...rest] = patterns
    .filter((pattern) => !pattern.endsWith("*"))
    .map((pattern) => formatScope(parseScope(pattern)));
  return first === undefined ? undefined : [first, ...rest];
}
