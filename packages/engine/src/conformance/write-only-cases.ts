import assert from "node:assert/strict";
import { type Loci, LociError, type MemoryId } from "@loci/domain";
import type { BehaviourFile } from "./behaviour-case.ts";

const scope = "user:alice";
const session = { scope, id: "s-1" } as const;
const human = { owner: scope, label: "human" } as const;

/** A word that stands in what others have written. */
const kept = "xylophone";

/** Who may write, and not read. */
export const writeOnlyCases: BehaviourFile = {
  covers: [
    "memories.update",
    "memories.restore",
    "memories.rememberConversation",
    "sessions.close",
    "sessions.reopen",
    "sessions.turnState.save",
    "sessions.turnState.merge",
    "sessions.turnState.recordDecision",
    "sessions.turnState.recordAction",
    "sessions.turnState.markBlocked",
    "blocks.update",
    "blocks.restore",
    "blocks.profile.update",
    "budget.record",
    "captures.start",
    "captures.cancel",
    "captures.undo",
  ],
  cases: [
    {
      name: "who may only write is told nothing that it has not sent, in answers and in errors",
      run: async ({ as }) => {
        const owner = await as({ roles: ["read", "write", "approve", "admin"] });
        const { memory, capture, etag } = await filled(owner);
        const writer = await as({ subject: "writer", roles: ["write"] });
        const { state } = await owner.sessions.turnState.load(session);
        const own = { ...state, decisions: [] };
        const save = () => writer.sessions.turnState.save(session, own, undefined, { requestId: "saved" });
        await save();
        await owner.sessions.turnState.recordDecision(session, { decision: kept, rationale: kept });
        const name = { scope, key: "theme" } as const;
        const again = { requestId: "again" };
        const answers: unknown[] = [];
        for (const call of [
          () => writer.memories.update(name, { tags: ["sent"] }, { allowMissing: true }),
          () => writer.memories.update(name, { importance: 0.3 }, { allowMissing: true }, again),
          () => writer.memories.update(name, { importance: 0.3 }, { allowMissing: true }, again),
          () => writer.memories.update(name, { validTo: 1 }, { allowMissing: true }),
          () => writer.memories.update(memory, { importance: 0.4 }, { etag: `${memory}@1` }),
          () => writer.memories.restore(memory, 1),
          () => writer.memories.remember({ text: `The ${kept} is loud.`, scope, key: "theme" }),
          () =>
            writer.memories.rememberConversation({
              scope,
              session: "c",
              turns: [{ id: "1", speaker: "Ada", content: "Hello.", at: 1 }],
            }),
          () => writer.memories.forget(memory, { etag: `${memory}@1` }),
          () => writer.sessions.create(session),
          () => writer.sessions.close(session),
          () => writer.sessions.reopen(session),
          () => writer.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content: "Hello." }] }),
          save,
          () => writer.sessions.turnState.markBlocked(session, "No key."),
          () => writer.sessions.turnState.recordAction(session, { type: "looked", result: "found" }, again),
          () => writer.sessions.turnState.recordAction(session, { type: "looked", result: "found" }, again),
          () => writer.sessions.turnState.recordDecision(session, { decision: "Wait.", rationale: "No key." }),
          () => writer.sessions.turnState.merge(session, { ...own, baseTurn: 0, turns: 1 }),
          () =>
            writer.blocks.update(human, { operations: [{ op: "append", field: "facts", value: "Sings." }] }, { etag }),
          () => writer.blocks.update(human, { operations: [{ op: "remove", field: "facts", value: "No." }] }, { etag }),
          () => writer.blocks.update(human, { values: { name: "Alice" } }, { etag: "x" }),
          () => writer.blocks.restore({ ...human, version: 1 }),
          () => writer.blocks.profile.update({ owner: scope, update: { call: "learnFact", text: "Sings." } }),
          () => writer.blocks.create({ ...human, values: {} }),
          () => writer.captures.start({ session, dryRun: true }),
          () => writer.captures.start({ session }),
          () => writer.captures.cancel(capture),
          () => writer.captures.undo(capture),
        ])
          answers.push(await told(call));
        const texts = answers.map((answer) => JSON.stringify(answer).replaceAll(`The ${kept} is loud.`, ""));
        for (const text of texts) assert.ok(!text.includes(kept), text);
        assert.equal((await owner.memories.get(name)).importance > 0, true);
      },
    },
    {
      name: "who may only write is told of a changed memory the fields it has sent, and what the next change takes",
      run: async ({ loci, as }) => {
        const name = { scope, key: "theme" } as const;
        const stored = await loci.memories.remember({ ...name, text: "Dark.", category: "preference", slot: "theme" });
        const writer = await as({ subject: "writer", roles: ["write"] });
        const told = await writer.memories.update(name, { tags: ["a"] }, { allowMissing: true });
        assert.deepEqual(
          [told.id, told.key, told.version, told.tags, told.text, told.slot, told.category],
          [stored.id, "theme", 2, ["a"], "", undefined, "fact"],
        );
        const next = await writer.memories.update(name, { text: "Light." }, { etag: told.etag });
        assert.deepEqual([next.text, next.tags, next.version], ["Light.", [], 3]);
        const made = await writer.memories.update({ scope, key: "new" }, { text: "Mine." }, { allowMissing: true });
        assert.deepEqual([made.text, made.key, made.version], ["Mine.", "new", 1]);
        assert.deepEqual((await loci.memories.get(name)).tags, ["a"]);
      },
    },
    {
      name: "who may only write is told of what it has recorded, not of what others used",
      run: async ({ loci, as }) => {
        const used = { model: "m", inputTokens: 100, outputTokens: 10 };
        await loci.budget.record(used);
        const told = await (await as({ roles: ["write"] })).budget.record({ ...used, inputTokens: 5 });
        assert.deepEqual([told.calls, told.inputTokens], [1, 5]);
        assert.equal((await loci.budget.totals({})).calls, 2);
      },
    },
  ],
};

/** Something of every kind with the word in it, written by somebody else. */
async function filled(
  owner: Loci,
): Promise<{ readonly memory: MemoryId; readonly capture: string; readonly etag: string }> {
  const text = `I play the ${kept}.`;
  const { id } = await owner.memories.remember({ text, scope, key: "theme", slot: kept, metadata: { kept } });
  await owner.memories.rememberConversation({
    scope,
    session: "c",
    turns: [{ id: "1", speaker: "Ada", content: text, at: 1 }],
  });
  await owner.sessions.create({ ...session, title: text, capture: "off", agent: kept });
  await owner.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content: text }] });
  await owner.sessions.turnState.recordDecision(session, { decision: text, rationale: text });
  const block = await owner.blocks.create({ ...human, values: { name: kept, facts: [text] }, description: text });
  const capture = await owner.captures.wait((await owner.captures.start({ session })).id);
  await owner.sessions.append(session, { expectedLast: 1, turns: [{ role: "user", content: `${text} I like it.` }] });
  return { memory: id, capture: capture.id, etag: block.etag };
}

/** What a call answers, or all that its error says. */
async function told(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    assert.ok(LociError.is(error), String(error));
    const { message, field, resource, advice, details } = error;
    return { message, field, resource, advice, details };
  }
}
