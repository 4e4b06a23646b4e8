import { CallSignal, type CallOptions, LociError, type TenantId, throwIfAborted } from "@loci/domain";
import {
  type AskedStatement,
  clientConfiguration,
  connectWithin,
  GatheredReads,
  PreparedStatements,
  Sessions,
} from "@loci/postgres-connection";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import { isDeadlock, isRefused, toPostgresError } from "./postgres-error.ts";
import { type ReadAccess, sharedAccess } from "./read-access.ts";
import {
  type LoneStatements,
  RunningTransaction,
  type Settings,
  type Statements,
  type Transaction,
  type TransactionOptions,
} from "./transaction.ts";
import { schemaVersion, tooNew } from "../schema/schema-form.ts";
import { identifier } from "../schema/tables.ts";

export interface ConnectionsOptions {
  readonly connectionString: string;
  /** Whose indexes are used. */
  readonly schema: string;
  /** With one connection nothing can be cancelled on the server: that takes a second one. */
  readonly maxConnections: number;
  /** Milliseconds a call waits for a connection. */
  readonly connectTimeout: number;
}

/** How long a cancelled statement may take to end before its connection is given up. */
const cancelGrace = 3_000;
/** How often upkeep is begun that meets another server's. */
const upkeepAttempts = 5;

/** A bounded number of connections, made when they are needed and made again after they broke. */
export class Connections {
  readonly #configuration: ClientConfig;
  readonly #schema: string;
  readonly #pool: Pool;
  readonly #canCancel: boolean;
  readonly #closing = new AbortController();
  readonly #known = { sessions: new Sessions(), prepared: new PreparedStatements() };
  readonly #reads = new GatheredReads<ReadAccess, AskedStatement>({
    sharedAccess,
    readTogether: ({ tenant, options, settings }, asked) =>
      this.#use(options, (transaction) => transaction.read(tenant, settings, asked, this.#known)),
    asksAgainAlone: true,
  });
  /** By table, what resolves when the upkeep that was begun last is over. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor({ connectionString, schema, maxConnections, connectTimeout }: ConnectionsOptions) {
    this.#schema = schema;
    this.#configuration = clientConfiguration(connectionString, connectTimeout);
    this.#pool = new Pool({ ...this.#configuration, max: maxConnections });
    // An idle connection that breaks has no call to tell, and the next call gets another.
    this.#pool.on("error", ignore);
    this.#canCancel = maxConnections > 1;
  }

  /**
   * Runs work in a transaction that sees the rows of one tenant only: row-level security compares with a setting made
   * here, which ends with the transaction.
   *
   * When the call is over before the commit, nothing is written and the running statement is cancelled on the server.
   *
   * @param tenant `undefined` where no table with rows of tenants is touched
   * @throws LociError of the call, or of `toPostgresError`
   */
  async transaction<Result>(
    tenant: TenantId | undefined,
    options: CallOptions | undefined,
    work: (transaction: Transaction) => Promise<Result>,
    transactionOptions: TransactionOptions = {},
  ): Promise<Result> {
    return this.#use(options, (transaction) => transaction.run(tenant, transactionOptions, work));
  }

  /**
   * Reads the rows of one tenant. What is asked in one turn of the event loop for the same call is one statement to the
   * server, and one round trip. Each connection plans it once, for all values: so texts hold none.
   *
   * @param settings for these statements alone
   */
  reader(tenant: TenantId, options: CallOptions | undefined, settings: Settings = {}): Statements {
    return {
      query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await this.#reads.ask({ tenant, options, settings }, { text, values })) as Row[],
    };
  }

  /**
   * Runs statements outside a transaction, for those that PostgreSQL allows nowhere else. Upkeep of a table at two places can
   * wait for each other for ever: here it takes turns, and where another server is met, PostgreSQL ends one of them, which
   * is begun again. So the work must bear to be repeated.
   *
   * @param table whose turns are taken
   * @throws LociError of the call, or of `toPostgresError`
   */
  async alone<Result>(
    table: string,
    options: CallOptions | undefined,
    work: (statements: LoneStatements) => Promise<Result>,
  ): Promise<Result> {
    using call = new CallSignal(options);
    const running = (this.#turns.get(table) ?? Promise.resolve()).then(() => this.#repeatedly(call, work));
    const over = running.then(ignore, ignore);
    this.#turns.set(table, over);
    try {
      return await running;
    } finally {
      if (this.#turns.get(table) === over) this.#turns.delete(table);
    }
  }

  async #repeatedly<Result>(
    options: CallOptions,
    work: (statements: LoneStatements) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#use(options, (transaction) => transaction.runAlone(work));
      } catch (error) {
        if (!isDeadlock(error) || attempt === upkeepAttempts) throw error;
      }
  }

  /** Waits for the transactions under way. What still waits for a connection is refused: the pool would forget it. */
  async close(): Promise<void> {
    this.#closing.abort(new LociError("CLOSED", { message: "The store is closed.", advice: "Open it again." }));
    await this.#pool.end();
  }

  /** What is refused by tables that a newer version has given another form is told so. */
  async #use<Result>(
    options: CallOptions | undefined,
    work: (transaction: RunningTransaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#useOnce(options, work);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const form = await this.#form().catch(ignore);
      throw form === undefined || form <= schemaVersion ? error : tooNew(this.#schema, form, error);
    }
  }

  /** The form that the tables have now; `undefined` where there are none. */
  async #form(): Promise<number | undefined> {
    const versions = identifier(this.#schema, "schema_version");
    const read = { isReadOnly: true };
    const rows = await this.#useOnce(undefined, (running) =>
      running.run(undefined, read, (transaction) =>
        transaction.query<{ version: number }>(`SELECT version FROM ${versions}`),
      ),
    );
    return rows[0]?.version;
  }

  async #useOnce<Result>(
    options: CallOptions | undefined,
    work: (transaction: RunningTransaction) => Promise<Result>,
  ): Promise<Result> {
    using call = new CallSignal(options);
    const { signal } = call;
    call.throwIfAborted();
    const client = await this.#connect(signal);
    client.on("error", ignore);
    const transaction = new RunningTransaction(client, signal);
    const running = work(transaction);
    const stopped = Promise.withResolvers<never>();
    let hasStopped = false;
    const stop = (): void => {
      if (transaction.isCommitting) return;
      hasStopped = true;
      stopped.reject(signal.reason);
    };
    signal.addEventListener("abort", stop);
    try {
      return await Promise.race([running, stopped.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
      if (hasStopped) void this.#giveBackStopped(client, transaction, running);
      else giveBack(client, transaction.isBroken);
    }
  }

  async #connect(call: AbortSignal): Promise<PoolClient> {
    const signals = [this.#closing.signal, call];
    try {
      return await connectWithin(this.#pool, signals);
    } catch (error) {
      for (const signal of signals) throwIfAborted(signal);
      throw toPostgresError(error);
    }
  }

  /** The connection goes back once its statement has ended and nothing more can be cancelled by mistake. */
  async #giveBackStopped(
    client: PoolClient,
    transaction: RunningTransaction,
    running: Promise<unknown>,
  ): Promise<void> {
    const ended = running.then(ignore, ignore);
    const cancelled = this.#cancel(transaction.process).catch(ignore);
    const isIdle = await settlesInTime(Promise.all([ended, cancelled]));
    giveBack(client, transaction.isBroken || !isIdle);
  }

  async #cancel(process: number | undefined): Promise<void> {
    if (process === undefined || !this.#canCancel) return;
    // Not from the pool: all its connections may be busy with what is to be cancelled.
    const client = new Client(this.#configuration);
    client.on("error", ignore);
    try {
      await client.connect();
      await client.query("SELECT pg_cancel_backend($1)", [process]);
    } finally {
      await client.end();
    }
  }
}

function giveBack(client: PoolClient, isBroken: boolean): void {
  client.off("error", ignore);
  client.release(isBroken);
}

async function settlesInTime(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), cancelGrace);
  const isInTime = await Promise.race([work.then(() => true), late.promise]);
  clearTimeout(timer);
  return isInTime;
}

function ignore(): void {}
