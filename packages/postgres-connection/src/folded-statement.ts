/** A statement that reads, with its values. */
export interface AskedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The one row that folded statements answer with. The rows of the n-th stand in `rows<n>`, each as an object. */
export type FoldedRow = {
  /** Whom the server took the statements to be for: what row-level security compared with. */
  readonly tenant: string | null;
  /** The server's process. */
  readonly process: number;
} & { readonly [Rows in `rows${number}`]: readonly object[] };

const parameter = /\$(\d+)/gu;

/**
 * Several statements as one, which sees one state of the database. Rows come as JSON: numbers of 64 bits as numbers, which
 * is exact for float8 and for integers up to 2^53, and in the order of their statement.
 *
 * @param asked whose texts hold `$` in the numbers of their parameters alone
 */
export function foldStatements(asked: readonly AskedStatement[]): AskedStatement {
  const values: unknown[] = [];
  const columns = asked.map((one, number) => {
    const before = values.length;
    values.push(...one.values);
    const text = one.text.replaceAll(parameter, (_, place: string) => `$${before + Number(place)}`);
    return `(SELECT coalesce(json_agg(one), '[]'::json) FROM (${text}) AS one) AS rows${number}`;
  });
  const checks = ["current_setting('loci.tenant', true) AS tenant", "pg_backend_pid() AS process"];
  return { text: `SELECT ${[...checks, ...columns].join(", ")}`, values };
}
