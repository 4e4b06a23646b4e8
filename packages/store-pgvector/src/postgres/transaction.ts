import { type TenantId, throwIfAborted } from "@loci/domain";
import {
  type AskedStatement,
  type FoldedRow,
  foldStatements,
  type PreparedStatements,
  type Sessions,
} from "@loci/postgres-connection";
import type { ClientBase } from "pg";
import type { CopiedRow } from "./copied-row.ts";
import { copyRows } from "./copied-rows.ts";
import { toPostgresError } from "./postgres-error.ts";
import { queryWithSettings } from "./query-with-settings.ts";

/** Runs statements one after the other. None begins once the call is over. */
export interface Statements {
  /** @throws LociError when the call is over, and for whatever PostgreSQL refuses */
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Statements that take effect together or not at all. */
export interface Transaction extends Statements {
  /** Reads the rows of a SELECT without parameters one after the other, see `copyRows`. */
  copy(text: string, take: (row: CopiedRow) => void): Promise<void>;
}

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
const usualSettings: Settings = { jit: "off", work_mem: "64MB", plan_cache_mode: "auto" };

/** Of reads: their statements take longer to plan than to run, so each connection plans them once, for all values. */
const readSettings: Settings = { plan_cache_mode: "force_generic_plan" };

/** What is known about connections from one read to the next. */
export interface KnownConnections {
  readonly sessions: Sessions;
  readonly prepared: PreparedStatements;
}

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
   * Statements that read, in a transaction of their own: all of it is one round trip, and one statement where the session is
   * set to the tenant already.
   */
  async read(
    tenant: TenantId,
    settings: Settings,
    asked: readonly AskedStatement[],
    connections: KnownConnections,
  ): Promise<readonly (readonly object[])[]> {
    throwIfAborted(this.#signal);
    const { sessions, prepared } = connections;
    const folded = foldStatements(asked);
    const isUsual = Object.keys(settings).length === 0;
    const name = isUsual ? prepared.nameOf(this.#client, folded.text) : undefined;
    try {
      const row = await this.#readFolded(tenant, settings, { ...folded, name }, sessions);
      if (name !== undefined) prepared.worked(this.#client, folded.text, name);
      return asked.map((_, number) => row[`rows${number}`] ?? []);
    } catch (error) {
      sessions.forget(this.#client);
      throwIfAborted(this.#signal);
      const known = toPostgresError(error);
      if (name !== undefined && prepared.failed(known)) return this.read(tenant, settings, asked, connections);
      // Without an answer from the server nobody knows in which state the connection is.
      this.isBroken = known.reason === "STORE_UNAVAILABLE";
      throw known;
    }
  }

  async #readFolded(
    tenant: TenantId,
    settings: Settings,
    { text, values, name }: AskedStatement & { readonly name: string | undefined },
    sessions: Sessions,
  ): Promise<FoldedRow> {
    const client = this.#client;
    // Settings for these statements alone are no state to be left behind.
    const isUsual = Object.keys(settings).length === 0;
    const process = isUsual ? sessions.processOf(client, tenant) : undefined;
    if (process !== undefined) {
      this.process = process;
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const [row] = (await client.query<FoldedRow>(query)).rows;
      if (row?.tenant === tenant && row.process === process) return row;
      sessions.areHandedOut();
    }
    const isKept = isUsual && sessions.areKept;
    const own = isUsual ? readSettings : settings;
    const [settingText, settingValues] = settingStatement(tenant, own, isKept ? "false" : "true");
    const [row] = await queryWithSettings<FoldedRow>(
      client,
      { settingText, settingValues, text, values, name },
      (setProcess) => {
        this.process = setProcess;
      },
    );
    if (row?.tenant !== tenant) throw new Error("A statement ran for another tenant than it was set to.");
    if (isKept) sessions.isSet(client, { tenant, process: row.process });
    return row;
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
    return this.#send(async () => (await this.#client.query<Row>(text, [...values])).rows);
  }

  async copy(text: string, take: (row: CopiedRow) => void): Promise<void> {
    return this.#send(() => copyRows(this.#client, text, take));
  }

  async #send<Result>(send: () => Promise<Result>): Promise<Result> {
    if (!this.isCommitting) throwIfAborted(this.#signal);
    try {
      return await send();
    } catch (error) {
      if (!this.isCommitting) throwIfAborted(this.#signal);
      throw toPostgresError(error);
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

/** By default settings that end with the transaction, so that the next one on this connection never sees them. */
function settingStatement(
  tenant: TenantId | undefined,
  settings: Settings,
  endsWithTransaction: "true" | "false" = "true",
): readonly [text: string, values: readonly string[]] {
  const entries = Object.entries({ ...usualSettings, ...settings, "loci.tenant": tenant ?? "" });
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, ${endsWithTransaction})`);
  return [`SELECT pg_backend_pid() AS process, ${calls.join(", ")}`, entries.flat()];
}
