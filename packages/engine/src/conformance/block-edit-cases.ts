import assert from "node:assert/strict";
import type { BlockOperation, Loci, ProposedBlockEdit } from "@loci/domain";
import { administrator, decider, human, humanBlock } from "./block-cases.ts";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const learn = (value: string): BlockOperation => ({ op: "append", field: "preferences", value });
const rename = (value: string): BlockOperation => ({ op: "set", field: "name", value });

async function approved(loci: Loci, id: string, hunks?: readonly number[]): ReturnType<Loci["blocks"]["approve"]> {
  const { preview } = await loci.blocks.getEdit({ id, hunks });
  assert.ok(preview !== undefined);
  const { baseVersion, contentHash } = preview;
  return loci.blocks.approve({ id, baseVersion, contentHash, hunks });
}

async function statesOf(loci: Loci, edits: readonly ProposedBlockEdit[]): Promise<readonly string[]> {
  const found = await Promise.all(edits.map(({ id }) => loci.blocks.getEdit({ id })));
  return found.map(({ edit }) => (edit.stale ? `${edit.state}, stale` : edit.state));
}

export const blockEditCases: BehaviourFile = {
  covers: [
    "blocks.propose",
    "blocks.getEdit",
    "blocks.listEdits",
    "blocks.approve",
    "blocks.reject",
    "blocks.withdraw",
  ],
  cases: [
    {
      name: "who may not approve proposes, and what is approved takes effect as it was looked at",
      run: async (context) => {
        const { loci } = context;
        const ben = await decider(context);
        const block = await humanBlock(context);
        await refuses(loci.blocks.create({ owner: "user:bob", label: "human" }), "ROLE_REQUIRED");
        const operations = [learn("tea"), rename("Alice B.")];
        const edit = await loci.blocks.propose({ ...human, operations, reason: "She said so" });
        assert.equal(edit.state, "pending");
        assert.equal(edit.owner, "user:alice");
        assert.equal(edit.proposer, "behaviour-suite");
        assert.deepEqual((await loci.blocks.listEdits({ owner: "user:alice" })).edits, [edit]);
        const { preview } = await ben.blocks.getEdit({ id: edit.id, hunks: [0] });
        assert.deepEqual(preview?.diff, [{ field: "preferences", after: ["tea"] }]);
        assert.equal(preview.baseVersion, block.version);
        assert.equal(preview.stale, false);
        const { baseVersion, contentHash } = preview;
        const request = { id: edit.id, baseVersion, contentHash, hunks: [0] };
        await refuses(loci.blocks.approve(request), "ROLE_REQUIRED");
        await refuses(ben.blocks.approve({ ...request, hunks: [0, 1] }), "EDIT_CONFLICT");
        await refuses(ben.blocks.approve({ ...request, baseVersion: 2 }), "EDIT_CONFLICT");
        const tried = await ben.blocks.approve({ ...request, validateOnly: true });
        assert.equal(tried.block.version, 2);
        assert.deepEqual(await statesOf(ben, [edit]), ["pending"]);
        const done = await ben.blocks.approve(request);
        assert.equal(done.edit.state, "approved");
        assert.deepEqual(done.edit.approvedHunks, [0]);
        assert.equal(done.edit.decider, "ben");
        assert.deepEqual(done.block.values, { name: "Alice", preferences: ["tea"] });
        const [latest] = (await ben.blocks.history(human)).versions;
        assert.equal(latest?.author, "behaviour-suite");
        assert.equal(latest.approver, "ben");
        assert.equal(latest.message, "She said so");
        await refuses(ben.blocks.approve(request), "EDIT_NOT_PENDING");
        assert.deepEqual((await loci.blocks.listEdits({ owner: "user:alice" })).edits, []);
      },
    },
    {
      name: "a write of who may not approve becomes a proposal",
      run: async (context) => {
        const { loci } = context;
        const first = await humanBlock(context);
        const { block, edit } = await loci.blocks.update(human, { values: { name: "Bea" } }, { etag: first.etag });
        assert.equal(block.version, 1);
        assert.deepEqual(edit?.operations, [rename("Bea")]);
        const learned = await loci.blocks.profile.update({
          owner: "user:alice",
          update: { call: "learnPreference", text: "tea" },
        });
        assert.deepEqual(learned.edit?.operations, [learn("tea")]);
        await refuses(loci.blocks.delete(human), "ROLE_REQUIRED");
        await refuses(loci.blocks.update(human, { policy: "auto" }, { etag: first.etag }), "ROLE_REQUIRED");
        const restored = await loci.blocks.restore({ ...human, version: 1 });
        assert.equal(restored.edit, undefined);
      },
    },
    {
      name: "after an approval older edits that collide are superseded, newer ones stale, and all others go on",
      run: async (context) => {
        const { loci } = context;
        const ben = await decider(context);
        await humanBlock(context);
        const propose = (operation: BlockOperation) => loci.blocks.propose({ ...human, operations: [operation] });
        const older = await propose(rename("Bea"));
        const chosen = await propose(rename("Cleo"));
        const newer = await propose(rename("Dora"));
        const other = await propose(learn("tea"));
        await approved(ben, chosen.id);
        assert.deepEqual(await statesOf(ben, [older, chosen, newer, other]), [
          "superseded",
          "approved",
          "pending, stale",
          "pending",
        ]);
        await approved(ben, other.id);
        const { block } = await approved(ben, newer.id);
        assert.deepEqual(block.values, { name: "Dora", preferences: ["tea"] });
      },
    },
    {
      name: "edits are rejected by who decides and withdrawn by who proposed them",
      run: async (context) => {
        const { loci } = context;
        const ben = await decider(context);
        await humanBlock(context);
        const [first, second] = [
          await loci.blocks.propose({ ...human, operations: [learn("tea")] }),
          await loci.blocks.propose({ ...human, operations: [learn("milk")] }),
        ];
        await refuses(loci.blocks.reject(first.id), "ROLE_REQUIRED");
        assert.equal((await ben.blocks.reject(first.id)).state, "rejected");
        await refuses(ben.blocks.withdraw(second.id), "ROLE_REQUIRED");
        assert.equal((await loci.blocks.withdraw(second.id)).state, "withdrawn");
        await refuses(loci.blocks.withdraw(second.id), "EDIT_NOT_PENDING");
        const { edits } = await loci.blocks.listEdits({
          owner: "user:alice",
          states: ["rejected", "withdrawn"],
          pageSize: 1,
        });
        assert.deepEqual(
          edits.map(({ id }) => id),
          [first.id],
        );
        const { message } = await refuses(loci.blocks.getEdit({ id: "x" }), "INVALID_IDENTIFIER");
        assert.match(message, /^The id of an edit /);
      },
    },
    {
      name: "the policy decides whether an edit waits, takes effect or is refused",
      run: async (context) => {
        const { loci } = context;
        const admin = await administrator(context);
        const { etag } = await humanBlock(context);
        const auto = await admin.blocks.update(human, { policy: "auto" }, { etag });
        assert.equal(auto.block.policy, "auto");
        const edit = await loci.blocks.propose({ ...human, operations: [learn("tea")] });
        assert.equal(edit.state, "approved");
        const { values, version } = await loci.blocks.get(human);
        assert.deepEqual(values, { name: "Alice", preferences: ["tea"] });
        assert.equal(version, 3);
        const read = await admin.blocks.get(human);
        await admin.blocks.update(human, { policy: "read_only" }, { etag: read.etag });
        await refuses(loci.blocks.propose({ ...human, operations: [learn("milk")] }), "BLOCK_READ_ONLY");
        const now = await admin.blocks.get(human);
        await refuses(admin.blocks.update(human, { values: { name: "B" } }, { etag: now.etag }), "BLOCK_READ_ONLY");
        await refuses(admin.blocks.delete(human), "BLOCK_READ_ONLY");
      },
    },
    {
      name: "an edit that a block could never take is refused at once",
      run: async (context) => {
        const { loci } = context;
        await humanBlock(context);
        const propose = (operation: BlockOperation) => loci.blocks.propose({ ...human, operations: [operation] });
        await refuses(propose({ op: "set", field: "nick", value: "A" }), "INVALID_BLOCK");
        await refuses(propose({ op: "remove", field: "facts", value: "none" }), "EDIT_CONFLICT");
        await refuses(propose(rename("x".repeat(2000))), "BLOCK_LIMIT_EXCEEDED");
        await refuses(loci.blocks.propose({ ...human, baseVersion: 9, operations: [learn("x")] }), "VERSION_NOT_FOUND");
      },
    },
    {
      name: "racing approvals apply to what was looked at, or are refused",
      run: async (context) => {
        const { loci } = context;
        const ben = await decider(context);
        await humanBlock(context);
        const edits = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            loci.blocks.propose({
              ...human,
              operations: [{ op: "append", field: "contextNotes", value: `note ${index}` }],
            }),
          ),
        );
        /** What somebody looked at, and what came of it. */
        const decide = async (id: string): Promise<{ readonly seen: unknown; readonly made: unknown }> => {
          const { preview } = await ben.blocks.getEdit({ id });
          assert.ok(preview !== undefined);
          const { baseVersion, contentHash, values } = preview;
          const { block } = await ben.blocks.approve({ id, baseVersion, contentHash });
          return { seen: [baseVersion + 1, values], made: [block.version, block.values] };
        };
        const outcomes = await Promise.allSettled(edits.map(({ id }) => decide(id)));
        const done = outcomes.filter(({ status }) => status === "fulfilled").length;
        assert.ok(done >= 1);
        const { version: last } = await ben.blocks.get(human);
        for (const outcome of outcomes)
          if (outcome.status === "fulfilled") assert.deepEqual(outcome.value.made, outcome.value.seen);
          else {
            const { reason, details } = outcome.reason as { reason?: string; details?: Record<string, string> };
            assert.equal(reason, "EDIT_CONFLICT");
            // With what there is to look at now.
            assert.ok(Number(details?.["baseVersion"]) <= last);
            assert.match(details?.["contentHash"] ?? "", /^[0-9a-f]{64}$/);
            assert.match(details?.["diff"] ?? "", /note/);
          }
        const { versions } = await ben.blocks.history({ ...human, pageSize: 100 });
        assert.equal(versions.filter(({ approver }) => approver === "ben").length, done);
        // One after the other they all get through, each by what the refusal before has shown.
        for (const { id } of (await ben.blocks.listEdits({ owner: "user:alice" })).edits) {
          const refused = await ben.blocks
            .approve({ id, baseVersion: 1, contentHash: "" })
            .catch((error: unknown) => error);
          const { details } = refused as { readonly details: Readonly<Record<string, string>> };
          const contentHash = details["contentHash"] ?? "";
          await ben.blocks.approve({ id, baseVersion: Number(details["baseVersion"]), contentHash });
        }
        const { edits: left } = await ben.blocks.listEdits({ owner: "user:alice" });
        assert.deepEqual(left, []);
      },
    },
    {
      name: "blocks and edits of owners outside a credential's scopes do not exist for it",
      run: async (context) => {
        await humanBlock(context);
        const edit = await context.loci.blocks.propose({ ...human, operations: [learn("tea")] });
        const mallory = await context.as({ subject: "mallory", roles: ["admin"], scopePatterns: ["user:mallory"] });
        await refuses(mallory.blocks.get(human), "SCOPE_NOT_PERMITTED");
        await refuses(mallory.blocks.list({ owner: "user:alice" }), "SCOPE_NOT_PERMITTED");
        await refuses(mallory.blocks.getEdit({ id: edit.id }), "EDIT_NOT_FOUND");
        await refuses(mallory.blocks.reject(edit.id), "EDIT_NOT_FOUND");
      },
    },
  ],
};
