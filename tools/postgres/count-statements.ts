import { Connection } from "pg";

/** What was sent to PostgreSQL while some work ran. */
export interface SentStatements {
  /** The text of each that was executed, in the order sent. BEGIN, COMMIT and settings count like any other. */
  readonly statements: readonly string[];
  /** How often a server was asked to answer: several statements may stand before one Sync. */
  readonly exchanges: number;
  /**
   * How many of those exchanges waited for each other, at most: what was sent before the answer of another came, on
   * whichever connection, waits together with it.
   */
  readonly roundTrips: number;
}

/** What `pg` has, though its types do not say so. */
interface Wire {
  parse: (this: Wire, query: { readonly name?: string; readonly text: string }, ...rest: unknown[]) => unknown;
  bind: (this: Wire, binding: { readonly statement?: string }, ...rest: unknown[]) => unknown;
  execute: (this: Wire, ...rest: unknown[]) => unknown;
  query: (this: Wire, text: string, ...rest: unknown[]) => unknown;
  sync: (this: Wire, ...rest: unknown[]) => unknown;
  on(event: "readyForQuery", listener: () => void): unknown;
  off(event: "readyForQuery", listener: () => void): unknown;
}

const texts = new WeakMap<object, Map<string, string>>();
let isPrepared = false;

/**
 * Counts what every connection of this process sends from now until the work is over, whoever sends it: so nothing else may
 * be under way. By the messages that `pg` writes, so that nothing passes by.
 */
export async function countStatements<Result>(
  work: () => Promise<Result>,
): Promise<SentStatements & { readonly result: Result }> {
  rememberTexts();
  const wire = Connection.prototype as unknown as Wire;
  const { bind, execute, query, sync } = wire;
  const statements: string[] = [];
  const waiting = new Map<Wire, number[]>();
  const stops: (() => void)[] = [];
  let [exchanges, answered, roundTrips] = [0, 0, 0];
  const bound = new WeakMap<Wire, string>();
  const onSent = (connection: Wire): void => {
    exchanges++;
    const depth = answered + 1;
    roundTrips = Math.max(roundTrips, depth);
    let depths = waiting.get(connection);
    if (depths === undefined) {
      waiting.set(connection, (depths = []));
      const onReady = (): void => {
        answered = Math.max(answered, waiting.get(connection)?.shift() ?? 0);
      };
      connection.on("readyForQuery", onReady);
      stops.push(() => connection.off("readyForQuery", onReady));
    }
    depths.push(depth);
  };
  wire.bind = function (binding, ...rest) {
    bound.set(this, texts.get(this)?.get(binding.statement ?? "") ?? `(prepared before) ${binding.statement ?? ""}`);
    return bind.call(this, binding, ...rest);
  };
  wire.execute = function (...rest) {
    statements.push(bound.get(this) ?? "");
    return execute.apply(this, rest);
  };
  wire.query = function (text, ...rest) {
    statements.push(text);
    onSent(this);
    return query.call(this, text, ...rest);
  };
  wire.sync = function (...rest) {
    onSent(this);
    return sync.apply(this, rest);
  };
  try {
    const result = await work();
    return { result, statements, exchanges, roundTrips };
  } finally {
    Object.assign(wire, { bind, execute, query, sync });
    for (const stop of stops) stop();
  }
}

/** Statements that were prepared while nothing was counted are told by their texts, too. */
export function rememberTexts(): void {
  if (isPrepared) return;
  isPrepared = true;
  const wire = Connection.prototype as unknown as Wire;
  const { parse } = wire;
  wire.parse = function (query, ...rest) {
    let known = texts.get(this);
    if (known === undefined) texts.set(this, (known = new Map<string, string>()));
    known.set(query.name ?? "", query.text);
    return parse.call(this, query, ...rest);
  };
}
