import { hash } from "node:crypto";
import { LociError, type NonEmpty, type ScopeText } from "@loci/loci";
import { RecentReceipts } from "../resources/recent-receipts.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { Admission } from "./admission.ts";
import { admit } from "./admit.ts";
import { AskingTurns } from "./asking-turns.ts";
import { CallerConnection } from "./caller-connection.ts";
import type { SharedServer } from "./shared-server.ts";

/** Somebody who calls over HTTP, known by a credential. */
export interface Caller extends ToolEnvironment, AsyncDisposable {}

/** How long a credential that was let in is not asked about again, in milliseconds. Each call of Loci looks at it anyway. */
const trustMilliseconds = 10_000;
/** Callers that are kept: those who called longest ago go first. */
const mostCallers = 256;
/** Credentials that are asked about for the first time at once. */
const mostAsked = 16;
/** Those that wait for that: as many as there are connections, each of which has one request at a time. */
const mostWaiting = 512;

interface Known<Served> {
  /** A hash of the credential. */
  readonly id: string;
  readonly expiresAt: number;
  readonly caller: Caller;
  readonly owner: string;
  readonly served: Served;
  /** What the server last said of the credential, or is about to. */
  admission: Promise<void>;
  askedAt: number;
  wasAdmitted: boolean;
  requests: number;
}

/** Where callers come from, and what each gets. */
export interface CallersOptions<Served> {
  readonly server: SharedServer;
  /** Of those whose credential names none. */
  readonly scopes: NonEmpty<ScopeText>;
  /** Those of OAuth that are taken, besides keys and tokens of Loci. */
  readonly tokens: AccessTokens | undefined;
  /** @param end lets go of the caller, as soon as their credential is known to be over */
  serve(caller: Caller, end: () => void): Served;
  close(served: Served): Promise<void>;
  /** Hears of what fails and is no error of Loci's. Default: nobody does. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
}

/** Who calls, by credential, and what was made for them. */
export class Callers<Served> implements AsyncDisposable {
  readonly #options: CallersOptions<Served>;
  /** The one who called longest ago first. */
  readonly #known = new Map<string, Known<Served>>();
  readonly #turns = new AskingTurns(mostAsked, mostWaiting);

  constructor(options: CallersOptions<Served>) {
    this.#options = options;
  }

  /**
   * Runs what one request needs of its caller.
   *
   * @param signal of the request: who is gone is asked about no more
   * @param work gets what was made for the credential, and its owner
   * @throws LociError what the server says of the credential, such as `CREDENTIAL_INVALID`; `SERVER_UNAVAILABLE`;
   *   `TOO_MANY_REQUESTS` while too many wait to be asked about; what `admit` throws
   */
  async with<Result>(
    bearer: string,
    signal: AbortSignal,
    work: (served: Served, owner: string) => Promise<Result>,
  ): Promise<Result> {
    const known = await this.#begin(bearer, signal);
    try {
      return await work(known.served, known.owner);
    } finally {
      known.requests--;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#known.values()];
    this.#known.clear();
    await Promise.all(all.map((known) => this.#dispose(known)));
  }

  /** Who calls, let in and with one request more: whoever has one is not forgotten to make room. */
  async #begin(bearer: string, signal: AbortSignal): Promise<Known<Served>> {
    const id = hash("sha256", bearer, "base64url");
    const known = this.#known.get(id);
    if (known !== undefined) return this.#enter(known);
    const admission = await admit(bearer, this.#options.tokens);
    // Somebody else may have been let in with it meanwhile.
    return this.#turns.run(signal, () => this.#enter(this.#known.get(id) ?? this.#meet(id, admission)));
  }

  async #enter(known: Known<Served>): Promise<Known<Served>> {
    if (known.wasAdmitted && known.expiresAt <= Date.now()) {
      await this.#forget(known);
      const since = new Date(known.expiresAt).toISOString();
      throw new LociError("CREDENTIAL_EXPIRED", {
        message: `The token expired at ${since}.`,
        advice: "Get a new one.",
      });
    }
    if (this.#known.delete(known.id)) this.#known.set(known.id, known);
    known.requests++;
    try {
      await this.#admit(known);
      return known;
    } catch (error) {
      known.requests--;
      throw error;
    }
  }

  async #admit(known: Known<Served>): Promise<void> {
    // By a clock that is never set: one that is set back would trust for longer.
    if (performance.now() - known.askedAt > trustMilliseconds) {
      known.askedAt = performance.now();
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

  #meet(id: string, { apiKey, principal, owner, secret, scopes, expiresAt }: Admission): Known<Served> {
    this.#makeRoom();
    // Whoever was let in a moment ago is asked about again with the next request.
    const connection = new CallerConnection(this.#options.server, apiKey, () => (known.askedAt = -Infinity));
    const caller: Caller = {
      principal,
      connection,
      scopes: scopes ?? this.#options.scopes,
      secret,
      receipts: new RecentReceipts(),
      onUnexpected: this.#options.onUnexpected,
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    };
    const known: Known<Served> = {
      id,
      expiresAt: expiresAt ?? Infinity,
      caller,
      owner,
      served: this.#options.serve(caller, () => this.#letGo(known)),
      admission: Promise.resolve(),
      askedAt: -Infinity,
      wasAdmitted: false,
      requests: 0,
    };
    this.#known.set(id, known);
    return known;
  }

  /** Asks the server for next to nothing: what matters is whether it lets the credential in. */
  async #ask({ connection }: Caller): Promise<void> {
    try {
      await connection.run((loci) => loci.tokens.count({ text: "" }));
    } catch (error) {
      // One that may only write is let in, and told with each call what it may not do.
      if (!LociError.is(error) || error.reason !== "ROLE_REQUIRED") throw error;
    }
  }

  #makeRoom(): void {
    for (const known of this.#known.values()) {
      if (this.#known.size < mostCallers) return;
      if (known.requests === 0) this.#letGo(known);
    }
  }

  /** Where nobody waits for it. */
  #letGo(known: Known<Served>): void {
    this.#forget(known).catch((error: unknown) => this.#options.onUnexpected?.(error));
  }

  async #forget(known: Known<Served>): Promise<void> {
    // Only the first of those who are told.
    if (this.#known.get(known.id) !== known) return;
    this.#known.delete(known.id);
    await this.#dispose(known);
  }

  async #dispose({ served, caller }: Known<Served>): Promise<void> {
    await this.#options.close(served);
    await caller[Symbol.asyncDispose]();
  }
}
