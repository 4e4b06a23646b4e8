import assert from "node:assert/strict";
import { type ConversationTurn, type MaintenanceProgress, type Memory, roles, tenantId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

/** Jobs: the same reports in process and over a connection. */
export const maintenanceCases: BehaviourFile = {
  covers: [
    "maintenance.run",
    "maintenance.reindex",
    "maintenance.verify",
    "maintenance.expire",
    "maintenance.prune",
    "maintenance.compact",
    "maintenance.encrypt",
    "maintenance.reweigh",
    "maintenance.review",
    "maintenance.backup",
    "maintenance.erase",
    "maintenance.exportMemories",
    "maintenance.importMemories",
  ],
  cases: [
    {
      name: "maintenance verifies, prunes, reviews and weighs, and says what it found",
      run: async ({ as }) => {
        const loci = await as({ roles });
        const old = await loci.memories.remember({ text: "old gossip", scope: "user:alice", importance: 0.1 });
        await loci.memories.remember({ text: "water boils", scope: "user:alice", isStatic: true });
        const later = Date.now() + 400 * 86_400_000;
        const verified = await loci.maintenance.verify();
        assert.deepEqual([verified.job, verified.dryRun, verified.findings], ["verify", true, []]);
        assert.equal(verified.counts["rows"], 4);
        const dry = await loci.maintenance.prune({ dryRun: true, evaluationTime: later, dormantDays: 300.5 });
        assert.deepEqual(
          dry.findings.map(({ memory, reason }) => [memory, reason]),
          [[old.id, "DORMANT"]],
        );
        assert.equal(dry.findings[0]?.details["version"], "1");
        assert.equal((await loci.maintenance.prune({ evaluationTime: later })).counts["archived"], 1);
        assert.equal((await loci.maintenance.review({ evaluationTime: later })).counts["oldStaticFacts"], 1);
        assert.equal((await loci.maintenance.reweigh({ dryRun: true })).counts["scanned"], 2);
        assert.equal((await loci.maintenance.expire({ dryRun: true })).counts["selected"], 0);
        assert.ok(((await loci.maintenance.compact({ dryRun: true })).counts["reclaimedBytes"] ?? -1) >= 0);
        assert.equal((await loci.maintenance.reindex({ dryRun: true })).notes.length, 1);
        const progress: MaintenanceProgress[] = [];
        await loci.maintenance.run({ type: "verify" }, { onProgress: (step) => void progress.push(step) });
        assert.ok(progress.every(({ done, total = done }) => done <= total));
      },
    },
    {
      name: "maintenance refuses other roles, unknown names and misspelt fields",
      run: async ({ loci, as }) => {
        await refuses(loci.maintenance.verify(), "ROLE_REQUIRED");
        const admin = await as({ roles: ["admin"] });
        await refuses(admin.maintenance.compact(), "ROLE_REQUIRED");
        await refuses(admin.maintenance.backup({ directory: "/nowhere" }), "ROLE_REQUIRED");
        const operator = await as({ roles });
        await refuses(admin.maintenance.encrypt(), "ROLE_REQUIRED");
        // Nobody has given a key.
        await refuses(operator.maintenance.encrypt(), "INVALID_CONFIGURATION", "encryption");
        await refuses(operator.maintenance.encrypt({ dryRun: true }), "INVALID_CONFIGURATION", "encryption");
        await refuses(operator.maintenance.reindex({ to: "nowhere" }), "INVALID_REQUEST", "to");
        await refuses(operator.maintenance.prune({ dryrun: true } as object), "INVALID_REQUEST");
        await refuses(operator.maintenance.prune({ dormantDays: -1 }), "INVALID_NUMBER", "dormantDays");
        await refuses(operator.maintenance.erase({}), "INVALID_REQUEST");
        await refuses(operator.maintenance.erase({ tenant: "another" }), "INVALID_REQUEST", "tenant");
        await refuses(operator.maintenance.verify({}, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      name: "maintenance erases a user with a receipt, and exports and imports the rest",
      run: async ({ as }) => {
        const loci = await as({ roles });
        const remember = (text: string, scope: "user:alice" | "user:bob"): Promise<Memory> =>
          loci.memories.remember({ text, scope, tags: ["kept"], metadata: { number: 1 } });
        const hers = await remember("lunch with alice", "user:alice");
        const his = await remember("lunch with bob", "user:bob");
        const before = await loci.maintenance.exportMemories({ pageSize: 1 });
        assert.deepEqual([before.lines.length, before.next], [1, hers.id]);
        const rest = await loci.maintenance.exportMemories({ after: before.next });
        assert.equal(rest.lines.length, 1);
        const receipt = await loci.maintenance.erase({ user: "alice" });
        assert.deepEqual([receipt.counts["erased"], receipt.dryRun], [1, false]);
        assert.ok(receipt.notes.some((note) => note.includes("Backups")));
        await refuses(loci.memories.get(hers.id), "MEMORY_NOT_FOUND");
        assert.equal((await loci.memories.get(his.id)).text, "lunch with bob");
        const lines = [...before.lines, ...rest.lines];
        assert.deepEqual(await loci.maintenance.importMemories(lines), { imported: 0, unchanged: 1, erased: 1 });
        const other = await as({ tenant: tenantId("other"), roles });
        assert.deepEqual(await other.maintenance.importMemories(lines), { imported: 2, unchanged: 0, erased: 0 });
        assert.equal((await other.memories.get(hers.id)).text, "lunch with alice");
        await refuses(loci.maintenance.importMemories(["{}"]), "INVALID_REQUEST");
        const blank = JSON.stringify({ ...(JSON.parse(lines[0] ?? "") as object), text: " \n" });
        const parsed = JSON.parse(lines[0] ?? "") as object;
        const hidden = JSON.stringify({ ...parsed, scope: "user:ali\u200bce" });
        const newest = await as({ tenant: tenantId("newest"), roles });
        assert.deepEqual(await newest.maintenance.importMemories([blank, ...lines, hidden]), {
          imported: 2,
          unchanged: 0,
          erased: 0,
          leftOut: [
            {
              index: 0,
              reason: "INVALID_TEXT",
              problem: "text holds nothing but white space or characters that cannot be seen.",
            },
            {
              index: 3,
              reason: "INVALID_IDENTIFIER",
              problem: "scope.id holds U+200B at 3, which cannot be seen.",
            },
          ],
        });
      },
    },
    {
      name: "what waited for approval when it was exported waits where it is imported, and can be approved there",
      run: async ({ as, loci }) => {
        const lesson = { failure: "The deploy failed.", lesson: "Deploy on weekdays only." };
        const { id, scope } = await loci.captures.recordPostMortem({ scope: "user:alice", ...lesson });
        const admin = await as({ roles });
        const { lines } = await admin.maintenance.exportMemories({});
        const other = await as({ tenant: tenantId("other"), roles });
        assert.equal((await other.maintenance.importMemories(lines)).imported, 1);
        const { reviews } = await other.captures.reviews.list({ scopes: [scope] });
        assert.deepEqual(
          reviews.map(({ memory, reason }) => [memory.id, reason]),
          [[id, "APPROVAL_REQUIRED"]],
        );
        const approved = await other.captures.reviews.decide(reviews[0]?.id ?? "", "approve");
        assert.deepEqual([approved?.id, approved?.state], [id, "active"]);
      },
    },
    {
      name: "maintenance erases for good: a request that is repeated brings nothing back",
      run: async ({ as }) => {
        const loci = await as({ roles });
        const inputs = [
          { text: "lunch with alice", scope: "user:alice" },
          { text: "lunch with bob", scope: "user:bob" },
        ] as const;
        const batch = { requestId: "batch" };
        const one = { requestId: "one" };
        const [, his] = await loci.memories.rememberMany(inputs, batch);
        await loci.memories.remember(inputs[0], one);
        await loci.maintenance.erase({ user: "alice" });
        await refuses(loci.memories.rememberMany(inputs, batch), "MEMORY_ERASED");
        await refuses(loci.memories.remember(inputs[0], one), "MEMORY_ERASED");
        const { memories } = await loci.memories.list({ scopes: ["user:alice", "user:bob"] });
        assert.deepEqual(
          memories.map(({ id }) => id),
          [his?.id],
        );
      },
    },
    {
      name: "maintenance erases turns of a conversation, which goes on without them",
      run: async ({ as }) => {
        const loci = await as({ roles });
        const turn = (number: number): ConversationTurn => ({
          id: `${number}`,
          speaker: "Alice",
          content: `turn ${number}`,
          at: 1_000 * number,
        });
        const conversation = { session: "s", scope: "user:alice" } as const;
        const first = { ...conversation, turns: [turn(1), turn(2)] };
        await loci.memories.rememberConversation(first, { requestId: "first" });
        await loci.maintenance.erase({ user: "alice" });
        const texts = async (turns: readonly ConversationTurn[], requestId?: string): Promise<readonly string[]> => {
          const stored = await loci.memories.rememberConversation({ ...conversation, turns }, { requestId });
          return stored.map(({ text }) => text);
        };
        assert.deepEqual(await texts([turn(1), turn(2)], "first"), []);
        assert.deepEqual(await texts([turn(1), turn(2), turn(3)], "second"), ["Alice: turn 3"]);
        assert.deepEqual(await texts([turn(2), turn(3), turn(4)]), ["Alice: turn 3", "Alice: turn 4"]);
        const { memories } = await loci.memories.list({ scopes: ["user:alice"] });
        assert.deepEqual(
          memories.map(({ text }) => text),
          ["Alice: turn 4", "Alice: turn 3"],
        );
      },
    },
  ],
};
