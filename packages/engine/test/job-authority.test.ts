import {
  formatScope,
  LociError,
  type MaintenanceJob,
  type MaintenanceJobType,
  maintenanceJobTypes,
  type MaintenanceReport,
  type Principal,
  roles,
  type ScopeText,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { afterAll, afterEach, expect, test } from "vitest";
import { jobRules } from "../src/maintenance/job-rules.ts";
import { everything, TestEngine } from "./support/test-engine.ts";

const day = 86_400_000;
const { tenant } = everything;
const evaluationTime = undefined;

/** Every type of job, as greedy as it can be asked to be. Whoever adds one adds a row. */
const jobs: Readonly<Record<MaintenanceJobType, readonly MaintenanceJob[]>> = {
  reindex: [{ type: "reindex", dropOld: true }],
  verify: [{ type: "verify" }, { type: "verify", repair: true }],
  expire: [{ type: "expire", dryRun: true }, { type: "expire" }],
  prune: [
    { type: "prune", dormantDays: 0, removeAfterDays: 0, dryRun: true },
    { type: "prune", dormantDays: 0, removeAfterDays: 0 },
  ],
  compact: [{ type: "compact" }],
  encrypt: [{ type: "encrypt", dryRun: true }, { type: "encrypt" }],
  reweigh: [{ type: "reweigh", dryRun: true }, { type: "reweigh" }],
  review: [{ type: "review", staticDays: 0, evaluationTime }],
  backup: [{ type: "backup", directory: "never" }],
  erase: [
    { type: "erase", user: "carol", dryRun: true },
    { type: "erase", user: "carol" },
    { type: "erase", scope: "team:blue" },
    { type: "erase", tenant },
  ],
};

const scopes: readonly ScopeText[] = ["user:carol", "user:carol2", "user:bob", "team:blue", "global"];
const patternSets: readonly (readonly string[])[] = [
  ["*"],
  ["user:carol"],
  ["user:*"],
  ["team:*", "user:car"],
  ["user:bob", "global"],
  [],
];

const opened: TestEngine[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});
/** What no job has changed is there for the next one: those that hold the same scopes. */
const unchanged = new Map<string, TestEngine[]>();
afterAll(async () => {
  for (const one of [...unchanged.values()].flat()) await one[Symbol.asyncDispose]();
});

function isCovered(patterns: readonly string[], scope: string): boolean {
  return patterns.some((pattern) => ["*", scope, `${scope.split(":")[0]}:*`].includes(pattern));
}

/** An engine whose scopes each hold something for every job to find. */
async function filled(held: readonly ScopeText[]): Promise<TestEngine> {
  const world = await TestEngine.open();
  const loci = world.as({ roles });
  const fill = async (scope: ScopeText): Promise<void> => {
    const remember = (text: string, rest: object = {}): Promise<{ id: string }> =>
      loci.memories.remember({ text: `${text} of ${scope}`, scope, ...rest });
    await remember("gossip", { importance: 0.1 });
    await remember("lunch", { expiresAt: world.now + day });
    await remember("a static fact", { isStatic: true });
    for (const color of ["red", "green"]) await remember(color, { slot: `color of ${scope}` });
    await loci.memories.forget((await remember("forgotten")).id as never);
    const { id } = await remember("often used", { importance: 0.5 });
    await Promise.all(Array.from({ length: 16 }, () => loci.memories.markUsed([id as never])));
  };
  await Promise.all(held.map(fill));
  await loci.settled();
  world.now += 31 * day;
  return world;
}

async function worldOf(held: readonly ScopeText[]): Promise<TestEngine> {
  const world = await filled(held);
  opened.push(world);
  return world;
}

/** Every memory in every version, of the scopes that a predicate chooses. */
async function stateOf({ ledger }: TestEngine, isWanted: (scope: string) => boolean): Promise<unknown> {
  const found: (readonly StoredMemory[])[] = [];
  for (const { memory } of await ledger.scan(tenant, { limit: 1_000 }))
    if (isWanted(formatScope(memory.scope))) found.push(await ledger.versions(tenant, memory.id));
  return found;
}

type Outcome = { readonly refused: string } | { readonly report: MaintenanceReport };

async function run(world: TestEngine, principal: Partial<Principal>, job: MaintenanceJob): Promise<Outcome> {
  try {
    return { report: await world.as(principal).maintenance.run(job) };
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return { refused: error.reason };
  }
}

/** Ids are random: the memories' texts stand for them. */
function readable(outcome: Outcome, texts: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(outcome).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => texts.get(id) ?? id);
  const value = JSON.parse(text) as { report?: { counts: Record<string, number>; findings: { memory?: string }[] } };
  // Of the file, which all tenants share.
  delete value.report?.counts["reclaimedBytes"];
  value.report?.findings.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  return value;
}

async function textsOf({ ledger }: TestEngine): Promise<ReadonlyMap<string, string>> {
  return new Map((await ledger.scan(tenant, { limit: 1_000 })).map(({ memory }) => [memory.id, memory.text]));
}

test("every job has a rule and a row here", () => {
  expect(Object.keys(jobs).toSorted()).toEqual([...maintenanceJobTypes].toSorted());
  expect(Object.keys(jobRules).toSorted()).toEqual([...maintenanceJobTypes].toSorted());
});

interface Attempt {
  readonly place: string;
  readonly outcome: unknown;
  /** The same where what is not covered does not exist: whatever differs tells of it. */
  readonly alone: unknown;
  readonly isRefused: boolean;
  readonly outsideBefore: unknown;
  readonly outsideAfter: unknown;
  /** Of a refused job everything. */
  readonly refusedBefore: unknown;
  readonly refusedAfter: unknown;
}

/** Runs a job in a world that no job has changed, which stays one where the job only looks or is refused. */
async function runIn<Result>(
  held: readonly ScopeText[],
  job: MaintenanceJob,
  use: (world: TestEngine) => Promise<Result & { readonly outcome: Outcome }>,
): Promise<Result> {
  const name = held.join();
  const world = unchanged.get(name)?.pop() ?? (await filled(held));
  opened.push(world);
  const used = await use(world);
  const onlyLooks =
    job.type === "review" || (job.type === "verify" && job.repair !== true) || ("dryRun" in job && job.dryRun === true);
  if (onlyLooks || "refused" in used.outcome) {
    opened.pop();
    unchanged.set(name, [...(unchanged.get(name) ?? []), world]);
  }
  return used;
}

async function attempt(job: MaintenanceJob, patterns: readonly string[]): Promise<Attempt> {
  const principal: Partial<Principal> = {
    roles: ["read", "write", "admin", jobRules[job.type].role],
    scopePatterns: patterns,
  };
  const isOutside = (scope: string): boolean => !isCovered(patterns, scope);
  const whole = await runIn(scopes, job, async (world) => {
    const texts = await textsOf(world);
    const before = await stateOf(world, isOutside);
    const allBefore = await stateOf(world, () => true);
    const outcome = await run(world, principal, job);
    const allAfter = "refused" in outcome ? await stateOf(world, () => true) : allBefore;
    return { texts, outcome, before, after: await stateOf(world, isOutside), allBefore, allAfter };
  });
  const covered = scopes.filter((scope) => isCovered(patterns, scope));
  const smaller = await runIn(covered, job, async (world) => {
    const texts = await textsOf(world);
    return { texts, outcome: await run(world, principal, job) };
  });
  return {
    place: JSON.stringify([job, patterns]),
    outcome: readable(whole.outcome, whole.texts),
    alone: readable(smaller.outcome, smaller.texts),
    isRefused: "refused" in whole.outcome && whole.outcome.refused === "SCOPE_NOT_PERMITTED",
    outsideBefore: whole.before,
    outsideAfter: whole.after,
    refusedBefore: whole.allBefore,
    refusedAfter: whole.allAfter,
  };
}

const ofTenants = maintenanceJobTypes.filter((type) => jobRules[type].reach !== "deployment");
const ofDeployments = maintenanceJobTypes.filter((type) => jobRules[type].reach === "deployment");

test.each(ofTenants)(
  "%s reaches what the scope patterns cover, and says nothing of the rest",
  async (type) => {
    const { reach } = jobRules[type];
    for (const job of jobs[type])
      for (const patterns of patternSets) {
        const { place, outcome, alone, isRefused, ...state } = await attempt(job, patterns);
        expect([place, state.outsideAfter]).toEqual([place, state.outsideBefore]);
        expect([place, state.refusedAfter]).toEqual([place, state.refusedBefore]);
        expect([place, outcome]).toEqual([place, alone]);
        const mustBeRefused = reach === "tenant" && !patterns.includes("*");
        expect([place, isRefused || reach === "named"]).toEqual([place, mustBeRefused || reach === "named"]);
      }
  },
  300_000,
);

test.each(ofDeployments)("%s tells of no memory", async (type) => {
  for (const job of jobs[type]) {
    const world = await worldOf(scopes);
    const outcome = await run(world, { roles: ["operate"], scopePatterns: [] }, job);
    expect(JSON.stringify(outcome)).not.toMatch(/carol|bob|blue/);
    expect(outcome).not.toEqual({ refused: "SCOPE_NOT_PERMITTED" });
  }
});

test("the pages of an export, and what continues them, tell only of what the scope patterns cover", async () => {
  const world = await worldOf(["user:bob", "user:carol", "user:carol2", "team:blue"]);
  const loci = world.as({ roles: ["admin"], scopePatterns: ["user:carol"] });
  const texts = await textsOf(world);
  const lines: string[] = [];
  for (let after: string | undefined, pages = 0; ; pages++) {
    expect(pages).toBeLessThan(10);
    const page = await loci.maintenance.exportMemories({ after, pageSize: 1 });
    expect(page.lines.length).toBe(1);
    lines.push(...page.lines);
    if (page.next === undefined) break;
    expect(texts.get(page.next)).toMatch(/ of user:carol$/);
    after = page.next;
  }
  expect(lines.length).toBe(6);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ scope: "user:carol" });
  const none = world.as({ roles: ["admin"], scopePatterns: ["user:nobody"] });
  expect(await none.maintenance.exportMemories()).toEqual({ lines: [] });
});

test("progress tells a limited admin of its own memories alone", async () => {
  const world = await worldOf(["user:bob", "user:carol"]);
  const steps: unknown[] = [];
  const loci = world.as({ roles: ["admin"], scopePatterns: ["user:carol"] });
  await loci.maintenance.expire({ dryRun: true }, { onProgress: ({ done, total }) => void steps.push([done, total]) });
  expect(steps.at(-1)).toEqual([7, undefined]);
});
