import { globalScope } from "@loci/domain";
import { sessionFamily, turnStateFamily } from "@loci/ledger";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sessionRef, turnStateRef } from "../../src/sessions/session-key.ts";
import { everything, TestEngine } from "../support/test-engine.ts";

const key = { scope: globalScope, id: "s" };
const { tenant } = everything;
let opened: TestEngine;

beforeEach(async () => {
  opened = await TestEngine.open();
});
afterEach(() => opened[Symbol.asyncDispose]());

test("what is kept of a session does not grow with its turns", async () => {
  const { sessions } = opened.loci;
  await sessions.create(key);
  const sizes: number[] = [];
  for (let last = 0; last < 300; last += 100) {
    const turns = Array.from({ length: 100 }, () => ({ role: "user", content: "x".repeat(100) }) as const);
    await sessions.append(key, { expectedLast: last, turns });
    const [header] = (await opened.ledger.resources.get(tenant, sessionFamily, [sessionRef(key)])).values();
    sizes.push(JSON.stringify(header?.state).length);
  }
  expect(Math.max(...sizes)).toBeLessThan(600);
});

test("turns and states are there after the engine was opened again", async () => {
  await opened.loci.sessions.create(key);
  await opened.loci.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: "Hello." }] });
  await opened.loci.sessions.turnState.recordDecision(key, { decision: "Wait", rationale: "It rains" });
  await opened.reopen();
  const { sessions } = opened.loci;
  expect((await sessions.turns(key)).turns.map(({ content }) => content)).toEqual(["Hello."]);
  expect((await sessions.turnState.load(key)).state.decisions).toHaveLength(1);
});

test("a turn state that cannot be read is TURN_STATE_CORRUPT until another one is saved over it", async () => {
  const { sessions } = opened.loci;
  await sessions.create(key);
  const { state } = await sessions.turnState.markBlocked(key, "no key");
  for (const [index, broken] of ["{", '{"sessionId":"other"}', { not: "text" }].entries()) {
    const ref = turnStateRef(key);
    const written = { family: turnStateFamily, kind: "turnStateWritten", ref, version: 2 + index, scope: globalScope };
    await opened.ledger.commit({
      tenant,
      author: {},
      scopePatterns: ["*"],
      expect: [],
      changes: [{ type: "resourceWritten", ...written, state: broken }],
    });
    await expect(sessions.turnState.load(key)).rejects.toMatchObject({ reason: "TURN_STATE_CORRUPT" });
    await expect(sessions.turnState.markBlocked(key, "x")).rejects.toMatchObject({ reason: "TURN_STATE_CORRUPT" });
  }
  await sessions.turnState.save(key, state);
  expect((await sessions.turnState.load(key)).state).toEqual(state);
});

test("what was purged under a session's name does not come back", async () => {
  const { sessions } = opened.loci;
  await sessions.create(key);
  await sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: "Hello." }] });
  await opened.as({ roles: ["read", "write", "admin"] }).maintenance.erase({ scope: globalScope });
  await expect(sessions.get(key)).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
  await expect(sessions.create(key)).rejects.toMatchObject({ reason: "MEMORY_ERASED", resource: "s" });
});
