import assert from "node:assert/strict";
import type { CaseFile, ConformanceCase } from "@loci/conformance";
import { type ErrorReason, type Loci, LociError, type Principal, type Role, tenantId } from "@loci/domain";
import type { LociMethod } from "./loci-methods.ts";

/** An installation of Loci that starts empty. */
export interface BehaviourFixture {
  /** Loci as a principal sees it, in process or through a client. The fixture closes it. */
  as(principal: Principal): Promise<Loci>;
  destroy(): Promise<void>;
}

/** The metadata that an installation under test must declare. */
export const behaviourMetadata = { area: "string", priority: "number", done: "boolean" } as const;

/** How an installation under test must keep receipts. */
export const behaviourReceipts = { keepMilliseconds: 3_600_000 } as const;

/** What a case gets. */
export interface BehaviourContext {
  /** As a principal that may do everything in the tenant `acme`. */
  readonly loci: Loci;
  readonly as: (principal: Partial<Principal>) => Promise<Loci>;
}

export type BehaviourCase = ConformanceCase<LociMethod, BehaviourContext>;

export type BehaviourFile = CaseFile<LociMethod, BehaviourContext>;

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
