import { type TenantId, throwIfAborted } from "@loci/domain";
import type { ClientBase } from "pg";
import { toPostgresError } from "./postgres-error.ts";

/** Runs statements one after the other, all on one state of the call: none begins once it is over. */
export interface Transaction {
  /** @throws LociError when the call is over, and for whatever PostgreSQL refuses */
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface TransactionOptions {
  /** Sees one state of the database throughout, and may not write. Default false. */
  readonly isReadOnly?: boolean | undefined;
  /** PostgreSQL settings for this transaction alone. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Of every transaction: compiling a plan takes longer than our statements, and their sorts should stay in memory. */
const usualSettings: Readonly<Record<string, string>> = { jit: "off", work_mem: "64MB" };

/** One transaction on a connection, from BEGIN to COMMIT or ROLLBACK. */
export class RunningTransaction implements Transaction {
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
      await this.#set({ ...usualSettings, ...settings, "loci.tenant": tenant ?? "" });
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

  /** One statement, not in a transaction. */
  async runAlone(text: string): Promise<void> {
    const [row] = await this.query<{ process: number }>("SELECT pg_backend_pid() AS process");
    this.process = row?.process;
    await this.query(text);
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

  /** Settings that end with the transaction, so that the next one on this connection never sees them. */
  async #set(settings: Readonly<Record<string, string>>): Promise<void> {
    const entries = Object.entries(settings);
    const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
    const [row] = await this.query<{ process: number }>(
      `SELECT pg_backend_pid() AS process, ${calls.join(", ")}`,
      entries.flat(),
    );
    this.process = row?.process;
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
