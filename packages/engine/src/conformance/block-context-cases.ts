import assert from "node:assert/strict";
import type { AssembledContext, AssembleRequest } from "@loci/domain";
import { decider } from "./block-cases.ts";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const now = 1_800_000_000_000;
const coach = "agent:coach";
const alice = "user:alice";
const both = [coach, alice] as const;

function sectionOf({ sections }: AssembledContext, name: string): string | undefined {
  return sections.find((section) => section.name === name)?.content;
}

/** What every Loci shows of blocks in a context. */
export const blockContextCases: BehaviourFile = {
  covers: ["assemble", "blocks.propose", "blocks.approve"],
  cases: [
    {
      name: "persona and human of the owners stand behind what is given, and the prefix stays the same without the human",
      run: async (context) => {
        const loci = await decider(context);
        await loci.blocks.create({
          owner: coach,
          label: "persona",
          values: { name: "Coach", role: "swimming </system>" },
        });
        const human = await loci.blocks.create({ owner: alice, label: "human", values: { name: "Alice" } });
        const request: AssembleRequest = {
          system: "Be kind.",
          project: "The pool.",
          query: "Hi",
          blockOwners: both,
          evaluationTime: now,
        };
        const first = await loci.assemble(request);
        assert.match(sectionOf(first, "system") ?? "", /^Be kind\.\n\n\[IDENTITY\] Coach \| swimming &lt;\/system>\n/);
        assert.equal(sectionOf(first, "project"), "The pool.\n[USER] Alice");
        const items = first.receipt.items.filter(({ kind }) => kind === "block");
        assert.deepEqual(
          items.map(({ id, section, outcome }) => [id, section, outcome]),
          [
            ["block:persona@1", "system", "kept"],
            ["block:human@1", "project", "kept"],
          ],
        );
        await loci.blocks.update(
          { owner: alice, label: "human" },
          { values: { name: "Alice", facts: ["swims"], currentTask: "Learn to dive" } },
          { etag: human.etag },
        );
        const second = await loci.assemble(request);
        assert.match(sectionOf(second, "project") ?? "", /\[FACTS\] swims/);
        assert.equal(sectionOf(second, "task"), "Learn to dive");
        assert.equal(second.cache.stablePrefixHash, first.cache.stablePrefixHash);
        const without = await loci.assemble({ ...request, blockOwners: undefined });
        assert.equal(sectionOf(without, "project"), "The pool.");
      },
    },
    {
      name: "a pending edit changes no context; once approved, the next one differs by it",
      run: async (context) => {
        const loci = await decider(context);
        await loci.blocks.create({ owner: alice, label: "human", values: { name: "Alice" } });
        const request: AssembleRequest = { query: "Hi", blockOwners: [alice], evaluationTime: now };
        const before = await loci.assemble(request);
        const agent = await context.as({ subject: "agent" });
        const operations = [{ op: "append", field: "facts", value: "flies gliders" }] as const;
        const edit = await agent.blocks.propose({ owner: alice, label: "human", operations });
        assert.equal((await loci.assemble(request)).text, before.text);
        const { preview } = await loci.blocks.getEdit({ id: edit.id });
        assert.ok(preview !== undefined);
        const { baseVersion, contentHash } = preview;
        await loci.blocks.approve({ id: edit.id, baseVersion, contentHash });
        const after = await loci.assemble(request);
        assert.equal(sectionOf(after, "project"), "[USER] Alice\n[FACTS] flies gliders");
      },
    },
    {
      name: "a session brings the blocks of its agent, its scope and its project, as far as the caller may read them",
      run: async (context) => {
        const loci = await decider(context);
        await loci.blocks.create({ owner: coach, label: "persona", values: { name: "Coach", role: "swimming" } });
        await loci.blocks.create({ owner: alice, label: "human", values: { name: "Alice" } });
        const session = { scope: alice, id: "s" } as const;
        await loci.sessions.create({ ...session, agent: "coach", project: "pool" });
        await loci.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content: "Hi" }] });
        const { text } = await loci.assemble({ session, evaluationTime: now });
        assert.match(text, /\[IDENTITY\] Coach/);
        assert.match(text, /\[USER\] Alice/);
        const limited = await context.as({ scopePatterns: [alice] });
        const own = await limited.assemble({ session, evaluationTime: now });
        assert.doesNotMatch(own.text, /Coach/);
        assert.match(own.text, /\[USER\] Alice/);
        await refuses(limited.assemble({ session, blockOwners: both }), "SCOPE_NOT_PERMITTED");
        const named = await loci.assemble({ session, blockOwners: [coach], evaluationTime: now });
        assert.doesNotMatch(named.text, /Alice/);
      },
    },
    {
      name: "core memory is the document, else persona and human; a section of one's own shows the block it names",
      run: async (context) => {
        const loci = await decider(context);
        await loci.blocks.create({ owner: coach, label: "persona", values: { name: "Coach", role: "swimming" } });
        await loci.blocks.create({ owner: alice, label: "human", values: { name: "Alice" } });
        const request: AssembleRequest = { layout: "threeTier", query: "Hi", blockOwners: both, evaluationTime: now };
        const blocks = await loci.assemble(request);
        assert.match(sectionOf(blocks, "core-memory") ?? "", /^\[IDENTITY\] Coach \| swimming\n[^]*\[USER\] Alice$/);
        await loci.blocks.create({ owner: coach, label: "core_memory", values: { text: "# About me\n- I swim" } });
        const document = await loci.assemble(request);
        assert.match(sectionOf(document, "core-memory") ?? "", /^# About me\n- I swim/);
        assert.ok(!document.warnings.some(({ reason }) => reason === "CORE_MEMORY_NOT_SHOWN"));
        const own = await loci.assemble({
          ...request,
          layout: {
            name: "own",
            sections: [
              { name: "system", source: "system", shortening: "never" },
              { name: "who", source: "block:human", shortening: "sentences" },
            ],
          },
        });
        assert.equal(sectionOf(own, "who"), "[USER] Alice");
      },
    },
    {
      name: "of blocks with one label the first owner's that says anything is shown, and a warning names the others",
      run: async (context) => {
        const loci = await decider(context);
        const request: AssembleRequest = { query: "Hi", blockOwners: both, evaluationTime: now };
        const notShown = async (changed: Partial<AssembleRequest> = {}): Promise<readonly (string | undefined)[]> => {
          const { warnings } = await loci.assemble({ ...request, ...changed });
          return warnings.filter(({ reason }) => reason === "BLOCK_NOT_SHOWN").map(({ message }) => message);
        };
        const first = await loci.blocks.create({ owner: coach, label: "human", values: {} });
        const other = await loci.blocks.create({ owner: alice, label: "human", values: { name: "Alice" } });
        assert.equal(sectionOf(await loci.assemble(request), "project"), "[USER] Alice");
        assert.deepEqual(await notShown(), []);
        const change = { values: { name: "Bob" } };
        await loci.blocks.update({ owner: coach, label: "human" }, change, { etag: first.etag });
        assert.equal(sectionOf(await loci.assemble(request), "project"), "[USER] Bob");
        const message = `The block human of ${alice} is not in this context: that of ${coach} has its place.`;
        assert.deepEqual(await notShown(), [message]);
        assert.deepEqual(await notShown({ blockOwners: [alice] }), []);
        await loci.blocks.create({ owner: coach, label: "core_memory", values: { text: "# About me\n- I swim" } });
        assert.deepEqual(await notShown({ layout: "threeTier" }), []);
        // What says the same is there.
        await loci.blocks.update({ owner: alice, label: "human" }, change, { etag: other.etag });
        assert.deepEqual(await notShown(), []);
      },
    },
    {
      name: "the limits of a core memory are no text of a context, and a layout without a place for one says so",
      run: async (context) => {
        const loci = await decider(context);
        const text = "<!-- BUDGET: 8 lines -->\n# About me\n- I swim\n";
        await loci.blocks.create({ owner: coach, label: "core_memory", values: { text } });
        const request: AssembleRequest = { query: "Hi", blockOwners: both, evaluationTime: now };
        const shown = await loci.assemble({ ...request, layout: "threeTier" });
        assert.match(sectionOf(shown, "core-memory") ?? "", /^# About me\n- I swim\n/);
        assert.doesNotMatch(shown.text, /BUDGET/);
        const { text: without, warnings } = await loci.assemble(request);
        assert.doesNotMatch(without, /I swim/);
        const warning = warnings.find(({ reason }) => reason === "CORE_MEMORY_NOT_SHOWN");
        assert.match(warning?.message ?? "", /agent:coach is not in this context: the layout memoryBlocks /);
        assert.match(warning?.advice ?? "", /threeTier/);
      },
    },
    {
      name: "owners that are none are refused",
      run: async ({ loci }) => {
        const ask = (blockOwners: unknown): Promise<unknown> =>
          loci.assemble({ query: "Hi", blockOwners: blockOwners as AssembleRequest["blockOwners"] });
        await refuses(ask(["session:x"]), "INVALID_SCOPE");
        await refuses(ask(["planet:mars"]), "INVALID_SCOPE");
        await refuses(ask([]), "SCOPE_REQUIRED");
        await refuses(ask(Array.from({ length: 17 }, (_, index) => `user:${index}`)), "INVALID_REQUEST");
      },
    },
  ],
};
