import assert from "node:assert/strict";
import type { Block, BlockName, BlockSchema, BlockValues, BlockWrite, Loci, ProfileCall } from "@loci/domain";
import { type BehaviourFile, type BehaviourContext, readAndWrite, refuses } from "./behaviour-case.ts";

export const human: BlockName = { owner: "user:alice", label: "human" };

/** As somebody who decides about blocks. */
export async function decider({ as }: BehaviourContext): Promise<Loci> {
  return as({ subject: "ben", roles: [...readAndWrite, "approve"] });
}

/** As somebody who decides what forms and policies there are. */
export async function administrator({ as }: BehaviourContext): Promise<Loci> {
  return as({ subject: "ada", roles: ["admin"] });
}

/** A human block to work with. */
export async function humanBlock(context: BehaviourContext, values: BlockValues = { name: "Alice" }): Promise<Block> {
  return (await decider(context)).blocks.create({ ...human, values });
}

const recipe: BlockSchema = {
  name: "recipe",
  fields: [
    { name: "dish", type: "string", required: true },
    { name: "servings", type: "integer" },
    { name: "steps", type: "list", max: 2, overflow: "archive" },
    { name: "served", type: "date" },
  ],
};

const owner = "agent:coach" as const;

export const blockCases: BehaviourFile = {
  covers: [
    "blocks.create",
    "blocks.get",
    "blocks.list",
    "blocks.update",
    "blocks.delete",
    "blocks.history",
    "blocks.diff",
    "blocks.restore",
    "blocks.schemas.create",
    "blocks.schemas.list",
    "blocks.schemas.delete",
    "blocks.profile.update",
    "blocks.profile.summary",
    "blocks.profile.searchArchival",
    "blocks.promote",
    "blocks.demote",
  ],
  cases: [
    {
      name: "files of a memory tool are blocks apart: whoever writes may make a place for one, and nobody one that says something",
      run: async ({ as }) => {
        const agent = await as({ subject: "agent", roles: readAndWrite });
        const named = (digit: string): string => `memory_file_${digit.repeat(32)}`;
        const file = { owner, label: named("b"), schema: "memory_file" };
        const place = await agent.blocks.create(file);
        assert.deepEqual([place.policy, place.values], ["approve", {}]);
        await refuses(
          agent.blocks.create({ ...file, label: named("c"), values: { path: "/memories/c" } }),
          "ROLE_REQUIRED",
        );
        await refuses(agent.blocks.create({ ...file, label: named("c"), description: "Rules" }), "ROLE_REQUIRED");
        await refuses(agent.blocks.create({ ...file, label: named("c"), policy: "auto" }), "ROLE_REQUIRED");
        await refuses(agent.blocks.create({ ...file, label: "notes" }), "INVALID_BLOCK");
        await refuses(agent.blocks.create({ owner, label: named("c"), schema: "human" }), "INVALID_BLOCK");
        const second = await agent.blocks.create({ ...file, label: named("a") });
        assert.deepEqual(await agent.blocks.list({ owner }), []);
        assert.deepEqual(await agent.blocks.list({ owner, schema: "memory_file" }), [second, place]);
        assert.deepEqual(await agent.blocks.list({ owner, schema: "memory_file", after: second.label }), [place]);
        assert.deepEqual(await agent.blocks.list({ owner, schema: "memory_file", after: place.label }), []);
        assert.deepEqual(await agent.blocks.list({ owner, schema: "human" }), []);
      },
    },
    {
      name: "long files are listed a few at a time",
      run: async ({ as }) => {
        const loci = await as({ subject: "ben", roles: [...readAndWrite, "approve"] });
        const text = "word ".repeat(12_000).trim();
        const label = (index: number): string => `memory_file_${index.toString(16).padStart(32, "0")}`;
        for (let index = 0; index < 20; index++)
          await loci.blocks.create({ owner, label: label(index), schema: "memory_file", values: { text } });
        const first = await loci.blocks.list({ owner, schema: "memory_file" });
        const rest = await loci.blocks.list({ owner, schema: "memory_file", after: first.at(-1)?.label });
        assert.ok(first.length < 20);
        assert.deepEqual(
          [...first, ...rest].map((block) => block.label),
          Array.from({ length: 20 }, (_, index) => label(index)),
        );
      },
    },
    {
      name: "a block is created, read in every form, listed and updated",
      run: async (context) => {
        const loci = await decider(context);
        const values = { name: "Alice", role: "pilot", facts: ["flies gliders"] };
        const created = await loci.blocks.create({ ...human, values, reason: "First meeting" });
        assert.equal(created.version, 1);
        assert.equal(created.schema, "human");
        assert.equal(created.policy, "approve");
        assert.deepEqual(created.owner, { kind: "user", id: "alice" });
        const read = await loci.blocks.get(human);
        assert.deepEqual(read.values, values);
        assert.equal(read.text, "[USER] Alice | pilot\n[FACTS] flies gliders");
        assert.match(read.markdown, /^---\nblock: human\n---\n## /u);
        assert.match(read.toml, /^name = "Alice"\n/u);
        assert.match(read.commitId, /^[0-9a-f]{40}$/u);
        assert.deepEqual(await loci.blocks.list({ owner: "user:alice" }), [created]);
        const markdown = read.markdown.replace("pilot", "captain");
        const { block, edit } = await loci.blocks.update(human, { markdown }, { etag: created.etag });
        assert.equal(edit, undefined);
        assert.equal(block.version, 2);
        assert.equal(block.values["role"], "captain");
        assert.equal((await loci.blocks.get({ ...human, version: 1 })).values["role"], "pilot");
        await refuses(loci.blocks.update(human, { values }, { etag: created.etag }), "VERSION_CONFLICT");
        await refuses(loci.blocks.create({ ...human }), "BLOCK_EXISTS");
        await refuses(loci.blocks.get({ ...human, label: "other" }), "BLOCK_NOT_FOUND");
        await refuses(loci.blocks.get({ owner: "session:x", label: "human" }), "INVALID_SCOPE");
      },
    },
    {
      name: "a write that changes nothing makes no version",
      run: async (context) => {
        const loci = await decider(context);
        const first = await humanBlock(context);
        const { block } = await loci.blocks.update(human, { values: { name: " Alice " } }, { etag: first.etag });
        assert.equal(block.version, 1);
        assert.equal((await loci.blocks.history(human)).versions.length, 1);
      },
    },
    {
      name: "the history names versions, commits, authors and reasons, and what it names can be compared and restored",
      run: async (context) => {
        const loci = await decider(context);
        let { etag } = await humanBlock(context, { name: "v1" });
        for (let version = 2; version <= 12; version++)
          ({
            block: { etag },
          } = await loci.blocks.update(human, { values: { name: `v${version}` }, reason: `To ${version}` }, { etag }));
        const first = await loci.blocks.history(human);
        assert.deepEqual(
          first.versions.map(({ version }) => version),
          [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
        );
        assert.deepEqual(
          { ...first.versions[0], commitId: "", at: 0 },
          { version: 12, commitId: "", author: "ben", message: "To 12", at: 0 },
        );
        const rest = await loci.blocks.history({ ...human, pageToken: String(first.nextPageToken) });
        assert.deepEqual(
          rest.versions.map(({ version, message }) => [version, message]),
          [
            [2, "To 2"],
            [1, "Create human"],
          ],
        );
        assert.equal(rest.nextPageToken, undefined);
        const commit = String(rest.versions[0]?.commitId).slice(0, 10);
        const diff = await loci.blocks.diff({ ...human, from: commit, to: 5 });
        assert.deepEqual(diff, { from: 2, to: 5, changes: [{ field: "name", before: "v2", after: "v5" }] });
        const { block } = await loci.blocks.restore({ ...human, version: commit });
        assert.equal(block.version, 13);
        assert.equal(block.values["name"], "v2");
        await refuses(loci.blocks.restore({ ...human, version: 99 }), "VERSION_NOT_FOUND");
        await refuses(loci.blocks.diff({ ...human, from: "0000000" }), "VERSION_NOT_FOUND");
      },
    },
    {
      name: "a version that nobody gave a reason for says which fields it changes",
      run: async (context) => {
        const loci = await decider(context);
        const { etag } = await humanBlock(context, { name: "Alice", role: "pilot" });
        await loci.blocks.update(human, { values: { name: "Alicia", facts: ["Flies gliders"] } }, { etag });
        await loci.blocks.profile.update({ owner: "user:alice", update: { call: "setTask", text: "Plan the trip" } });
        const { versions } = await loci.blocks.history(human);
        assert.deepEqual(
          versions.map(({ message }) => message),
          ["Update human: currentTask, sessionState", "Update human: name, role, facts", "Create human"],
        );
      },
    },
    {
      name: "a block that was deleted is neither read nor listed, and can be restored or made anew",
      run: async (context) => {
        const loci = await decider(context);
        const { etag } = await humanBlock(context);
        await loci.blocks.propose({ ...human, operations: [{ op: "set", field: "role", value: "pilot" }] });
        await loci.blocks.delete(human, { etag });
        await refuses(loci.blocks.get(human), "BLOCK_NOT_FOUND");
        await refuses(loci.blocks.delete(human), "BLOCK_NOT_FOUND");
        assert.deepEqual(await loci.blocks.list({ owner: "user:alice" }), []);
        const [edit] = (await loci.blocks.listEdits({ owner: "user:alice", states: ["superseded"] })).edits;
        assert.equal(edit?.label, "human");
        const { versions } = await loci.blocks.history(human);
        assert.deepEqual(
          versions.map(({ version, message }) => [version, message]),
          [
            [2, "Delete human"],
            [1, "Create human"],
          ],
        );
        await refuses(loci.blocks.restore({ ...human, version: 2 }), "VERSION_NOT_FOUND");
        const { block } = await loci.blocks.restore({ ...human, version: 1 });
        assert.equal(block.version, 3);
        await loci.blocks.delete(human);
        assert.equal((await loci.blocks.create({ ...human, values: { name: "Bea" } })).version, 5);
      },
    },
    {
      name: "limits and unknown fields of blocks are refused",
      run: async (context) => {
        const loci = await decider(context);
        await refuses(loci.blocks.create({ ...human, values: { nick: "A" } }), "INVALID_BLOCK");
        await refuses(loci.blocks.create({ ...human, label: "Human" }), "INVALID_BLOCK");
        await refuses(loci.blocks.create({ ...human, values: {}, toml: "" }), "INVALID_REQUEST");
        await refuses(loci.blocks.create({ ...human, schema: "none" }), "SCHEMA_NOT_FOUND");
        await refuses(loci.blocks.create({ ...human, values: { name: "x".repeat(2000) } }), "BLOCK_LIMIT_EXCEEDED");
        const wrong = await refuses(
          loci.blocks.create({ ...human, markdown: "---\nblock: other\n---\n" }),
          "INVALID_BLOCK_TEXT",
        );
        assert.equal(wrong.details?.["line"], "2");
        await refuses(loci.blocks.create({ ...human, policy: "auto" }), "ROLE_REQUIRED");
        await refuses(loci.blocks.create({ owner, label: "persona" }), "INVALID_BLOCK");
        const persona = await loci.blocks.create({ owner, label: "persona", preset: "researcher" });
        assert.equal(persona.values["name"], "Researcher");
      },
    },
    {
      name: "schemas of a tenant give blocks a form, and stay while a block has them",
      run: async (context) => {
        const admin = await administrator(context);
        const loci = await decider(context);
        await refuses(loci.blocks.schemas.create(recipe), "ROLE_REQUIRED");
        assert.deepEqual(await admin.blocks.schemas.create(recipe), recipe);
        await refuses(admin.blocks.schemas.create(recipe), "SCHEMA_EXISTS");
        await refuses(admin.blocks.schemas.create({ ...recipe, name: "human" }), "SCHEMA_EXISTS");
        await refuses(admin.blocks.schemas.create({ name: "odd", fields: [] }), "INVALID_SCHEMA");
        assert.deepEqual(
          (await loci.blocks.schemas.list()).map(({ name }) => name),
          ["persona", "human", "student", "journey", "engagement_strategy", "core_memory", "memory_file", "recipe"],
        );
        const values = { dish: "Soup", servings: 2, steps: ["cut", "cook"], served: "2026-02-28" };
        const block = await loci.blocks.create({ owner, label: "dinner", schema: "recipe", values });
        assert.deepEqual(block.values, values);
        const operations = [{ op: "append" as const, field: "steps", value: "eat" }];
        const written = await loci.blocks.update({ owner, label: "dinner" }, { operations }, { etag: block.etag });
        assert.deepEqual(written.block.values["steps"], ["cook", "eat"]);
        const { memories } = await loci.memories.list({ scopes: [owner] });
        assert.deepEqual(
          memories.map(({ text, origin, tags }) => [text, origin, tags]),
          [["cut", "import", ["archived"]]],
        );
        assert.deepEqual((await loci.blocks.get({ owner, label: "dinner", version: 1 })).values, values);
        await refuses(admin.blocks.schemas.delete("recipe"), "SCHEMA_IN_USE");
        await loci.blocks.delete({ owner, label: "dinner" });
        await admin.blocks.schemas.delete("recipe");
        await refuses(admin.blocks.schemas.delete("recipe"), "SCHEMA_NOT_FOUND");
        const shipped = await refuses(admin.blocks.schemas.delete("human"), "SCHEMA_IN_USE");
        assert.match(shipped.advice ?? "", /another name/);
      },
    },
    {
      name: "a program says what it learns of its user, and what has no room becomes memories",
      run: async (context) => {
        const loci = await decider(context);
        await humanBlock(context);
        const profile = { owner: "user:alice" } as const;
        const say = loci.blocks.profile;
        await say.update({ ...profile, update: { call: "setTask", text: "Plan a flight", context: "from Bern" } });
        for (const text of ["likes maps", "owns a glider", "is left-handed", "sings"])
          await say.update({ ...profile, update: { call: "learnFact", text } });
        await say.update({ ...profile, update: { call: "learnPreference", text: "short answers" } });
        assert.equal(
          await say.summary(profile),
          "[USER] Alice\n[TASK] Plan a flight\n[STATE] active_task\n[PREFS] short answers\n[FACTS] owns a glider; is left-handed; sings\n[CONTEXT] from Bern",
        );
        const { block } = await say.update({ ...profile, update: { call: "clearTask", archive: true } });
        assert.equal(block.values["currentTask"], undefined);
        await loci.settled();
        const found = await say.searchArchival({ ...profile, query: "Which maps does she like?" });
        assert.ok(found.some(({ text }) => text === "likes maps"));
        const { memories } = await loci.memories.list({ scopes: ["user:alice"] });
        assert.equal(memories.length, 2);
        assert.match(String(memories.find(({ text }) => text.startsWith("[TASK"))?.text), /\nTask: Plan a flight\n/u);
        await refuses(say.update({ ...profile, update: { call: "learnFact", text: " " } }), "INVALID_TEXT");
        await refuses(say.update({ owner: "user:bob", update: { call: "learnFact", text: "x" } }), "BLOCK_NOT_FOUND");
      },
    },
    {
      name: "a note that contexts no longer show is found by recall, until it is taken out of the block or its task is done",
      run: async (context) => {
        const loci = await decider(context);
        await humanBlock(context);
        const say = (update: ProfileCall): Promise<BlockWrite> =>
          loci.blocks.profile.update({ owner: "user:alice", update });
        const note = (text: string): Promise<BlockWrite> => say({ call: "addContext", text });
        const remembered = async (): Promise<readonly string[]> => {
          const { memories } = await loci.memories.list({ scopes: ["user:alice"] });
          return memories.map(({ text }) => text).toSorted();
        };
        await say({ call: "setTask", text: "Plan a flight", context: "the visa ends in May" });
        for (const text of ["two suitcases", "not before nine"]) await note(text);
        assert.deepEqual(await remembered(), []);
        await note("aisle seat");
        await note("from Bern");
        assert.deepEqual(await remembered(), ["the visa ends in May", "two suitcases"]);
        await loci.settled();
        const { hits } = await loci.recall({ query: "When does the visa end?", scopes: ["user:alice"] });
        assert.equal(hits[0]?.memory.text, "the visa ends in May");
        const [first] = hits;
        assert.deepEqual([first?.memory.category, first?.memory.tags], ["note", ["archived"]]);
        const without = async (entry: string): Promise<BlockWrite> => {
          const { etag } = await loci.blocks.get(human);
          const operations = [{ op: "remove" as const, field: "contextNotes", value: entry }];
          return loci.blocks.update(human, { operations }, { etag });
        };
        await without("two suitcases");
        assert.deepEqual(await remembered(), ["the visa ends in May"]);
        await without("from Bern");
        await note("from Basel");
        assert.deepEqual(await remembered(), ["the visa ends in May"]);
        await say({ call: "clearTask", archive: true });
        const [task, ...others] = await remembered();
        assert.match(task ?? "", /\nTask: Plan a flight\nContext:\n- the visa ends in May\n/u);
        assert.deepEqual(others, []);
      },
    },
    {
      name: "a human block that grows too much is rotated, and nothing of it is lost",
      run: async (context) => {
        const loci = await decider(context);
        await humanBlock(context, { name: "Alice", facts: ["a".repeat(400), "b".repeat(300)] });
        const note = "c".repeat(550);
        const { block } = await loci.blocks.profile.update({
          owner: "user:alice",
          update: { call: "addContext", text: note },
        });
        assert.equal(block.version, 3);
        assert.deepEqual(block.values["contextNotes"], undefined);
        const [latest] = (await loci.blocks.history(human)).versions;
        assert.equal(latest?.author, "rotation");
        const { memories } = await loci.memories.list({ scopes: ["user:alice"] });
        const archived = memories.find(({ text }) => text.startsWith("[ARCHIVED "))?.text ?? "";
        for (const kept of [note, "a".repeat(400), "b".repeat(300)]) assert.ok(archived.includes(kept));
      },
    },
    {
      name: "what is known of a user as one free text is rotated, too: archived whole, then compressed",
      run: async (context) => {
        const loci = await administrator(context);
        await loci.blocks.schemas.create({ name: "free_text", fields: [{ name: "text", type: "text" }] });
        const text = Array.from({ length: 60 }, (_, line) =>
          `Line ${line} about Alice, who ${"swims ".repeat(3)}`.trim(),
        );
        await loci.blocks.create({ ...human, schema: "free_text", values: { text: text.join("\n") } });
        const { values, version } = await loci.blocks.get(human);
        assert.equal(version, 2);
        const kept = String(values["text"]).split("\n");
        assert.ok(String(values["text"]).length <= 750 && kept.length > 5);
        for (const line of kept) assert.ok(text.includes(line), line);
        const { memories } = await loci.memories.list({ scopes: ["user:alice"] });
        const archived = memories.find((memory) => memory.text.startsWith("[ARCHIVED "))?.text ?? "";
        for (const line of text) assert.ok(archived.includes(line), line);
        const [latest] = (await loci.blocks.history(human)).versions;
        assert.equal(latest?.author, "rotation");
        const { etag } = await loci.blocks.get(human);
        await loci.blocks.update(human, { values: { text: "😀".repeat(16_000) } }, { etag });
        const { memories: all } = await loci.memories.list({ scopes: ["user:alice"] });
        const faces = all.map((memory) => memory.text.split("😀").length - 1).reduce((sum, count) => sum + count, 0);
        assert.equal(faces, 16_000);
      },
    },
    {
      name: "a core memory takes promoted lines up to its cap, and gives lines back as memories",
      run: async (context) => {
        const loci = await decider(context);
        const core = { owner, label: "core_memory" } as const;
        const text = "<!-- BUDGET: 4 lines -->\n## About me\n- Coach\n## Rules";
        await loci.blocks.create({ ...core, values: { text } });
        const { id } = await loci.memories.remember({ text: "Never shout.", scope: owner });
        const { block } = await loci.blocks.promote({ ...core, memory: id, heading: "rules" });
        assert.equal(block.values["text"], `${text}\n- Never shout.`);
        const other = await loci.memories.remember({ text: "Be kind.", scope: owner });
        const full = await refuses(
          loci.blocks.promote({ ...core, memory: other.id, heading: "Rules" }),
          "BLOCK_LIMIT_EXCEEDED",
        );
        assert.match(String(full.details?.["heaviest"]), /Rules/u);
        const demoted = await loci.blocks.demote({ ...core, line: "Coach" });
        assert.doesNotMatch(String(demoted.block.values["text"]), /Coach/u);
        const { memories } = await loci.memories.list({ scopes: [owner] });
        assert.ok(memories.some((memory) => memory.text === "Coach"));
        await refuses(loci.blocks.demote({ ...core, line: "Coach" }), "INVALID_BLOCK");
      },
    },
    {
      name: "blocks repeated under one request id are written once",
      run: async (context) => {
        const loci = await decider(context);
        const options = { requestId: "again" };
        const first = await loci.blocks.create({ ...human, values: { name: "Alice" } }, options);
        assert.deepEqual(await loci.blocks.create({ ...human, values: { name: "Alice" } }, options), first);
        await refuses(loci.blocks.create({ ...human, values: { name: "Bea" } }, options), "REQUEST_ID_REUSED");
        const patch = { values: { name: "Alice B." } };
        const { block } = await loci.blocks.update(human, patch, { etag: first.etag }, { requestId: "more" });
        const again = await loci.blocks.update(human, patch, { etag: first.etag }, { requestId: "more" });
        assert.deepEqual(again.block, block);
        await loci.blocks.delete(human, undefined, { requestId: "gone" });
        await loci.blocks.delete(human, undefined, { requestId: "gone" });
        assert.equal((await loci.blocks.history(human)).versions.length, 3);
      },
    },
  ],
};
