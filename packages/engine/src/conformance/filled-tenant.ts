import assert from "node:assert/strict";
import type { Loci, ScopeText } from "@loci/domain";

/** Scopes that {@link fillTenant} writes into. */
export const filledScopes: readonly ScopeText[] = ["user:alice", "user:bob", "project:atlas", "global"];

/** Owners that it gives blocks. */
export const filledOwners: readonly ScopeText[] = ["user:alice", "project:atlas"];

const day = Date.UTC(2026, 0, 1);

/** Writes something of every family into a tenant, as somebody who may do everything. */
export async function fillTenant(loci: Loci): Promise<void> {
  await fillMemories(loci);
  await fillBlocks(loci);
  await fillSessions(loci);
  await loci.settled();
}

async function fillMemories(loci: Loci): Promise<void> {
  const first = await loci.memories.remember({ text: "Alice likes green tea", scope: "user:alice", tags: ["tea"] });
  await loci.memories.update(first.id, { text: "Alice likes black tea" }, { etag: first.etag });
  const replaced = await loci.memories.remember({
    text: "Atlas is deployed on friday",
    scope: "project:atlas",
    slot: "deploy day",
    validTo: day,
  });
  await loci.memories.remember({ text: "Bob works in Lyon", scope: "user:bob", key: "work", metadata: { number: 1 } });
  const gone = await loci.memories.remember({ text: "forgotten again", scope: "user:bob" });
  await loci.memories.forget(gone.id);
  assert.notEqual(replaced.id, gone.id);
}

async function fillBlocks(loci: Loci): Promise<void> {
  await loci.blocks.schemas.create({ name: "team_card", fields: [{ name: "motto", type: "string" }] });
  await loci.blocks.create({ owner: "project:atlas", label: "card", schema: "team_card", values: { motto: "slow" } });
  const human = { owner: "user:alice", label: "human" } as const;
  const { etag } = await loci.blocks.create({ ...human, values: { name: "Alice" } });
  await loci.blocks.update(
    human,
    { operations: [{ op: "append", field: "facts", value: "Plays the cello" }] },
    { etag },
  );
  const propose = (value: string) =>
    loci.blocks.propose({ ...human, operations: [{ op: "append", field: "facts", value }], reason: "said so" });
  await loci.blocks.reject((await propose("Owns a yacht")).id);
  await propose("Lives in Lyon");
  // One that was removed, and made again.
  const card = { owner: "project:atlas", label: "persona" } as const;
  await loci.blocks.create({ ...card, values: { role: "helper" } });
  await loci.blocks.delete(card);
  await loci.blocks.create({ ...card, values: { role: "guide" }, description: "the second one" });
}

async function fillSessions(loci: Loci): Promise<void> {
  const key = { scope: "user:alice", id: "s-1" } as const;
  await loci.sessions.create({ ...key, capture: "off", project: "atlas", title: "First" });
  await loci.sessions.append(key, {
    expectedLast: 0,
    turns: [
      { role: "user", content: "I work at Corvid as a nurse", at: day + 32_400_000 },
      { role: "assistant", content: "Noted, you work at Corvid.", at: day + 32_460_000 },
    ],
  });
  await loci.sessions.append(key, {
    expectedLast: 2,
    turns: [{ role: "user", content: "please never call me before noon", at: day + 32_520_000 }],
  });
  await loci.sessions.turnState.recordAction(key, { type: "looked", result: "found" });
  await loci.captures.wait((await loci.captures.start({ session: key })).id);
  await loci.sessions.close(key);
  const second = { scope: "user:bob", id: "s-2" } as const;
  await loci.sessions.create({
    ...second,
    capture: "off",
    captureInstructions: "Keep what is said of ferries.",
    captureExcept: ["entity"],
  });
  const asked = {
    role: "assistant",
    content: "",
    at: day,
    toolCalls: [{ id: "call-1", type: "function", function: { name: "search", arguments: "{}" } }],
  } as const;
  await loci.sessions.append(second, {
    expectedLast: 0,
    turns: [{ role: "user", content: "I live in Oslo.", at: day }, asked],
  });
  const { id } = await loci.captures.start({ session: second, turns: { first: 1, last: 1 } });
  await loci.captures.wait(id);
  await loci.captures.undo(id);
  await loci.captures.recordPostMortem({
    scope: "user:bob",
    failure: "The deploy failed.",
    lesson: "Deploy on weekdays only.",
  });
}
