import assert from "node:assert/strict";
import { type ErrorReason, type Loci, LociError, type Principal, type Role, tenantId } from "@loci/domain";

/** The part of a test runner that the suite needs. vitest, `node:test` and jest all have it. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>, timeoutMilliseconds?: number): void;
}

/** An installation of Loci that starts empty. */
export interface BehaviourFixture {
  /** Loci as a principal sees it, in process or through a client. The fixture closes it. */
  as(principal: Principal): Promise<Loci>;
  destroy(): Promise<void>;
}

/** The metadata that an installation under test must declare. */
export const behaviourMetadata = { area: "string", priority: "number", done: "boolean" } as const;

/** What a case gets. */
export interface BehaviourContext {
  /** As a principal that may do everything in the tenant `acme`. */
  readonly loci: Loci;
  readonly as: (principal: Partial<Principal>) => Promise<Loci>;
}

export interface BehaviourCase {
  readonly name: string;
  readonly run: (context: BehaviourContext) => Promise<void>;
}

export const readAndWrite: readonly Role[] = ["read", "write"];

export const everything: Principal = {
  tenant: tenantId("acme"),
  subject: "behaviour-suite",
  roles: readAndWrite,
  scopePatterns: ["*"],
};

/** Awaits the refusal of a call, for one reason and, if given, at one field. */
export async function refuses(call: Promise<unknown>, reason: ErrorReason, field?: string): Promise<LociError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error !== undefined, `The call was to be refused with ${reason}, but succeeded.`);
  assert.ok(LociError.is(error), `The call was to be refused with ${reason}, but threw something else.`);
  assert.equal(error.reason, reason, error.message);
  if (field !== undefined) assert.equal(error.field, field);
  return error;
}
