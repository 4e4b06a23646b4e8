import { type TenantId, throwIfAborted } from "@loci/domain";
import type { ClientBase } from "pg";
import { toPostgresError } from "./postgres-error.ts";
import type { PreparedStatements } from "./prepared-statements.ts";
import { queryWithSettings } from "./query-with-settings.ts";

/** Runs statements one after the other. None begins once the call is over. */
export interface Statements {
  /** @throws LociError when the call is over, and for whatever PostgreSQL refuses */
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Statements that take effect together or not at all. */
export type Transaction = Statements;

/** Statements outside a transaction. */
export interface LoneStatements extends Statements {
  /** Runs a statement with settings for it alone. */
  runWith(settings: Settings, text: string): Promise<void>;
}

/** PostgreSQL settings by their names. */
export type Settings = Readonly<Record<string, string>>;

export interface TransactionOptions {
  /** Sees one state of the database throughout, and may not write. Default false. */
  readonly isReadOnly?: boolean | undefined;
  /** PostgreSQL settings for this transaction alone. */
  readonly settings?: Settings | undefined;
}

/** Of every transaction: compiling a plan takes longer than our statements, and their sorts should stay in memory. */
const usualSettings: Settings = { jit: "off", work_mem: "64MB" };

/** One transaction on a connection, from BEGIN to COMMIT or ROLLBACK. */
export class RunningTransaction implements Transaction, LoneStatements {
  readonly #client: ClientBase;
  readonly #signal: AbortSignal;
  /** Of the server's process, by which a statement can be cancelled. */
  process: number | undefined;
  /** From then on nobody can tell any more that nothing was written. */
  isCommitting = false;
  /** The connection must not be used again. */
  isBroken = false;

  constructor(client: ClientBase, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async run<Result>(
    tenant: TenantId | undefined,
    { isReadOnly = false, settings = {} }: TransactionOptions,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      await this.query(isReadOnly ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN");
      const [row] = await this.query<{ process: number }>(...settingStatement(tenant, settings));
      this.process = row?.process;
      const result = await work(this);
      throwIfAborted(this.#signal);
      this.isCommitting = true;
      await this.query("COMMIT");
      return result;
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
  }

  /**
   * One statement that reads, in a transaction of its own: all of it is one round trip.
   *
   * @param name see `StatementWithSettings`
   */
  async read<Row extends object>(
    tenant: TenantId,
    settings: Settings,
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<Row[]> {
    throwIfAborted(this.#signal);
    try {
      const [settingText, settingValues] = settingStatement(tenant, settings);
      const statement = { settingText, settingValues, text, values, name };
      return await queryWithSettings<Row>(this.#client, statement, (process) => {
        this.process = process;
      });
    } catch (error) {
      throwIfAborted(this.#signal);
      const known = toPostgresError(error);
      // Without an answer from the server nobody knows in which state the connection is.
      this.isBroken = known.reason === "STORE_UNAVAILABLE";
      throw known;
    }
  }

  /** Statements that are not in a transaction. */
  async runAlone<Result>(work: (statements: LoneStatements) => Promise<Result>): Promise<Result> {
    const [row] = await this.query<{ process: number }>("SELECT pg_backend_pid() AS process");
    this.process = row?.process;
    return work(this);
  }

  async runWith(settings: Settings, text: string): Promise<void> {
    try {
      for (const [name, value] of Object.entries(settings))
        await this.query("SELECT set_config($1, $2, false)", [name, value]);
      await this.query(text);
    } finally {
      for (const name of Object.keys(settings)) await this.#reset(name);
    }
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.isCommitting) throwIfAborted(this.#signal);
    try {
      const { rows } = await this.#client.query<Row>(text, [...values]);
      return rows;
    } catch (error) {
      if (!this.isCommitting) throwIfAborted(this.#signal);
      throw toPostgresError(error);
    }
  }

  /** `read`, with a plan that is made once and holds for all values: for statements that take longer to plan than to run. */
  async readPrepared<Row extends object>(
    tenant: TenantId,
    prepared: PreparedStatements,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const settings = { plan_cache_mode: "force_generic_plan" };
    const name = prepared.nameOf(this.#client, text);
    if (name === undefined) return this.read<Row>(tenant, {}, text, values);
    try {
      const rows = await this.read<Row>(tenant, settings, text, values, name);
      prepared.worked(this.#client, text, name);
      return rows;
    } catch (error) {
      if (!prepared.failed(error)) throw error;
      return this.read<Row>(tenant, {}, text, values);
    }
  }

  async #reset(name: string): Promise<void> {
    try {
      await this.#client.query(`RESET ${name}`);
    } catch {
      this.isBroken = true;
    }
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#client.query("ROLLBACK");
    } catch {
      // The connection is gone, and the transaction with it.
      this.isBroken = true;
    }
  }
}

/** Settings that end with the transaction, so that the next one on this connection never sees them. */
function settingStatement(
  tenant: TenantId | undefined,
  settings: Settings,
): readonly [text: string, values: readonly string[]] {
  const entries = Object.entries({ ...usualSettings, ...settings, "loci.tenant": tenant ?? "" });
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
  return [`SELECT pg_backend_pid() AS process, ${calls.join(", ")}`, entries.flat()];
}
