import type { ScopeText } from "@loci/domain";
import { scopes, type Step, type World } from "./world.ts";

const ownerOf = (scope: number): ScopeText => scopes[scope % 2] as ScopeText;
const labelOf = (pick: number): string => (pick % 3 > 0 ? "human" : "core_memory");

/** What can be done to sessions, blocks and captures. */
export const familySteps: Readonly<Record<string, (world: World, step: Step) => Promise<void>>> = {
  exportAll: async (world, { tenant }) => {
    const lines = await world.exportedLines(tenant);
    if (lines.length > 0) world.exportedAll.push({ tenant, lines });
  },
  importAll: async (world, { pick }) => {
    const one = world.exportedAll[pick % Math.max(world.exportedAll.length, 1)];
    if (one === undefined) return;
    const { tenant, lines } = one;
    for (let start = 0; start < lines.length; start += 1_000)
      await world.loci(tenant).maintenance.importRecords(lines.slice(start, start + 1_000));
  },
  append: async (world, { tenant, scope, pick }) => {
    const at = ownerOf(scope);
    const key = { scope: at, id: "session" };
    const { sessions } = world.loci(tenant);
    const options = { requestId: world.request() };
    await sessions.create({ ...key, rememberTurns: pick % 3 === 0 }).catch(() => undefined);
    const { lastTurn } = await sessions.get(key);
    const content = `I work at ${world.word(tenant, at)} as a nurse`;
    const turns = [{ role: "user", content, at: world.opened.now } as const];
    await world.again(() => world.loci(tenant).sessions.append(key, { expectedLast: lastTurn, turns }, options));
  },
  work: async (world, { tenant, scope }) => {
    const at = ownerOf(scope);
    const made = { decision: world.word(tenant, at), rationale: "because" };
    const options = { requestId: world.request() };
    const key = { scope: at, id: "session" };
    await world.again(() => world.loci(tenant).sessions.turnState.recordDecision(key, made, options));
  },
  end: async (world, { tenant, scope, pick }) => {
    const key = { scope: ownerOf(scope), id: "session" };
    await (pick % 3 === 0 ? world.loci(tenant).sessions.delete(key) : world.loci(tenant).sessions.close(key));
  },
  capture: async (world, { tenant, scope, pick }) => {
    const session = { scope: ownerOf(scope), id: "session" };
    const options = { requestId: world.request() };
    await world.again(async () => {
      const { id } = await world.loci(tenant).captures.start({ session }, options);
      world.captures.push({ tenant, id });
      if (pick % 4 !== 0) await world.loci(tenant).captures.wait(id);
    });
  },
  learn: async (world, { tenant, scope }) => {
    const at = ownerOf(scope);
    const input = { scope: at, failure: world.word(tenant, at), lesson: `Always ask ${world.word(tenant, at)} first` };
    const options = { requestId: world.request() };
    await world.again(() => world.loci(tenant).captures.recordPostMortem(input, options));
  },
  revise: async (world, { pick }) => {
    const one = world.captures[pick % Math.max(world.captures.length, 1)];
    if (one === undefined) return;
    const { captures } = world.loci(one.tenant);
    await (pick % 2 === 0 ? captures.undo(one.id) : captures.replay(one.id));
  },
  decide: async (world, { tenant, scope, pick }) => {
    const { reviews } = world.loci(tenant).captures;
    const [first] = (await reviews.list({ scopes: [ownerOf(scope)] })).reviews;
    if (first !== undefined) await reviews.decide(first.id, pick % 2 === 0 ? "approve" : "reject");
  },
  block: async (world, { tenant, scope, pick }) => {
    const owner = ownerOf(scope);
    const word = world.word(tenant, owner);
    const values: Readonly<Record<string, string>> = pick % 2 === 0 ? { name: word } : { text: `# Notes\n- ${word}` };
    const options = { requestId: world.request() };
    const input = { owner, label: labelOf(pick), values, reason: word };
    await world.again(() => world.loci(tenant).blocks.create(input, options));
  },
  propose: async (world, { tenant, scope, pick }) => {
    const owner = ownerOf(scope);
    const word = world.word(tenant, owner);
    const operation =
      pick % 3 === 0
        ? { op: "set" as const, field: "name", value: word }
        : { op: "append" as const, field: pick % 3 === 1 ? "facts" : "preferences", value: word };
    const options = { requestId: world.request() };
    const request = { owner, label: "human", operations: [operation], reason: word };
    await world.again(() => world.loci(tenant).blocks.propose(request, options));
  },
  approve: async (world, { tenant, scope, pick }) => {
    const { blocks } = world.loci(tenant);
    const { edits } = await blocks.listEdits({ owner: ownerOf(scope) });
    const edit = edits[pick % Math.max(edits.length, 1)];
    if (edit === undefined) return;
    if (pick % 5 === 0) await blocks.reject(edit.id);
    const { preview } = await blocks.getEdit({ id: edit.id });
    if (preview === undefined) return;
    const { baseVersion, contentHash } = preview;
    await world.again(() => world.loci(tenant).blocks.approve({ id: edit.id, baseVersion, contentHash }));
  },
  restoreBlock: async (world, { tenant, scope, pick }) => {
    const name = { owner: ownerOf(scope), label: labelOf(pick) };
    await world.again(() => world.loci(tenant).blocks.restore({ ...name, version: 1 }));
  },
  deleteBlock: async (world, { tenant, scope, pick }) => {
    if (pick % 3 === 0) await world.loci(tenant).blocks.delete({ owner: ownerOf(scope), label: labelOf(pick) });
  },
  promote: async (world, { tenant, scope, pick }) => {
    const owner = ownerOf(scope);
    const { memories } = await world.loci(tenant).memories.list({ scopes: [owner] });
    const memory = memories[pick % Math.max(memories.length, 1)];
    if (memory === undefined) return;
    const request = { owner, label: "core_memory", memory: memory.id, heading: "Notes" };
    await world.again(() => world.loci(tenant).blocks.promote(request));
  },
  demote: async (world, { tenant, scope }) => {
    const name = { owner: ownerOf(scope), label: "core_memory" };
    const text = `# Notes\n- ${world.word(tenant, name.owner)}`;
    await world
      .loci(tenant)
      .blocks.create({ ...name, values: { text } })
      .catch(() => undefined);
    const { values } = await world.loci(tenant).blocks.get(name);
    const line = String(values["text"])
      .split("\n")
      .find((text) => text.startsWith("- canary"));
    if (line !== undefined) await world.loci(tenant).blocks.demote({ ...name, line });
  },
};
