import assert from "node:assert/strict";
import type { Filter, RecallResult, RememberInput } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const query = "Which theme?";

function texts({ hits }: RecallResult): readonly string[] {
  return hits.map(({ memory }) => memory.text).toSorted();
}

const memories: readonly RememberInput[] = [
  { text: "The theme is Solarized.", scope, metadata: { area: "editor", priority: 3, done: true } },
  { text: "The theme is Gruvbox.", scope, metadata: { area: "x' OR 1=1 --", priority: -0.5 } },
  { text: "The theme is Dracula.", scope, metadata: { colour: "dark", area: "metadata.area" } },
  { text: "The theme is Nord.", scope },
];

export const metadataCases: BehaviourFile = {
  covers: ["recall", "memories.remember"],
  cases: [
    {
      name: "recall filters by declared metadata, its values taken literally",
      run: async ({ loci }) => {
        await loci.memories.rememberMany(memories);
        const found = async (where: Filter): Promise<readonly string[]> =>
          texts(await loci.recall({ query, scopes: [scope], where }));
        const area = (value: string): Filter => ({ field: "metadata.area", operator: "equals", value });
        for (const settled of [false, true]) {
          if (settled) await loci.settled();
          assert.deepEqual(await found(area("editor")), ["The theme is Solarized."]);
          assert.deepEqual(await found(area("x' OR 1=1 --")), ["The theme is Gruvbox."]);
          assert.deepEqual(await found(area("metadata.area")), ["The theme is Dracula."]);
          assert.deepEqual(await found(area("")), []);
          assert.deepEqual(await found(area("edito_")), []);
          assert.deepEqual(await found({ field: "metadata.priority", operator: "lessThan", value: 3 }), [
            "The theme is Gruvbox.",
          ]);
          assert.deepEqual(await found({ field: "metadata.done", operator: "equals", value: true }), [
            "The theme is Solarized.",
          ]);
          assert.deepEqual(await found({ not: { field: "metadata.priority", operator: "atLeast", value: -99 } }), [
            "The theme is Dracula.",
            "The theme is Nord.",
          ]);
          const either: Filter = {
            or: [area("editor"), { field: "metadata.priority", operator: "in", value: [-0.5, 7] }],
          };
          assert.deepEqual(await found(either), ["The theme is Gruvbox.", "The theme is Solarized."]);
        }
        const context = await loci.assemble({ query, recall: { scopes: [scope], where: area("editor") } });
        assert.ok(context.text.includes("Solarized") && !context.text.includes("Nord"));
      },
    },
    {
      name: "metadata that was not declared is kept and cannot be filtered by",
      run: async ({ loci }) => {
        const [, , dark] = await loci.memories.rememberMany(memories);
        assert.ok(dark !== undefined);
        assert.deepEqual((await loci.memories.get(dark.id)).metadata, { colour: "dark", area: "metadata.area" });
        const bad: readonly (readonly [unknown, string])[] = [
          [{ field: "metadata.colour", operator: "equals", value: "dark" }, "where.field"],
          [{ and: [{ not: { field: "metadata.Area", operator: "equals", value: "a" } }] }, "where.and[0].not.field"],
          [{ field: "metadata.constructor", operator: "equals", value: "a" }, "where.field"],
          [{ field: "metadata.__proto__", operator: "equals", value: "a" }, "where.field"],
          [{ field: "metadata.area' OR 1=1", operator: "equals", value: "a" }, "where.field"],
          [{ field: "metadata.area", operator: "equals", value: 1 }, "where.value"],
          [{ field: "metadata.priority", operator: "in", value: [1, "2"] }, "where.value"],
          [{ field: "metadata.done", operator: "equals", value: "true" }, "where.value"],
          [{ field: "metadata.area", operator: "contains", value: "edit" }, "where.value"],
        ];
        for (const [where, field] of bad) {
          const recall = { scopes: [scope] as const, where: where as Filter };
          await refuses(loci.recall({ query, ...recall }), "INVALID_FILTER", field);
          await refuses(loci.assemble({ query, recall }), "INVALID_FILTER", `recall.${field}`);
        }
        const where: Filter = { field: "metadata.colour", operator: "equals", value: "dark" };
        const { message } = await refuses(loci.recall({ query, scopes: [scope], where }), "INVALID_FILTER");
        assert.match(message, /metadata\.colour.*metadata\.area \(string\), metadata\.priority \(number\)/);
      },
    },
    {
      name: "declared metadata holds values of its type, however it is written",
      run: async ({ loci }) => {
        const input = (metadata: object): RememberInput => ({
          text: "The theme is Nord.",
          scope,
          metadata: metadata as {},
        });
        await refuses(loci.memories.remember(input({ area: 1 })), "INVALID_METADATA", "metadata.area");
        await refuses(loci.memories.remember(input({ done: "yes" })), "INVALID_METADATA", "metadata.done");
        const many = loci.memories.rememberMany([input({}), input({ priority: "1" })]);
        await refuses(many, "INVALID_METADATA", "inputs[1].metadata.priority");
        const memory = await loci.memories.remember(input({ area: "editor" }));
        const patch = loci.memories.update(memory.id, { metadata: { area: true } }, { etag: memory.etag });
        await refuses(patch, "INVALID_METADATA", "metadata.area");
        await loci.memories.update(memory.id, { metadata: { area: "terminal" } }, { etag: memory.etag });
        const where: Filter = { field: "metadata.area", operator: "equals", value: "terminal" };
        assert.deepEqual(texts(await loci.recall({ query, scopes: [scope], where })), ["The theme is Nord."]);
      },
    },
  ],
};
