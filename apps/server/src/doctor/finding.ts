import { LociError } from "@loci/loci";

/** What was looked at, in the order it is looked at. */
export type Check =
  | "node"
  | "configuration"
  | "directory"
  | "permissions"
  | "disk"
  | "shards"
  | "owner"
  | "ledger"
  | "indexes"
  | "mirrors"
  | "clock"
  | "embedder"
  | "models"
  | "keys"
  | "tls"
  | "server"
  | "status";

/** What was found. `warn`: it works, and somebody should know. `fail`: something does not work, or will not start. */
export interface Finding {
  readonly check: Check;
  readonly state: "ok" | "warn" | "fail";
  /** How it is, in a sentence. Never memory text, a key or another secret. */
  readonly message: string;
  /** What to do. With every `warn` and `fail`. */
  readonly advice?: string | undefined;
}

export function ok(check: Check, message: string): Finding {
  return { check, state: "ok", message };
}

export function warn(check: Check, message: string, advice: string): Finding {
  return { check, state: "warn", message, advice };
}

export function fail(check: Check, message: string, advice: string): Finding {
  return { check, state: "fail", message, advice };
}

/** What an error says. */
export function failWith(check: Check, error: unknown): Finding {
  if (LociError.is(error))
    return fail(check, `${error.message} [${error.reason}]`, error.advice ?? "Look at the server's log.");
  return fail(check, error instanceof Error ? error.message : String(error), "Look at the server's log.");
}
