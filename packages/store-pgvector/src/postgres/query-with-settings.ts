import { type ClientBase, type Connection, Query } from "pg";

/** A statement, and the one before it that makes the settings it runs with. */
export interface StatementWithSettings {
  /** Of a SELECT of settings for the transaction, and of the server's process as `process`. */
  readonly settingText: string;
  readonly settingValues: readonly string[];
  readonly text: string;
  /** At least one: without any pg would send the statement in another way. */
  readonly values: readonly unknown[];
  /** By which the connection keeps the statement for the next time. Default: it does not. */
  readonly name?: string | undefined;
}

/** What a query whose statements return rows more than once calls back with. */
interface Outcome<Row> {
  readonly rows: Row[];
}

/**
 * Sends both statements at once. What stands before one Sync is one transaction, so the settings hold for the statement and
 * end with it, without BEGIN and COMMIT and the round trips these take
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 *
 * @param onProcess is told the server's process before the statement runs, so that it can be cancelled
 */
export async function queryWithSettings<Row extends object>(
  client: ClientBase,
  { settingText, settingValues, text, values, name }: StatementWithSettings,
  onProcess: (process: number) => void,
): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Outcome<Row>[]>();
  // The types know of one outcome only; two statements have two.
  const callback = (error: Error | null | undefined, outcomes: unknown): void =>
    error === null || error === undefined ? resolve(outcomes as readonly Outcome<Row>[]) : reject(error);
  const query = new Query<Row>({ text, values: [...values], ...(name === undefined ? {} : { name }) }, callback);
  const submit = query.submit.bind(query);
  query.submit = (connection: Connection) => {
    connection.stream.cork();
    try {
      connection.parse({ name: "", text: settingText, types: [] }, true);
      connection.bind({ values: [...settingValues] }, true);
      connection.describe({ type: "P" }, true);
      connection.execute({}, true);
      // Else the server keeps this answer back until the statement has ended.
      connection.flush();
      return submit(connection);
    } finally {
      connection.stream.uncork();
    }
  };
  query.once("row", (row) => onProcess((row as unknown as { readonly process: number }).process));
  client.query(query);
  const outcomes = await promise;
  return outcomes.at(-1)?.rows ?? [];
}
