import { type ConversationInput, formatScope, type MemoryId, roles, type ScopeText } from "@loci/domain";
import { expect, test } from "vitest";
import { authoredBy } from "../src/calls/authored-by.ts";
import { newMemory } from "../src/memories/remember.ts";
import { uuidOfName } from "../src/calls/uuid-version-7.ts";
import { everything, TestEngine } from "./support/test-engine.ts";

const at = Date.UTC(2025, 0, 1);
const scope = { kind: "user", id: "bob" } as const;
const conversation: ConversationInput = {
  session: "s",
  scope,
  turns: [{ id: "1", speaker: "Bob", content: "The code is 4711.", at }],
};

/** Where turns stood before the ledger had a key. */
const formerId = uuidOfName(at, [everything.tenant, formatScope(scope), "s", "1"]);

function lineOf(id: MemoryId, text: string, into: ScopeText): string {
  return JSON.stringify({
    format: "loci-memory-1",
    id,
    text,
    scope: into,
    category: "note",
    state: "active",
    createdAt: at,
    updatedAt: at,
  });
}

/** As a version without keys has stored a turn. */
async function storeFormerTurn(opened: TestEngine, kind: "user" | "team" = "user"): Promise<void> {
  const { ledger, now } = opened;
  const memory = newMemory(formerId, now, {
    text: "Bob: The code is 4711.",
    scope: { kind, id: "bob" },
    createdAt: at,
  });
  await ledger.commit({
    ...authoredBy(everything),
    expect: [],
    changes: [{ type: "memoryWritten", memory, contentHash: "hash" as never }],
  });
  await ledger.settings.set(undefined, "turn-ids", undefined);
  await opened.reopen();
}

test("who imports into another scope cannot take the place of a turn that is still to come", async () => {
  await using opened = await TestEngine.open();
  const carol = opened.as({ roles: ["admin"], scopePatterns: ["user:carol"] });
  await carol.maintenance.importMemories([lineOf(formerId, "Taken.", "user:carol")]);
  const stored = await opened.loci.memories.rememberConversation(conversation);
  expect(stored.map(({ text }) => text)).toEqual(["Bob: The code is 4711."]);
  // Nor does erasing it there.
  await carol.maintenance.erase({ user: "carol" });
  const later = { ...conversation, turns: [{ id: "2", speaker: "Bob", content: "Later.", at: at + 1 }] };
  await carol.maintenance.importMemories([
    lineOf(uuidOfName(at + 1, [everything.tenant, formatScope(scope), "s", "2"]), "Taken.", "user:carol"),
  ]);
  await carol.maintenance.erase({ user: "carol" });
  expect((await opened.loci.memories.rememberConversation(later)).length).toBe(1);
});

test("the same turn is found after the ledger was opened again, and another ledger gives it another id", async () => {
  await using opened = await TestEngine.open();
  await using other = await TestEngine.open();
  const [first] = await opened.loci.memories.rememberConversation(conversation);
  await opened.reopen();
  expect((await opened.loci.memories.rememberConversation(conversation)).map(({ id }) => id)).toEqual([first?.id]);
  const [elsewhere] = await other.loci.memories.rememberConversation(conversation);
  expect(elsewhere?.id).not.toBe(first?.id);
  for (const { id } of [first, elsewhere].filter((one) => one !== undefined)) expect(id).not.toBe(formerId);
});

test("turns that were stored before there was a key are found, and stay erased", async () => {
  await using opened = await TestEngine.open();
  await storeFormerTurn(opened);
  const found = await opened.loci.memories.rememberConversation(conversation);
  expect(found.map(({ id }) => id)).toEqual([formerId]);
  const longer = { ...conversation, turns: [...conversation.turns, { id: "2", speaker: "Bob", content: "Yes.", at }] };
  expect((await opened.loci.memories.rememberConversation(longer)).map(({ text }) => text)).toEqual([
    "Bob: The code is 4711.",
    "Bob: Yes.",
  ]);
  await opened.as({ roles }).maintenance.erase({ user: "bob" });
  expect(await opened.loci.memories.rememberConversation(longer)).toEqual([]);
});

test("a turn of before there was a key is not taken for a memory of another scope", async () => {
  await using opened = await TestEngine.open();
  await storeFormerTurn(opened, "team");
  const stored = await opened.loci.memories.rememberConversation(conversation);
  expect(stored.map(({ id, scope: of }) => [id === formerId, formatScope(of)])).toEqual([[false, "user:bob"]]);
});

test.each([true, false])(
  "the key that a tenant has brought along counts where tenants move: %s",
  async (tenantsMove) => {
    await using opened = await TestEngine.open({ tenantsMove });
    const { settings } = opened.ledger;
    const [own] = await opened.loci.memories.rememberConversation(conversation);
    await settings.set(everything.tenant, "turn-ids", JSON.stringify({ key: "ab".repeat(32) }));
    const elsewhere = { ...conversation, session: "s2" };
    const [first] = await opened.loci.memories.rememberConversation(elsewhere);
    await settings.set(everything.tenant, "turn-ids", undefined);
    // The same turn again: the ledger's own key finds it only if that has made its id.
    const [again] = await opened.loci.memories.rememberConversation(elsewhere);
    expect(own?.id).not.toBe(first?.id);
    expect(again?.id === first?.id).toBe(!tenantsMove);
  },
);
