import { setTimeout } from "node:timers/promises";
import type { ScopeText } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { familySteps } from "./erased/family-steps.ts";
import { memorySteps } from "./erased/memory-steps.ts";
import { quiet, scopes, type Step, tenants, World } from "./erased/world.ts";
import { TestEngine } from "./support/test-engine.ts";

/** Histories; more when attacks are tried at length. */
const histories = Math.ceil(Number(process.env["LOCI_ATTACK_RUNS"] ?? 400) / 40);
const steps = 60;

/** What an erasure may meet under way. */
const besideErasures = [
  "repeat",
  "update",
  "import",
  "importAll",
  "job",
  "restore",
  "append",
  "capture",
  "propose",
  "approve",
  "restoreBlock",
  "promote",
];

const kinds: Readonly<Record<string, (world: World, step: Step) => Promise<void>>> = {
  ...memorySteps,
  ...familySteps,
  erase: async (world, step) => {
    const { tenant, scope, pick } = step;
    const at = pick % 7 === 0 ? undefined : (scopes[scope] as ScopeText);
    const request = at === undefined ? { tenant: String(tenants[tenant]) } : { scope: at };
    const due = world.wordsOf(tenant, at);
    const underWay = besideErasures.map((kind) => inTime(kind, kinds[kind]?.(world, step).catch(quiet)));
    await Promise.all([world.loci(tenant).maintenance.erase(request), ...underWay]);
    for (const word of due) word.isErased = true;
    await world.check();
  },
  reopen: (world) => world.opened.reopen(),
};

/** No call waits for what will never be. */
async function inTime(name: string, step: Promise<unknown> | undefined): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(60_000, undefined, { signal: over.signal, ref: false }).then(
    () => Promise.reject(new Error(`${name} does not end.`)),
    () => undefined,
  );
  await Promise.race([step?.finally(() => over.abort()), late]);
}

const names = Object.keys(kinds);
const kindWeights = names.flatMap((name, kind) => Array.from({ length: name === "reopen" ? 1 : 3 }, () => kind));

test(`nothing brings back what was erased, in ${histories} histories of ${steps} calls`, async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom(...kindWeights),
    tenant: fc.nat(tenants.length - 1),
    scope: fc.nat(scopes.length - 1),
    pick: fc.nat(10_000),
  });
  const done = new Map<string, number>();
  const property = fc.asyncProperty(fc.array(step, { minLength: steps, maxLength: steps }), async (history) => {
    await using opened = await TestEngine.open();
    const world = new World(opened);
    for (const one of history) {
      const name = names[one.kind] as string;
      const count = (): unknown => done.set(name, (done.get(name) ?? 0) + 1);
      await inTime(name, kinds[name]?.(world, one).then(count).catch(quiet));
    }
    await world.check();
    expect(opened.problems).toEqual([]);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: histories, endOnFailure: true });
  expect([...done.keys()].toSorted()).toEqual(names.toSorted());
}, 3_600_000);
