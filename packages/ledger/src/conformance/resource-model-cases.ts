import { deepEqual, equal } from "node:assert/strict";
import { type Scope, type TenantId } from "@loci/domain";
import { resourcePurged, type ResourceRemoved, type ResourceWritten } from "../index.ts";
import { authorOf, expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { refNumber, sampleMemory, written } from "./samples.ts";

const family = "notes";
const scopes: readonly [Scope, Scope] = [
  { kind: "user", id: "alice" },
  { kind: "user", id: "bob" },
];
const places = 12;
const rounds = 40;

/** What a resource is by all that was acknowledged. */
interface ModelNote {
  readonly version: number;
  /** Absent for a tombstone. */
  readonly state?: string;
  readonly scope: Scope;
  readonly isPurged: boolean;
}

/** The same numbers for every ledger. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Acts on one resource at random, and says what has to be there afterwards. */
async function act(
  { ledger, tenant }: LedgerContext,
  place: number,
  before: ModelNote | undefined,
  chance: number,
): Promise<ModelNote | undefined> {
  const ref = refNumber(1_000 + place);
  const version = (before?.version ?? 0) + 1;
  const scope = before?.scope ?? scopes[place % 2 === 0 ? 0 : 1];
  const state = `state ${place}.${version}`;
  const write: ResourceWritten = { type: "resourceWritten", family, kind: "noteWritten", ref, version, scope, state };
  const commit = async (change: ResourceWritten | ResourceRemoved): Promise<unknown> =>
    ledger.commit({ ...authorOf(tenant), expect: [], changes: [change, written(sampleMemory(place, { version }))] });
  if (before?.isPurged === true) {
    await expectRefusal(() => commit(write), "MEMORY_ERASED");
    return before;
  }
  if (chance < 0.08 && before !== undefined) {
    equal((await ledger.purge(tenant, { refs: [ref] })).resources, 1);
    return { ...before, isPurged: true };
  }
  if (chance < 0.25 && before?.state !== undefined) {
    await commit({ type: "resourceRemoved", family, kind: "noteRemoved", ref, version });
    return { version, scope, isPurged: false };
  }
  if (chance < 0.35) {
    await expectRefusal(() => commit({ ...write, version: version + 1 }), "VERSION_CONFLICT");
    return before;
  }
  await commit(write);
  return { version, state, scope, isPurged: false };
}

async function compare({ ledger, tenant }: LedgerContext, model: ReadonlyMap<number, ModelNote>): Promise<void> {
  const refs = Array.from({ length: places }, (_, place) => refNumber(1_000 + place));
  const found = await ledger.resources.get(tenant, family, refs);
  for (const [place, { version, state, isPurged }] of model) {
    const stored = found.get(refNumber(1_000 + place));
    if (isPurged) equal(stored, undefined);
    else deepEqual([stored?.version, stored?.state], [version, state]);
  }
  for (const scope of scopes) {
    const listed = await ledger.resources.list(tenant, { family, scopes: [scope], limit: 100 });
    const expected = [...model]
      .filter(([, note]) => note.state !== undefined && !note.isPurged && note.scope === scope)
      .map(([place]) => refNumber(1_000 + place));
    deepEqual(
      listed.map(({ ref }) => ref),
      expected.toSorted(),
    );
  }
  const log = await ledger.changes(tenant, 0, 10_000);
  deepEqual(
    log.map(({ sequence }) => sequence),
    log.map((_, index) => index + 1),
  );
  for (const { family: of, kind, ref, payload } of log) {
    const note = [...model].find(([place]) => refNumber(1_000 + place) === ref)?.[1];
    if (of !== family || note?.isPurged !== true) continue;
    equal(kind, resourcePurged);
    equal(payload, undefined);
  }
}

/** Resources against a plain model. */
export const resourceModelCases: LedgerCaseFile = {
  covers: ["resources.get"],
  cases: [
    {
      method: "resources.get",
      name: "agrees with a model while resources and memories are written, removed and purged beside each other",
      run: async (context) => {
        const model = new Map<number, ModelNote>();
        const random = randomNumbers(20_261_123);
        for (let round = 0; round < rounds; round++) {
          const acting = Array.from({ length: places }, (_, place) => place).filter(() => random.next().value < 0.5);
          const chances = acting.map(() => random.next().value);
          const after = await Promise.all(
            acting.map((place, index) => act(context, place, model.get(place), chances[index] ?? 1)),
          );
          for (const [index, place] of acting.entries()) {
            const note = after[index];
            if (note !== undefined) model.set(place, note);
          }
          if (round % 8 === 7) await compare(context, model);
        }
        equal(
          (await context.ledger.resources.get(`${context.tenant} ` as TenantId, family, [refNumber(1_000)])).size,
          0,
        );
        await context.ledger.purge(context.tenant, { everything: true });
        await compare(context, new Map([...model].map(([place, note]) => [place, { ...note, isPurged: true }])));
      },
    },
  ],
};
