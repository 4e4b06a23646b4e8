import { type Loci, LociError, type Memory, roles, type ScopeText, tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

/** Histories; more when attacks are tried at length. */
const histories = Math.ceil(Number(process.env["LOCI_ATTACK_RUNS"] ?? 1_000) / 40);
const steps = 40;

const tenants = ["acme", "acme-corp"].map(tenantId);
const scopes: readonly ScopeText[] = ["user:alice", "user:alicea", "session:alice", "global"];
const day = 86_400_000;

/** What a step may draw on: numbers, of which it takes as many as it needs. */
interface Step {
  readonly kind: number;
  readonly tenant: number;
  readonly scope: number;
  readonly pick: number;
}

/** The plainest idea of what is stored: which words belong to what, and which of them have to be gone. */
class World {
  readonly opened: TestEngine;
  readonly words = new Map<string, { readonly tenant: string; readonly scope: string; isErased: boolean }>();
  /** Calls that were made, to be made again word for word. */
  readonly calls: (() => Promise<unknown>)[] = [];
  readonly exported: { readonly tenant: number; readonly lines: readonly string[] }[] = [];
  readonly known: { readonly tenant: number; readonly memory: Memory }[] = [];
  readonly turns = new Map<string, { readonly id: string; readonly content: string }[]>();

  constructor(opened: TestEngine) {
    this.opened = opened;
  }

  loci(tenant: number): Loci {
    return this.opened.as({ tenant: tenants[tenant] as (typeof tenants)[number], roles });
  }

  word(tenant: number, scope: ScopeText): string {
    const word = `canary${this.words.size}x`;
    this.words.set(word, { tenant: String(tenants[tenant]), scope, isErased: false });
    return word;
  }

  async again(call: () => Promise<unknown>): Promise<void> {
    this.calls.push(call);
    await call();
  }

  erased(tenant: number, scope: ScopeText | undefined): void {
    for (const word of this.words.values())
      if (word.tenant === tenants[tenant] && (scope === undefined || word.scope === scope)) word.isErased = true;
  }

  /** Everything there is to see, by every way there is. @throws Error when it holds a word that it must not */
  async check(): Promise<void> {
    for (const [index, tenant] of tenants.entries()) {
      const loci = this.loci(index);
      const seen: unknown[] = [await loci.maintenance.exportMemories({ pageSize: 1_000 })];
      seen.push(await loci.memories.list({ scopes: scopes, pageSize: 1_000 }));
      const words = [...this.words.keys()].join(" ");
      seen.push(await loci.recall({ query: words, scopes, limit: 100, maxTokens: 100_000, explain: true }));
      seen.push(await this.opened.ledger.changes(tenant, 0, 10_000));
      for (const { memory } of this.known.filter((one) => one.tenant === index))
        seen.push(await loci.memories.versions(memory.id).catch(quiet));
      const text = JSON.stringify(seen);
      for (const [word, { tenant: owner, scope, isErased }] of this.words)
        if ((isErased || owner !== tenant) && text.includes(word))
          throw new Error(`${tenant} shows ${word} of ${scope}`);
    }
  }
}

/** What a call on something that is not there any more may say. */
function quiet(error: unknown): void {
  const reasons = ["MEMORY_ERASED", "MEMORY_NOT_FOUND", "VERSION_NOT_FOUND", "VERSION_CONFLICT"];
  if (!LociError.is(error) || !reasons.includes(error.reason)) throw error;
}

let number = 0;

const kinds: Readonly<Record<string, (world: World, step: Step) => Promise<void>>> = {
  remember: async (world, { tenant, scope, pick }) => {
    const at = scopes[scope] as ScopeText;
    const input = { text: `note ${world.word(tenant, at)}`, scope: at, importance: 0.1 };
    const options = { requestId: `request ${++number}` };
    await world.again(async () => {
      const memory = await world.loci(tenant).memories.remember(input, options);
      world.known.push({ tenant, memory });
    });
    if (pick % 2 === 0) await world.calls.at(-1)?.();
  },
  rememberMany: async (world, { tenant }) => {
    const inputs = scopes.map((scope) => ({ text: `many ${world.word(tenant, scope)}`, scope }));
    const options = { requestId: `request ${++number}` };
    await world.again(async () => {
      for (const memory of await world.loci(tenant).memories.rememberMany(inputs, options))
        world.known.push({ tenant, memory });
    });
  },
  converse: async (world, { tenant, scope, pick }) => {
    const at = scopes[scope] as ScopeText;
    const key = `${tenant} ${at}`;
    const turns = world.turns.get(key) ?? [];
    turns.push({ id: String(turns.length), content: world.word(tenant, at) });
    world.turns.set(key, turns);
    const sent = turns.map(({ id, content }) => ({ id, content, speaker: "Alice", at: 1_000 * Number(id) }));
    const options = pick % 2 === 0 ? {} : { requestId: `request ${++number}` };
    await world.again(() =>
      world.loci(tenant).memories.rememberConversation({ session: "s", scope: at, turns: sent }, options),
    );
  },
  repeat: async (world, { pick }) => {
    if (world.calls.length > 0) await world.calls[pick % world.calls.length]?.();
  },
  update: async (world, { pick }) => {
    const one = world.known[pick % Math.max(world.known.length, 1)];
    if (one === undefined) return;
    const { id, text } = one.memory;
    const { etag } = await world.loci(one.tenant).memories.get(id);
    const options = { requestId: `request ${++number}` };
    await world.again(() => world.loci(one.tenant).memories.update(id, { text: `${text} again` }, { etag }, options));
  },
  forget: async (world, { pick }) => {
    const one = world.known[pick % Math.max(world.known.length, 1)];
    if (one !== undefined) await world.loci(one.tenant).memories.forget(one.memory.id);
  },
  restore: async (world, { pick }) => {
    const one = world.known[pick % Math.max(world.known.length, 1)];
    if (one !== undefined) await world.again(() => world.loci(one.tenant).memories.restore(one.memory.id, 1));
  },
  export: async (world, { tenant }) => {
    const { lines } = await world.loci(tenant).maintenance.exportMemories({ pageSize: 1_000 });
    if (lines.length > 0) world.exported.push({ tenant, lines });
  },
  import: async (world, { pick }) => {
    const one = world.exported[pick % Math.max(world.exported.length, 1)];
    if (one !== undefined) await world.loci(one.tenant).maintenance.importMemories(one.lines);
  },
  job: async (world, { tenant, pick }) => {
    const { maintenance } = world.loci(tenant);
    const jobs = [
      () => maintenance.prune({ dormantDays: 0, evaluationTime: world.opened.now + 900 * day }),
      () => maintenance.reweigh({ evaluationTime: world.opened.now + 900 * day }),
      () => maintenance.verify({ repair: true }),
      () => maintenance.compact(),
    ];
    await jobs[pick % jobs.length]?.();
  },
  use: async (world, { tenant, scope }) => {
    const { hits } = await world.loci(tenant).recall({ query: "note", scopes: [scopes[scope] as ScopeText] });
    await world.loci(tenant).memories.markUsed(hits.map(({ memory }) => memory.id));
  },
  erase: async (world, step) => {
    const { tenant, scope, pick } = step;
    const at = pick % 7 === 0 ? undefined : (scopes[scope] as ScopeText);
    const request = at === undefined ? { tenant: String(tenants[tenant]) } : { scope: at };
    // What is under way meanwhile has been asked for before: calls that are repeated, and jobs.
    const underWay = ["repeat", "update", "import", "job", "restore"].map((kind) =>
      kinds[kind]?.(world, step).catch(quiet),
    );
    await Promise.all([world.loci(tenant).maintenance.erase(request), ...underWay]);
    world.erased(tenant, at);
    await world.check();
  },
  reopen: (world) => world.opened.reopen(),
};

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
      await kinds[name]?.(world, one).catch(quiet);
      done.set(name, (done.get(name) ?? 0) + 1);
    }
    await world.check();
    expect(opened.problems).toEqual([]);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: histories, endOnFailure: true });
  expect([...done.keys()].toSorted()).toEqual(names.toSorted());
}, 3_600_000);
