import type { ScopeText } from "@loci/domain";
import { day, scopes, type Step, type World } from "./world.ts";

/** What can be done to memories. */
export const memorySteps: Readonly<Record<string, (world: World, step: Step) => Promise<void>>> = {
  remember: async (world, { tenant, scope, pick }) => {
    const at = scopes[scope] as ScopeText;
    const input = { text: `note ${world.word(tenant, at)}`, scope: at, importance: 0.1 };
    const options = { requestId: world.request() };
    await world.again(async () => {
      const memory = await world.loci(tenant).memories.remember(input, options);
      world.known.push({ tenant, memory });
    });
    if (pick % 2 === 0) await world.calls.at(-1)?.();
  },
  rememberMany: async (world, { tenant }) => {
    const inputs = scopes.map((scope) => ({ text: `many ${world.word(tenant, scope)}`, scope }));
    const options = { requestId: world.request() };
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
    const options = pick % 2 === 0 ? {} : { requestId: world.request() };
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
    const options = { requestId: world.request() };
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
};
