import type { Duplex } from "node:stream";
import { type CallOptions, CallSignal, LociError, type TenantId } from "@loci/domain";
import { ledgerClosed } from "@loci/ledger/sql";
import {
  connectWithin,
  type FoldedRow,
  foldStatements,
  GatheredReads,
  PreparedStatements,
  Sessions,
} from "@loci/postgres-connection";
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from "pg";
import type { Access } from "./access.ts";
import { type AskedRead, unfolded } from "./folded-read.ts";
import { isAnswered, isConnectionLoss, isRepeatable, toLociError } from "./postgres-error.ts";
import { migrations } from "./migrations.ts";
import { overtaken } from "./schema-version.ts";
import { type Statement, statement } from "./statement.ts";

export interface ConnectionsOptions {
  readonly pool: PoolConfig;
  /** A plain lower-case identifier. */
  readonly schema: string;
  readonly role: string | undefined;
  /** Names the server in messages, without credentials. */
  readonly where: string;
  /** Whether a connection has a session of its own, which may stay set to a tenant between two reads. Default false. */
  readonly ownSessions?: boolean | undefined;
}

/** Runs statements inside the transaction that is open. Several may be sent without waiting for each other. */
export type RunStatement = <Row>(statement: Statement<Row>, values: readonly unknown[]) => Promise<readonly Row[]>;

/** Times in milliseconds. */
const connectTimeout = 5_000;
const statementTimeout = 30_000;
const lockTimeout = 10_000;
const idleInTransactionTimeout = 15_000;
/** Of what lost to another transaction, and of what lost its connection: a server that is gone is soon reported. */
const maxAttempts = { conflict: 5, connection: 2 };

/** Most statements that a connection keeps of those that were put together here. */
const mostPrepared = 128;

/** Everything a transaction is set to, which ends with it: nothing of it can be left on a connection. */
const settings = statement(
  `SELECT set_config('search_path', $1, true), set_config('loci.tenant', $2, true),
     set_config('loci.every_tenant', $3, true), set_config('statement_timeout', $4, true),
     set_config('lock_timeout', '${lockTimeout}', true), set_config('plan_cache_mode', 'auto', true),
     set_config('idle_in_transaction_session_timeout', '${idleInTransactionTimeout}', true)`,
);

/**
 * What is the same for all reads of a session that is set to a tenant. Their statements take longer to plan than to run, so a
 * connection plans each once, for all values.
 */
const sessionSettings = statement(
  `SELECT set_config('search_path', $1, false), set_config('loci.tenant', $2, false),
     set_config('statement_timeout', '${statementTimeout}', false), set_config('jit', 'off', false),
     set_config('plan_cache_mode', 'force_generic_plan', false)`,
);

/**
 * A bounded pool of connections. Each piece of work is a transaction that belongs to one tenant.
 *
 * Statements are sent without waiting for the ones before (`pipeline`), so that a read takes one round trip although it
 * is four statements. A call that is cancelled gives its connection up: the server notices within a second and stops.
 */
export class Connections {
  readonly where: string;
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #searchPath: string;
  readonly #running = new Set<Promise<unknown>>();
  readonly #reads = new GatheredReads<Reader, AskedRead>({
    sharedAccess: (one, other) => (isAlike(one, other) ? one : undefined),
    readTogether: (reader, asked) => this.#together(reader, asked),
  });
  readonly #sessions: Sessions;
  readonly #prepared = new PreparedStatements(mostPrepared);
  #closing: Promise<void> | undefined;

  constructor({ pool, schema, role, where, ownSessions = false }: ConnectionsOptions) {
    this.where = where;
    this.#schema = schema;
    this.#sessions = new Sessions(ownSessions);
    // pg_temp last: a temporary table must never stand in for one of ours.
    this.#searchPath = `${schema}, pg_temp`;
    this.#pool = new Pool({
      max: 10,
      connectionTimeoutMillis: connectTimeout,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // An idle ledger does not keep a program running that forgot to close it.
      allowExitOnIdle: true,
      application_name: "loci",
      ...pool,
      pipeline: true,
      types: { getTypeParser: parserOf as typeof types.getTypeParser },
      onConnect: (client): unknown => prepare(client, role),
    });
    // An idle connection that breaks has left the pool by itself; who needs one next makes a new one.
    this.#pool.on("error", () => undefined);
  }

  /**
   * Reads with one statement. What is asked for a tenant in one turn of the event loop, for the same call, is one statement to
   * the server, without a transaction around it.
   */
  async read<Row>(
    access: Access,
    wanted: Statement<Row>,
    values: readonly unknown[],
    call?: CallOptions,
  ): Promise<readonly Row[]> {
    this.throwIfClosing();
    if (!("tenant" in access)) return this.#one("BEGIN READ ONLY", access, wanted, values, call);
    const asked = this.#reads.ask({ tenant: access.tenant, call }, { wanted, values });
    return this.#track(() => asked as Promise<readonly Row[]>);
  }

  /** As `read` for a tenant, by itself: what has very many rows is not put together with others. */
  async readAlone<Row>(
    tenant: TenantId,
    wanted: Statement<Row>,
    values: readonly unknown[],
    call?: CallOptions,
  ): Promise<readonly Row[]> {
    this.throwIfClosing();
    return this.#one("BEGIN READ ONLY", { tenant }, wanted, values, call);
  }

  /** Writes with one statement. */
  async write<Row>(access: Access, wanted: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]> {
    this.throwIfClosing();
    return this.#one("BEGIN", access, wanted, values, undefined);
  }

  /**
   * Runs a transaction that writes; repeats it while that is safe. `run` gets a function that sends statements, and one
   * that commits: it sends the last statements and the COMMIT at once. Also while closing, for what was accepted before.
   */
  transaction<Result>(
    access: Access,
    run: (send: RunStatement, commit: (last: readonly Promise<unknown>[]) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    return this.#track(async () => {
      for (let attempt = 1; ; attempt++) {
        let committing = false;
        try {
          return await this.#withClient(undefined, async (client) => {
            const send = sender(client);
            const opening = [client.query("BEGIN"), this.#configure(client, access, undefined)];
            let committed = false;
            const commit = async (last: readonly Promise<unknown>[]): Promise<void> => {
              committing = true;
              committed = true;
              await allDone([...last, client.query("COMMIT")]);
            };
            try {
              const outcomes = await allDone([...opening, run(send, commit)]);
              if (!committed) await commit([]);
              return outcomes.at(-1) as Result;
            } catch (error) {
              if (isAnswered(error) || LociError.is(error)) await client.query("ROLLBACK");
              throw error;
            }
          });
        } catch (error) {
          if (!mayRepeat(error, attempt, !committing)) throw await this.#failure(error, committing);
        }
      }
    });
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** @throws LociError `CLOSED` */
  throwIfClosing(): void {
    if (this.#closing !== undefined) throw ledgerClosed();
  }

  /** Refuses new work, waits for what is running and for what was accepted, then ends the connections. */
  close(accepted: Promise<void>): Promise<void> {
    this.#closing ??= this.#finish(accepted);
    return this.#closing;
  }

  async #finish(accepted: Promise<void>): Promise<void> {
    await accepted;
    await Promise.allSettled(this.#running);
    await this.#pool.end();
  }

  /** One statement in a transaction of its own. Also while closing, for what was accepted before. */
  async #one<Row>(
    begin: string,
    access: Access,
    wanted: Statement<Row>,
    values: readonly unknown[],
    call: CallOptions | undefined,
  ): Promise<readonly Row[]> {
    return this.#track(async () => {
      using over = new CallSignal(call);
      for (let attempt = 1; ; attempt++) {
        over.throwIfAborted();
        try {
          return await this.#withClient(over.signal, async (client) => {
            const sent = [
              client.query(begin),
              this.#configure(client, access, call),
              sender(client)(wanted, values),
              client.query("COMMIT"),
            ] as const;
            return (await allDone(sent))[2] as readonly Row[];
          });
        } catch (error) {
          over.throwIfAborted();
          const writes = begin === "BEGIN";
          if (!mayRepeat(error, attempt, !writes)) throw await this.#failure(error, writes);
        }
      }
    });
  }

  /**
   * Sends statements as one. Where that is refused, or ran in a session that is set to another tenant and so saw nothing of
   * it, each is sent in a transaction that says for itself whom it is for.
   */
  async #together({ tenant, call }: Reader, asked: readonly AskedRead[]): Promise<readonly (readonly unknown[])[]> {
    if (this.#sessions.areKept) {
      const row = await this.#folded({ tenant, call }, asked);
      if (row !== undefined) return unfolded(row, asked);
    }
    const alone = asked.map(({ wanted, values }) => this.#one("BEGIN READ ONLY", { tenant }, wanted, values, call));
    return (await allDone(alone)) as readonly (readonly unknown[])[];
  }

  /** @returns `undefined` when the server refused, or the session was not the one that was set */
  async #folded({ tenant, call }: Reader, asked: readonly AskedRead[]): Promise<FoldedRow | undefined> {
    const { text, values } = foldStatements(asked.map((one) => ({ text: one.wanted.text, values: one.values })));
    using over = new CallSignal(call);
    for (let attempt = 1; ; attempt++) {
      over.throwIfAborted();
      try {
        const row = await this.#withClient(over.signal, async (client) => {
          const name = this.#prepared.nameOf(client, text);
          const isSet = this.#sessions.processOf(client, tenant) !== undefined;
          const setting = isSet ? [] : [sender(client)(sessionSettings, [this.#searchPath, tenant])];
          this.#sessions.forget(client);
          const folded: Statement<FoldedRow> = { name: name ?? "", text };
          const outcomes = await allDone([...setting, sender(client)(folded, values)]);
          if (name !== undefined) this.#prepared.worked(client, text, name);
          const answer = (outcomes.at(-1) as readonly FoldedRow[])[0];
          if (answer !== undefined) this.#sessions.isSet(client, { tenant, process: answer.process });
          return answer;
        });
        if (row?.tenant === tenant) return row;
        this.#sessions.areHandedOut();
        return undefined;
      } catch (error) {
        over.throwIfAborted();
        this.#prepared.failed(error);
        if (isAnswered(error)) return undefined;
        if (!mayRepeat(error, attempt, true)) throw await this.#failure(error, false);
      }
    }
  }

  #configure(client: PoolClient, access: Access, call: CallOptions | undefined): Promise<unknown> {
    const remaining = call?.deadline === undefined ? statementTimeout : call.deadline - Date.now();
    // A little later than the caller's own clock, whose answer is the better one.
    const timeout = Math.max(1, Math.min(statementTimeout, Math.ceil(remaining) + 1_000));
    const tenant = "tenant" in access ? access.tenant : "";
    return sender(client)(settings, [this.#searchPath, tenant, "tenant" in access ? "" : "on", String(timeout)]);
  }

  /** What failed, for who asked. What a schema refuses that a newer server has migrated meanwhile is told so. */
  async #failure(thrown: unknown, maybeWritten: boolean): Promise<LociError> {
    const known = toLociError(thrown, this.where, maybeWritten);
    if (known.reason !== "INTERNAL" && known.reason !== "INVALID_CONFIGURATION") return known;
    const version = await this.#versionNow().catch(() => 0);
    return version > migrations.length ? overtaken(version, this.#schema, this.where, known) : known;
  }

  async #versionNow(): Promise<number> {
    const newest = `SELECT max(version) AS version FROM ${this.#schema}.schema_steps`;
    const { rows } = await this.#withClient(undefined, (client) =>
      client.query<{ readonly version: number | null }>(newest),
    );
    return rows[0]?.version ?? 0;
  }

  /** Gives a connection for some work, and up when the work is abandoned or the connection is not what it was. */
  async #withClient<Result>(
    signal: AbortSignal | undefined,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await connectWithin(this.#pool, signal === undefined ? [] : [signal]);
    let release = (discard: boolean): void => {
      release = () => undefined;
      client.release(discard);
    };
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => {
      // Ending it would wait for the statements that were sent.
      socketOf(client).destroy();
      release(true);
      aborted.reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    // Emitted also while a statement runs, whose rejection is then the one that counts.
    const onError = (): void => undefined;
    client.on("error", onError);
    try {
      const result = await (signal === undefined ? work(client) : Promise.race([work(client), aborted.promise]));
      release(false);
      return result;
    } catch (error) {
      release(!isAnswered(error) && !LociError.is(error));
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      client.off("error", onError);
    }
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** For whom statements read. */
interface Reader {
  readonly tenant: TenantId;
  readonly call: CallOptions | undefined;
}

function isAlike(one: Reader, other: Reader): boolean {
  return (
    one.tenant === other.tenant &&
    one.call?.signal === other.call?.signal &&
    one.call?.deadline === other.call?.deadline
  );
}

/** The pool waits for it, though its type does not say so. */
async function prepare(client: ClientBase, role: string | undefined): Promise<void> {
  // Ends what runs for somebody who is gone. Not every platform can tell.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
  // A session that was somebody else's may have statements by our names.
  await client.query("DEALLOCATE ALL");
  if (role !== undefined) await client.query(`SET ROLE ${role}`);
}

/** `pg` has no other way to give up a connection at once. */
function socketOf(client: PoolClient): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}

function sender(client: PoolClient): RunStatement {
  return async <Row>({ name, text }: Statement<Row>, values: readonly unknown[]) => {
    const result = await client.query<Row & object>({ name, text, values: [...values] });
    return result.rows;
  };
}

/** @param harmless nothing can have been written when the connection was lost */
function mayRepeat(error: unknown, attempt: number, harmless: boolean): boolean {
  if (isRepeatable(error)) return attempt < maxAttempts.conflict;
  return harmless && isConnectionLoss(error) && attempt < maxAttempts.connection;
}

/** Waits for all of them, then rejects with the first failure: the later ones only follow from it. */
export async function allDone(sent: readonly unknown[]): Promise<readonly unknown[]> {
  const outcomes = await Promise.allSettled(sent);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** 64-bit integers are numbers here: sequences, times and counters stay below 2^53. */
function parserOf(type: Parameters<typeof types.getTypeParser>[0]): unknown {
  return type === types.builtins.INT8 ? Number : types.getTypeParser(type);
}
