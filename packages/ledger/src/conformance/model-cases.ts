import { deepEqual, equal } from "node:assert/strict";
import {
  formatScope,
  globalScope,
  LociError,
  type MemoryRecord,
  memoryStates,
  type Ref,
  type Scope,
  scopeKinds,
  type TenantId,
} from "@loci/domain";
import fc from "fast-check";
import type { Change, ListQuery, StoredMemory, UsageEntry } from "../index.ts";
import { type LedgerCaseFile, type LedgerContext, authorOf } from "./ledger-context.ts";
import { LedgerModel, type ModelBatch } from "./ledger-model.ts";
import {
  beginning,
  contentHashOf,
  dayMilliseconds,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  space,
  written,
} from "./samples.ts";

const scopes: readonly [Scope, ...Scope[]] = [{ kind: "user", id: "alice" }, { kind: "user", id: "bob" }, globalScope];
const texts = ["a", "b", "c"];
const numbers = [1, 2, 3, 4];

/** A change before its version is known: mostly the right one, sometimes one off. */
interface PlannedChange {
  readonly type: Change["type"];
  readonly number: number;
  readonly versionError: number;
  readonly fields: Partial<MemoryRecord> & { readonly text: string };
}

interface Step {
  readonly clockJump: number;
  readonly changes: readonly PlannedChange[];
  readonly expect: readonly { readonly number: number; readonly versionError: number }[];
  readonly embedded: readonly string[];
  readonly usage: readonly UsageEntry[];
}

const mostlyRight = fc.oneof(
  { weight: 9, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
);
const number = fc.constantFrom(...numbers);

const fields: fc.Arbitrary<PlannedChange["fields"]> = fc
  .record({
    text: fc.constantFrom(...texts),
    scope: fc.constantFrom(...scopes),
    category: fc.constantFrom("fact", "procedure"),
    tags: fc.subarray(["Ops", "ops", "deploy"]),
    createdAt: fc.integer({ min: beginning, max: beginning + 2 }),
    state: fc.constantFrom("active", "active", "quarantined"),
    position: fc.option(fc.nat(2), { nil: undefined }),
    expiresAt: fc.option(fc.constantFrom(beginning, beginning + 1), { nil: undefined }),
    validFrom: fc.option(fc.constantFrom(beginning - 1, beginning), { nil: undefined }),
    validTo: fc.option(fc.constantFrom(beginning + 1, beginning + 2), { nil: undefined }),
    supersededBy: fc.option(fc.constant(refNumber(9)), { nil: undefined }),
  })
  .map(({ position, expiresAt, validFrom, validTo, supersededBy, ...rest }) => ({
    ...rest,
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(position === undefined ? {} : { provenance: { sourceId: "source", kind: "conversation", position } }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));

const step: fc.Arbitrary<Step> = fc.record({
  clockJump: fc.constantFrom(0, 1, 5, -dayMilliseconds, dayMilliseconds),
  changes: fc.array(
    fc.record({
      type: fc.constantFrom("memoryWritten", "memoryWritten", "memoryWritten", "memoryRemoved", "embeddingRecorded"),
      number,
      versionError: mostlyRight,
      fields,
    }),
    { maxLength: 3 },
  ),
  expect: fc.array(fc.record({ number, versionError: mostlyRight }), { maxLength: 1 }),
  embedded: fc.subarray(texts),
  usage: fc.array(fc.record({ ref: number.map(refNumber), at: fc.integer({ min: 0, max: 9 }) }), { maxLength: 2 }),
});

function plannedBatch(step: Step, model: LedgerModel): ModelBatch {
  const versions = new Map<number, number>();
  const changes = step.changes.map(({ type, number, versionError, fields }): Change => {
    const ref = refNumber(number);
    const current = versions.get(number) ?? model.versionOf(ref);
    const contentHash = contentHashOf(fields.text);
    if (type === "embeddingRecorded") return { type, ref, version: current + versionError, space, contentHash };
    versions.set(number, current + 1);
    const version = current + 1 + versionError;
    return type === "memoryRemoved" ? removed(ref, version) : written(sampleMemory(number, { ...fields, version }));
  });
  const expect = step.expect.map(({ number, versionError }) => ({
    ref: refNumber(number),
    version: Math.max(0, model.versionOf(refNumber(number)) + versionError),
  }));
  return { changes, expect, embeddings: step.embedded.map((text) => sampleEmbedding(text)) };
}

/** What lists can be narrowed and widened by. */
const narrowings: readonly Partial<ListQuery>[] = [
  {},
  { validAt: beginning - 1 },
  { validAt: beginning + 1 },
  { states: ["quarantined"], validAt: beginning },
  { states: ["deleted"] },
  { states: ["deleted"], withUnapproved: true },
  { states: memoryStates, validAt: beginning + 1, withUnapproved: true },
];

async function expectAgreement({ ledger }: LedgerContext, tenant: TenantId, model: LedgerModel): Promise<void> {
  deepEqual(await ledger.changes(tenant, 0, 1000), model.log);
  equal(await ledger.head(tenant), model.log.length);
  const byRef = byRefOf(model.current());
  deepEqual(new Map(await ledger.memories(tenant, numbers.map(refNumber))), byRef);
  for (const ref of numbers.map(refNumber)) deepEqual(await ledger.versions(tenant, ref), model.versions(ref));
  const query: ListQuery = { scopes, evaluationTime: beginning, limit: 100 };
  for (const changed of [
    {},
    { limit: 2 },
    { categories: ["procedure"] },
    { after: { createdAt: beginning + 1, ref: refNumber(2) } },
  ]) {
    for (const narrowed of narrowings) {
      const narrow = { ...query, ...changed, ...narrowed };
      deepEqual(await ledger.list(tenant, narrow), model.list(narrow));
    }
    for (const tags of [["OPS"], ["ops", "deploy"]] as const)
      deepEqual(
        await ledger.byTags(tenant, { ...query, ...changed, tags }),
        model.list({ ...query, ...changed }, tags),
      );
  }
  const [alice] = scopes;
  for (const recordedAt of new Set(model.log.map((change) => change.recordedAt)))
    for (const knownAt of [recordedAt - 1, recordedAt])
      deepEqual(
        await ledger.asKnownAt(tenant, { scopes: [alice, globalScope], knownAt, limit: 100 }),
        model.asKnownAt([alice, globalScope], knownAt),
      );
  for (const category of ["fact", "procedure"])
    deepEqual(new Set(await ledger.tags(tenant, { scopes: [alice], category })), model.tags([alice], category));
  const cited = model
    .list({ ...query, scopes: [alice], evaluationTime: -1 })
    .filter(({ memory }) => memory.provenance?.position === 1);
  const found = await ledger.atPositions(tenant, [alice], [{ sourceId: "source", position: 1 }]);
  deepEqual(byRefOf(found), byRefOf(cited));
  const counted = await ledger.scopes(tenant, { kinds: scopeKinds, scopes: [], limit: 100 });
  deepEqual(new Map(counted.map(({ scope, memories }) => [formatScope(scope), memories])), model.scopes());
  equal(await ledger.lastPosition(tenant, alice, "source"), model.lastPosition(alice, "source"));
  deepEqual(await ledger.withoutEmbedding(tenant, space, 100), model.withoutEmbedding());
}

function byRefOf(memories: readonly StoredMemory[]): ReadonlyMap<Ref, StoredMemory> {
  return new Map(memories.map((stored) => [stored.memory.id, stored]));
}

/** Random histories against the model. */
export const modelCases: LedgerCaseFile = {
  covers: ["commit"],
  cases: [
    {
      method: "commit",
      name: "and every read agree with a simple model, whatever the history",
      run: async (context) => {
        let tenants = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
            const tenant = `${context.tenant} ${++tenants}` as TenantId;
            const model = new LedgerModel();
            context.clock.now = beginning;
            for (const step of steps) {
              context.clock.now += step.clockJump;
              const batch = plannedBatch(step, model);
              const accepted = await context.ledger.commit({ ...authorOf(tenant), ...batch }).then(
                () => true,
                (error: unknown) => {
                  if (LociError.is(error) && error.reason === "VERSION_CONFLICT") return false;
                  throw error;
                },
              );
              equal(accepted, model.commit(batch, context.clock.now));
              await context.ledger.recordUsage(tenant, step.usage);
              model.recordUsage(step.usage);
            }
            await expectAgreement(context, tenant, model);
          }),
          { seed: 20_261_122, numRuns: 40 },
        );
      },
    },
  ],
};
