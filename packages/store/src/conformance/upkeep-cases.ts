import { deepEqual, equal, ok } from "node:assert/strict";
import { LociError, type Scope, type Sequence, type TenantId, tenantId } from "@loci/domain";
import fc from "fast-check";
import type { IndexChange } from "../index-change.ts";
import { apply, eventually, type IndexContext } from "./index-context.ts";
import { IndexHistory, listedRows } from "./index-history.ts";
import { alice, bob, sampleDelete, sampleRow, sampleRows, tenant } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

/** Histories that are tried: the eighth closes an index while every tenant's is in upkeep. More in the nightly run. */
const histories = Number(process.env["LOCI_STORE_HISTORIES"] ?? 3);
/** Rows that a history is about: few, so that they are replaced and deleted often. */
const numbers = 60;

type Step =
  /** Rows with these numbers are written, or deleted where the number is negative. */
  | { readonly type: "apply"; readonly rows: readonly number[] }
  /** Every row of a scope is deleted, and then what is left of them in files. */
  | { readonly type: "erase"; readonly scope: Scope }
  | { readonly type: "maintain"; readonly purge: boolean }
  | { readonly type: "list" }
  /** Waits until everything that was begun has ended. */
  | { readonly type: "rest" }
  /** Closes it while everything that was begun is under way, and opens it again. */
  | { readonly type: "reopen" };

const rowNumbers = fc.array(
  fc.integer({ min: -numbers, max: numbers }).filter((number) => number !== 0),
  { minLength: 1, maxLength: 15 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: rowNumbers.map((rows) => ({ type: "apply", rows }) as const) },
  { weight: 1, arbitrary: fc.constantFrom(alice, bob).map((scope) => ({ type: "erase", scope }) as const) },
  { weight: 3, arbitrary: fc.boolean().map((purge) => ({ type: "maintain", purge }) as const) },
  { weight: 2, arbitrary: fc.constant({ type: "list" } as const) },
  { weight: 1, arbitrary: fc.constant({ type: "rest" } as const) },
  { weight: 1, arbitrary: fc.constant({ type: "reopen" } as const) },
);

/** Keeping an index in order changes nothing in it, whatever is done beside. */
export const upkeepCases: CaseFile<"maintain" | "refs", IndexContext> = {
  covers: ["maintain", "refs"],
  cases: [
    {
      method: "maintain",
      name: "beside writes doubles no row and loses none",
      run: async (context) => {
        const { projection } = context;
        const batch = 20;
        let applied = 0;
        const applyMore = async (batches: number): Promise<void> => {
          for (let index = 0; index < batches; index++) {
            await projection.apply(tenant, sampleRows(batch, applied + 1), applied + batch);
            applied += batch;
          }
        };
        await applyMore(12);
        const maintaining = [projection.maintain()];
        await applyMore(12);
        maintaining.push(projection.maintain({ purge: true }), projection.maintain());
        await applyMore(12);
        await Promise.all(maintaining);
        const rows = sampleRows(applied).map(({ ref, version }) => ({ ref, version }));
        await eventually(context, async () => deepEqual(await listedRows(projection), rows));
        equal((await context.find({})).length, Math.min(applied, 1_000));
        const deletes = rows.map((_, index) => sampleDelete(index + 1, 2));
        const purging = projection.maintain({ purge: true });
        await apply(context, deletes, { through: 2 * applied });
        await purging;
        await projection.maintain({ purge: true });
        await eventually(context, async () => deepEqual(await listedRows(projection), []));
        await eventually(context, async () => equal(await context.count(tenant), 0));
        equal((await context.find({})).length, 0);
      },
    },
    {
      method: "refs",
      name: `lists each row once and agrees with a model, after ${histories} histories of writes, upkeep and new starts`,
      run: async (context) => {
        let made = 0;
        let current = context;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
            current = await live(current, tenantId(`history-${++made}`), steps);
          }),
          // A history of much at once cannot be repeated step by step: what failed first is what there is to look at.
          { seed: 1, numRuns: histories, endOnFailure: true },
        );
        // The suite looks at whether these were called on what it opened itself.
        await context.projection.maintain().catch(ignoreClosed);
        await listedRows(context.projection).catch(ignoreClosed);
      },
    },
  ],
};

/** Takes all steps, none of which waits for the one before, as far as the contract lets them; then compares. */
async function live(opened: IndexContext, who: TenantId, steps: readonly Step[]): Promise<IndexContext> {
  let context = opened;
  const history = new IndexHistory();
  const scopes = new Map<number, Scope>();
  let acknowledged: Sequence = 0;
  let writing: Promise<void> = Promise.resolve();
  let under: Promise<unknown>[] = [];
  const begin = (work: Promise<unknown>): void => void under.push(work.catch(ignoreClosed));
  /** As a drainer does: one batch after the other, and none after one that failed. */
  const write = (changes: readonly IndexChange[]): Promise<void> => {
    const { projection } = context;
    const through = history.add(changes);
    const before = writing;
    const applying = async (): Promise<void> => {
      await before;
      await projection.apply(who, changes, through);
      acknowledged = through;
    };
    return (writing = applying());
  };
  for (const one of steps)
    switch (one.type) {
      case "apply": {
        const first = history.head + 1;
        const changes = one.rows.map((number, index): IndexChange => {
          const version = first + index;
          if (number < 0) return sampleDelete(-number, version);
          const scope = version % 3 === 0 ? bob : alice;
          scopes.set(number, scope);
          return sampleRow(number, { version, scope });
        });
        begin(write(changes));
        break;
      }
      case "erase": {
        const erased = [...scopes].filter(([, scope]) => scope === one.scope).map(([number]) => number);
        if (erased.length === 0) break;
        const first = history.head + 1;
        const { projection } = context;
        const deleting = write(erased.map((number, index) => sampleDelete(number, first + index)));
        begin(deleting.then(() => projection.maintain({ purge: true })));
        break;
      }
      case "maintain":
        begin(context.projection.maintain({ purge: one.purge }));
        break;
      case "list":
        begin(
          listedRows(context.projection, who).then((rows) =>
            equal(new Set(rows.map(({ ref }) => ref)).size, rows.length),
          ),
        );
        break;
      case "rest":
        await Promise.all(under);
        under = [];
        break;
      case "reopen": {
        if (context.openAgain === undefined) break;
        context = await context.openAgain();
        await Promise.all(under);
        under = [];
        let place: Sequence = 0;
        const reopened = context;
        // What was acknowledged may be seen later, where reads lag behind writes.
        await eventually(reopened, async () => {
          place = await reopened.projection.checkpoint(who);
          ok(place >= acknowledged, `it stands at ${place}, but has acknowledged ${acknowledged}`);
        });
        ok(history.canStandAt(place), `it stands at ${place}, where no batch ends`);
        deepEqual(await listedRows(context.projection, who), history.rowsAt(place));
        // What it does not have yet is brought again, as a drainer would.
        const { projection } = context;
        writing = history
          .after(place)
          .reduce(
            (before, { changes, through }) => before.then(() => projection.apply(who, changes, through)),
            Promise.resolve(),
          );
        begin(writing);
        break;
      }
    }
  await Promise.all(under);
  const { projection } = context;
  await eventually(context, async () => equal(await projection.checkpoint(who), history.head));
  const rows = history.rowsAt(history.head);
  await eventually(context, async () => deepEqual(await listedRows(projection, who), rows));
  await eventually(context, async () => equal(await context.count(who), rows.length));
  const found = await context.find({ tenant: who, scopes: [alice, bob] });
  deepEqual(new Set(found.map(({ ref }) => ref)), new Set(rows.map(({ ref }) => ref)));
  equal(found.length, rows.length);
  return context;
}

/** Whatever was under way when an index was closed may have been refused. */
function ignoreClosed(error: unknown): void {
  if (!LociError.is(error) || (error.reason !== "CLOSED" && error.reason !== "CANCELLED")) throw error;
}
