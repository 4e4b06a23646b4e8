import { LociError, parseScope, type ScopeInput } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentDays } from "../../src/sessions/recent-days.ts";
import { everything, TestEngine } from "../support/test-engine.ts";

const scope = "user:ann";
const { tenant } = everything;
const day = 86_400_000;

/** Something that happens in one of three sessions. */
const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("append"), session: fc.nat(2), daysAgo: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("capture"), session: fc.nat(2), daysAgo: fc.nat(0) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("forget"), session: fc.nat(2), daysAgo: fc.nat(0) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("delete"), session: fc.nat(2), daysAgo: fc.nat(0) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("nextDay"), session: fc.nat(0), daysAgo: fc.nat(0) }) },
);

test(
  "the latest days are their logs, whatever happened and whatever was known of them",
  { timeout: 120_000 },
  async () => {
    await using opened = await TestEngine.open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 14 }), async (happenings) => {
        const user = `user:ann-${run++}` as const;
        const { loci } = opened;
        const kept = new RecentDays();
        let known = 0;
        for (const { type, session, daysAgo } of happenings) {
          const key = { scope: user, id: `s-${session}` };
          const found = await loci.sessions.get(key).catch(() => loci.sessions.create(key));
          if (type === "append") {
            const turns = [
              { role: "user", content: `My colour is number ${++known}.`, at: opened.now - daysAgo * day },
            ] as const;
            await loci.sessions.append(key, { expectedLast: found.lastTurn, turns });
          } else if (type === "capture") {
            const { id } = (await loci.captures.start({ session: key }).catch(nothingToCapture)) ?? {};
            if (id !== undefined) await loci.captures.wait(id);
          } else if (type === "delete") await loci.sessions.delete(key);
          else if (type === "nextDay") opened.now += day;
          else
            for (const { id } of (await loci.memories.list({ scopes: [user], pageSize: 1 })).memories)
              await loci.memories.forget(id);
          const expected = [];
          for (let back = 0; back < 7; back++) {
            const date = new Date(opened.now - back * day).toISOString().slice(0, 10);
            const text = await loci.sessions.dailyLog({ scope: user, date });
            if (text !== "") expected.push({ date, text });
          }
          const of = { tenant, scope: parseScope(user), now: opened.now };
          expect(await kept.of({ ledger: opened.ledger }, of)).toEqual(expected);
        }
      }),
      { numRuns: 25 },
    );
  },
);

/** Sessions without new turns are refused. */
function nothingToCapture(error: unknown): undefined {
  if (!LociError.is(error) || error.reason !== "INVALID_REQUEST") throw error;
}

test("a turn more reads a turn, and a memory of somebody else none", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const key = { scope, id: "s" } as const;
  await loci.sessions.create(key);
  const said = (count: number) => Array.from({ length: count }, () => ({ role: "user", content: "Hello." }) as const);
  await loci.sessions.append(key, { expectedLast: 0, turns: said(100) });
  const days = new RecentDays();
  const read = async (): Promise<number> => {
    const before = days.turnsRead;
    await days.of({ ledger: opened.ledger }, { tenant, scope: parseScope(scope), now: opened.now });
    return days.turnsRead - before;
  };
  expect(await read()).toBe(100);
  expect(await read()).toBe(0);
  await loci.sessions.append(key, { expectedLast: 100, turns: said(1) });
  expect(await read()).toBe(1);
  await loci.memories.remember({ text: "Bob plays the cello.", scope: "user:bob" });
  expect(await read()).toBe(0);
});

test("scopes that were not asked for longest go first when there are too many turns", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const days = new RecentDays({ maxTurns: 10 });
  const read = async (user: ScopeInput): Promise<number> => {
    const before = days.turnsRead;
    await days.of({ ledger: opened.ledger }, { tenant, scope: parseScope(user), now: opened.now });
    return days.turnsRead - before;
  };
  const users = ["user:a", "user:b"] as const;
  for (const user of users) {
    await loci.sessions.create({ scope: user, id: "s" });
    const turns = Array.from({ length: 7 }, () => ({ role: "user", content: "Hello." }) as const);
    await loci.sessions.append({ scope: user, id: "s" }, { expectedLast: 0, turns });
  }
  expect(await read("user:a")).toBe(7);
  expect(await read("user:b")).toBe(7);
  expect(await read("user:b")).toBe(0);
  expect(await read("user:a")).toBe(7);
});
