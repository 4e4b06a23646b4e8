import assert from "node:assert/strict";
import { type BlockOperation, type BlockValues, type Loci, LociError, roles, tenantId } from "@loci/domain";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockReadings } from "../src/blocks/block-readings.ts";
import { readBlocks } from "../src/blocks/read-blocks.ts";
import { TestEngine } from "./support/test-engine.ts";

let opened: TestEngine;
let tenants = 0;

beforeAll(async () => {
  opened = await TestEngine.open();
});
afterAll(() => opened[Symbol.asyncDispose]());

const names = ["Ann", "Bea", "Cleo"];
const entries = ["tea", "milk", "water", "juice"];
const operation: fc.Arbitrary<BlockOperation> = fc.oneof(
  fc.constantFrom(...names).map((value) => ({ op: "set" as const, field: "name", value })),
  fc.constantFrom(...entries).map((value) => ({ op: "append" as const, field: "preferences", value })),
  fc.constantFrom(...entries).map((value) => ({ op: "remove" as const, field: "preferences", value })),
);
const which = fc.nat({ max: 7 });

type Step =
  | { readonly do: "write" | "propose"; readonly operation: BlockOperation }
  | { readonly do: "approve" | "reject" | "withdraw"; readonly which: number }
  | { readonly do: "restore"; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("write" as const, "propose" as const, "propose" as const), operation }),
  fc.record({
    do: fc.constantFrom("approve" as const, "approve" as const, "reject" as const, "withdraw" as const),
    which,
  }),
  fc.record({ do: fc.constant("restore" as const), which }),
);

const human = { owner: "user:ann", label: "human" } as const;

/** Refusals that steps may meet: the block has moved on. */
async function attempted(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!LociError.is(error) || !["EDIT_CONFLICT", "EDIT_NOT_PENDING"].includes(error.reason)) throw error;
  }
}

async function approve(loci: Loci, id: string, shown: BlockValues[]): Promise<void> {
  const { preview } = await loci.blocks.getEdit({ id });
  if (preview === undefined) return;
  const { baseVersion, contentHash } = preview;
  const { block } = await loci.blocks.approve({ id, baseVersion, contentHash });
  // What was looked at is what it says now.
  expect(block.values).toEqual(preview.values);
  if (block.version > shown.length) shown.push(block.values);
}

test("whatever is written, proposed and decided: versions are kept as they were, and edits stay decided", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const tenant = tenantId(`model-${++tenants}`);
      const loci = opened.engine.for({ tenant, subject: "ann", roles, scopePatterns: ["*"] });
      const { values } = await loci.blocks.create({ ...human, values: { name: "Ann" } });
      const blockReadings = new BlockReadings();
      const principal = { tenant, subject: "ann", roles, scopePatterns: ["*"] };
      const call = { principal, signal: new AbortController().signal };
      const inContext = async () => {
        const services = { ledger: opened.ledger, blockReadings };
        const { blocks } = await readBlocks(services, call, [{ kind: "user", id: "ann" }], new Set(["human"]));
        return blocks[0];
      };
      /** What each version said when it was made. */
      const shown: BlockValues[] = [values];
      const ids: string[] = [];
      const decided = new Map<string, string>();
      for (const next of steps) {
        const id = "which" in next ? ids[next.which] : undefined;
        await attempted(async () => {
          if (next.do === "propose")
            ids.push((await loci.blocks.propose({ ...human, operations: [next.operation] })).id);
          else if (next.do === "write") {
            const { etag } = await loci.blocks.get(human);
            const { block } = await loci.blocks.update(human, { operations: [next.operation] }, { etag });
            if (block.version > shown.length) shown.push(block.values);
          } else if (next.do === "restore") {
            const version = (next.which % shown.length) + 1;
            const { block } = await loci.blocks.restore({ ...human, version });
            assert.deepEqual(block.values, shown[version - 1]);
            if (block.version > shown.length) shown.push(block.values);
          } else if (id !== undefined) {
            if (next.do === "approve") await approve(loci, id, shown);
            else await loci.blocks[next.do](id);
          }
        });
        // Kept from one reading to the next, and never one that is over.
        expect((await inContext())?.version).toBe(shown.length);
        for (const [known, state] of decided) {
          const { edit } = await loci.blocks.getEdit({ id: known });
          expect(edit.state).toBe(state);
        }
        for (const known of ids) {
          const { edit } = await loci.blocks.getEdit({ id: known });
          if (edit.state !== "pending") decided.set(known, edit.state);
        }
      }
      const { versions } = await loci.blocks.history({ ...human, pageSize: 100 });
      expect(versions.map(({ version }) => version)).toEqual(shown.map((_, index) => shown.length - index));
      expect(new Set(versions.map(({ commitId }) => commitId)).size).toBe(versions.length);
      for (const [index, said] of shown.entries())
        expect((await loci.blocks.get({ ...human, version: index + 1 })).values).toEqual(said);
      const { edits } = await loci.blocks.listEdits({ owner: human.owner });
      expect(edits.map(({ id }) => id)).toEqual(ids.filter((id) => !decided.has(id)));
      expect(await inContext()).toMatchObject({ label: "human", version: shown.length, opening: "[USER] " });
    }),
    { numRuns: 40 },
  );
});

test("edits expire after 14 days, and the clock may stand still", async () => {
  const loci = opened.engine.for({ tenant: tenantId("expiry"), subject: "ann", roles, scopePatterns: ["*"] });
  await loci.blocks.create({ ...human, values: { name: "Ann" } });
  const operations = [{ op: "append" as const, field: "preferences", value: "tea" }];
  const { id } = await loci.blocks.propose({ ...human, operations });
  opened.now += 14 * 86_400_000;
  expect((await loci.blocks.getEdit({ id })).edit.state).toBe("expired");
  expect((await loci.blocks.listEdits({ owner: human.owner })).edits).toEqual([]);
  await expect(loci.blocks.approve({ id, baseVersion: 1, contentHash: "" })).rejects.toMatchObject({
    reason: "EDIT_NOT_PENDING",
  });
});
