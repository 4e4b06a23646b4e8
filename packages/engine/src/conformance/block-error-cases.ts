import assert from "node:assert/strict";
import type { BlockValues, ErrorReason, Loci } from "@loci/domain";
import { administrator, decider, human, humanBlock } from "./block-cases.ts";
import { type BehaviourCase, type BehaviourFile, type BehaviourContext, refuses } from "./behaviour-case.ts";

/** Every reason that only calls on blocks have. A new one without an entry below does not compile. */
type BlockReason = Extract<
  ErrorReason,
  `BLOCK_${string}` | `EDIT_${string}` | `SCHEMA_${string}` | `INVALID_BLOCK${string}` | "INVALID_SCHEMA"
>;

const owner = "user:alice";

/** A call that is refused for just that. */
const refusals: Readonly<Record<BlockReason, (context: BehaviourContext) => Promise<unknown>>> = {
  BLOCK_EXISTS: async (context) => {
    await humanBlock(context);
    return (await decider(context)).blocks.create(human);
  },
  BLOCK_NOT_FOUND: async ({ loci }) => loci.blocks.get({ owner, label: "persona" }),
  BLOCK_READ_ONLY: async (context) => {
    const admin = await administrator(context);
    await admin.blocks.create({ owner, label: "persona", preset: "assistant", policy: "read_only" });
    const { etag } = await admin.blocks.get({ owner, label: "persona" });
    return admin.blocks.update({ owner, label: "persona" }, { values: { role: "cook" } }, { etag });
  },
  BLOCK_LIMIT_EXCEEDED: async (context) =>
    (await decider(context)).blocks.create({ ...human, values: { name: "a".repeat(2_000) } }),
  EDIT_NOT_FOUND: async (context) => {
    await humanBlock(context);
    return context.loci.blocks.getEdit({ id: "01890000-0000-7000-8000-000000000000" });
  },
  EDIT_NOT_PENDING: async (context) => {
    await humanBlock(context);
    const { id } = await proposed(context.loci);
    await context.loci.blocks.withdraw(id);
    return (await decider(context)).blocks.reject(id);
  },
  EDIT_CONFLICT: async (context) => {
    const { version } = await humanBlock(context);
    const { id } = await proposed(context.loci);
    return (await decider(context)).blocks.approve({ id, baseVersion: version, contentHash: "0".repeat(64) });
  },
  SCHEMA_EXISTS: async (context) => {
    const admin = await administrator(context);
    return admin.blocks.schemas.create({ name: "human", fields: [{ name: "name", type: "string" }] });
  },
  SCHEMA_IN_USE: async (context) => (await administrator(context)).blocks.schemas.delete("human"),
  SCHEMA_NOT_FOUND: async (context) =>
    (await decider(context)).blocks.create({ owner, label: "diary", schema: "diary" }),
  INVALID_BLOCK: async (context) => (await decider(context)).blocks.create({ ...human, values: { shoe: "42" } }),
  INVALID_BLOCK_TEXT: async (context) =>
    (await decider(context)).blocks.create({ ...human, markdown: "---\nblock: human\n---\n## Shoe\n42\n" }),
  INVALID_SCHEMA: async (context) =>
    (await administrator(context)).blocks.schemas.create({ name: "empty", fields: [] }),
};

function proposed(loci: Loci): ReturnType<Loci["blocks"]["propose"]> {
  return loci.blocks.propose({ ...human, operations: [{ op: "append", field: "preferences", value: "tea" }] });
}

/** What breaks TOML, Markdown, lines and delimiters. */
const pieces = [
  ..."## |\\## |\\|# |\"|\"\"\"|'''|- |* |---|block: x|[a]|{|= 1|</human>|<system>|[TASK] |<!--|-->|]]>|&amp;|%s|${x}|'; DROP".split(
    "|",
  ),
  ...[0x0a, 0x0d, 0x09, 0x0c, 0x0b, 0x08, 0x85, 0x2028, 0x2029, 0xfeff, 0xa0, 0x200b, 0x202e, 0x301, 1, 0x1f, 0x7f].map(
    (code) => String.fromCodePoint(code),
  ),
  "\r\n",
  "😀",
  "a",
  "   ",
  "constructor",
  "__proto__",
  "null",
  "true",
  "0",
  "2026-01-01",
];

/** Three hundred texts of them: each alone, then by twos and threes in an order that is the same every time. */
const hostileValues: readonly string[] = Array.from({ length: 300 }, (_, index) => {
  const at = (place: number): string => pieces[place % pieces.length] ?? "";
  if (index < pieces.length) return `x${at(index)}`;
  return [at(index), index % 2 === 0 ? "x" : "", at(index * 7 + 3), at(index * 13 + 5)].join("");
});

const form = {
  name: "every_kind",
  fields: [
    { name: "line", type: "string" },
    { name: "words", type: "text" },
    { name: "entries", type: "list", max: 40 },
  ],
} as const;

/** What is wrong with blocks, and what is only odd. */
export const blockErrorCases: BehaviourFile = {
  covers: ["blocks.create", "blocks.update"],
  cases: [
    ...Object.entries(refusals).map(([reason, call]): BehaviourCase => ({
      name: `a call on blocks is refused with ${reason}, and says what to do`,
      run: async (context) => {
        const error = await refuses(call(context), reason as BlockReason);
        assert.ok(error.message.length > 10 && (error.advice ?? "").length > 5, error.message);
      },
    })),
    {
      name: "three hundred hostile texts in every kind of field come back through every form",
      run: async (context) => {
        const loci = await administrator(context);
        await loci.blocks.schemas.create(form);
        const name = { owner, label: "odd" } as const;
        await loci.blocks.create({ ...name, schema: form.name, values: { line: "first" } });
        const entries = 30;
        for (let first = 0; first < hostileValues.length; first += entries) {
          const some = hostileValues.slice(first, first + entries);
          const values: BlockValues = { line: some.join(""), words: some.join("\n"), entries: some };
          const { etag } = await loci.blocks.get(name);
          const { block } = await loci.blocks.update(name, { values }, { etag });
          const kept = await loci.blocks.get(name);
          assert.deepEqual(kept.values, block.values);
          for (const again of [{ toml: kept.toml }, { markdown: kept.markdown }, { values: kept.values }]) {
            const { block: same } = await loci.blocks.update(name, again, { etag: kept.etag });
            assert.equal(same.version, kept.version, `${Object.keys(again)[0] ?? ""} from ${first}`);
          }
        }
      },
    },
    {
      name: "a megabyte of Markdown or TOML is refused, and the block stays as it is",
      run: async (context) => {
        const loci = await decider(context);
        const { version, etag } = await humanBlock(context);
        const markdown = `---\nblock: human\n---\n## Facts\n${"- sings\n".repeat(131_072)}`;
        await refuses(loci.blocks.update(human, { markdown }, { etag }), "INVALID_BLOCK_TEXT", "markdown");
        const toml = `name = "${"a".repeat(1_048_576)}"\n`;
        await refuses(loci.blocks.update(human, { toml }, { etag }), "INVALID_BLOCK_TEXT", "toml");
        assert.equal((await loci.blocks.get(human)).version, version);
      },
    },
  ],
};
