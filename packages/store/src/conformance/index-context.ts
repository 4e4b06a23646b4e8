import { AssertionError, deepEqual, equal, fail } from "node:assert/strict";
import type {
  CallOptions,
  ErrorReason,
  Filter,
  FilterOperator,
  NonEmpty,
  Ref,
  Scope,
  Sequence,
  TenantId,
  Version,
} from "@loci/domain";
import { LociError } from "@loci/domain";
import type { IndexChange } from "../index-change.ts";
import type { Projection } from "../projection.ts";
import { alice, tenant } from "./sample-rows.ts";

/** Asks for the rows of `sampleRow`, which all are equally good answers. */
export interface FindRequest {
  /** Default {@link tenant}. */
  readonly tenant?: TenantId;
  /** Default {@link alice} alone. */
  readonly scopes?: readonly Scope[];
  readonly where?: Filter;
  /** Default 1,000. */
  readonly limit?: number;
}

export interface FoundRow {
  readonly ref: Ref;
  readonly version: Version;
}

/** What the cases that vector collections and text indexes share are run against. */
export interface IndexContext {
  readonly projection: Projection;
  readonly filterOperators: readonly FilterOperator[];
  readonly visibility: "immediate" | "eventual";
  /** An approximate index may choose among rows that are equally good. */
  readonly similarity: "exact" | "approximate";
  readonly find: (request: FindRequest, options?: CallOptions) => Promise<readonly FoundRow[]>;
  /** The rows of a tenant that it counts, which is not the same as listing them. */
  readonly count: (tenant: TenantId) => Promise<number>;
  /** Closes it, whatever is under way, and opens it again on what it kept. Absent when it keeps nothing. */
  readonly openAgain: (() => Promise<IndexContext>) | undefined;
}

const patienceMilliseconds = 30_000;
const pollMilliseconds = 10;

/**
 * Applies changes as the next of the tenant's log, or through a given sequence beyond the checkpoint, and waits until they
 * are visible.
 */
export async function apply(
  context: Pick<IndexContext, "projection" | "visibility">,
  changes: readonly IndexChange[],
  place: { readonly tenant?: TenantId; readonly through?: Sequence } = {},
): Promise<void> {
  const { projection } = context;
  const who = place.tenant ?? tenant;
  const through = place.through ?? (await projection.checkpoint(who)) + changes.length;
  await projection.apply(who, changes, through);
  await eventually(context, async () => {
    const checkpoint = await projection.checkpoint(who);
    if (checkpoint < through) fail(`the checkpoint is ${checkpoint}, and should be ${through}`);
  });
}

/** Runs a check once for a store whose writes are visible at once, else until it passes or 10 s are over. */
export async function eventually(context: Pick<IndexContext, "visibility">, check: () => Promise<void>): Promise<void> {
  const end = Date.now() + patienceMilliseconds;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (context.visibility === "immediate" || !(error instanceof AssertionError) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}

/** Searches until exactly these rows are found, in any order. */
export async function expectFound(
  context: IndexContext,
  request: FindRequest,
  expected: readonly FoundRow[],
): Promise<void> {
  await eventually(context, async () => deepEqual(inOrder(await context.find(request)), inOrder(expected)));
}

/** Lists until exactly these rows are listed, in any order. */
export async function expectListed(context: IndexContext, who: TenantId, expected: readonly FoundRow[]): Promise<void> {
  await eventually(context, async () => {
    const listed: FoundRow[] = [];
    for await (const row of context.projection.refs(who)) listed.push(row);
    deepEqual(inOrder(listed), inOrder(expected));
  });
}

/** Checks that work is refused with a `LociError` of one reason. */
export async function expectRefusal(work: () => Promise<unknown>, reason: ErrorReason): Promise<void> {
  let error: unknown;
  try {
    await work();
  } catch (caught) {
    error = caught;
  }
  if (error === undefined) fail(`resolves, but should reject with ${reason}`);
  if (!LociError.is(error)) throw new Error(`rejects with something else than ${reason}`, { cause: error });
  equal(error.reason, reason, error.message);
}

function inOrder(rows: readonly FoundRow[]): readonly FoundRow[] {
  return rows
    .map(({ ref, version }) => ({ ref, version }))
    .toSorted((left, right) => (left.ref === right.ref ? left.version - right.version : left.ref < right.ref ? -1 : 1));
}

/** The request with its defaults, in the form both search methods take. */
export function fullRequest(request: FindRequest): {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  readonly where: Filter | undefined;
  readonly limit: number;
} {
  return {
    tenant: request.tenant ?? tenant,
    scopes: (request.scopes ?? [alice]) as NonEmpty<Scope>,
    where: request.where,
    limit: request.limit ?? 1_000,
  };
}
