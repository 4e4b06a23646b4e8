import * as api from "@loci/api";
import type { Loci } from "@loci/domain";

/** A call: what the server gets, what it answers, what the caller gets. */
export interface Exchange {
  readonly call: (loci: Loci) => Promise<unknown>;
  readonly request: unknown;
  readonly response: unknown;
  readonly result: unknown;
}

/** By the name of the method. */
export type Exchanges = Readonly<Record<string, Exchange>>;

export const scope = { kind: api.proto.ScopeKind.USER, id: "alice" };
export const requestId = "request-1";
