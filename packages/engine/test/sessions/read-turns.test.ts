import { globalScope, type TurnInput } from "@loci/domain";
import type { ResourceEntriesQuery } from "@loci/ledger";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTurns, type TurnRange, type TurnsOf } from "../../src/sessions/read-turns.ts";
import { existingSession } from "../../src/sessions/stored-session.ts";
import { everything, TestEngine } from "../support/test-engine.ts";

const key = { scope: globalScope, id: "long" };
const { tenant } = everything;
const length = 400;
let opened: TestEngine;
let of: TurnsOf;
let entriesRead = 0;

/** The ledger, with a count of the entries that it gives. */
const counting = {
  get ledger() {
    const { resources } = opened.ledger;
    return {
      resources: {
        get: resources.get.bind(resources),
        list: resources.list.bind(resources),
        entries: async (...[whose, query, call]: Parameters<typeof resources.entries>) => {
          const entries = await resources.entries(whose, query satisfies ResourceEntriesQuery, call);
          entriesRead += entries.length;
          return entries;
        },
      },
    };
  },
};

function turn(number: number): TurnInput {
  return { role: "user", content: `Turn ${number}` };
}

beforeAll(async () => {
  opened = await TestEngine.open();
  const { sessions } = opened.loci;
  // Deleted once, so that there are entries of another session before.
  await sessions.create(key);
  await sessions.append(key, { expectedLast: 0, turns: [turn(1), turn(2)] });
  await sessions.delete(key);
  await sessions.create(key);
  for (let last = 0; last < length;) {
    const turns = Array.from({ length: 1 + (last % 3) }, (_, index) => turn(last + 1 + index)).slice(0, length - last);
    last = (await sessions.append(key, { expectedLast: last, turns })).lastTurn;
    if (last % 10 === 0)
      await sessions
        .reopen(key)
        .then(() => sessions.close(key))
        .then(() => sessions.reopen(key));
  }
  of = { tenant, session: await existingSession(opened, tenant, key) };
});
afterAll(() => opened[Symbol.asyncDispose]());

async function read(range: TurnRange): Promise<readonly number[]> {
  entriesRead = 0;
  const { turns, rowsRead } = await readTurns(counting, of, range);
  expect(rowsRead).toBe(entriesRead);
  for (const { number, content } of turns) expect(content).toBe(`Turn ${number}`);
  return turns.map(({ number }) => number);
}

describe("turns of a long session", () => {
  test("of any range are those of the range, oldest first", async () => {
    const number = fc.integer({ min: 1, max: length + 5 });
    const property = fc.asyncProperty(number, number, async (first, last) => {
      const expected = Array.from({ length: Math.max(0, Math.min(last, length) - first + 1) }, (_, i) => first + i);
      expect(await read({ first, last })).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  // The session was closed and opened just before: such entries are passed over.
  test("of the end or of the beginning take hardly more entries than turns", async () => {
    expect(await read({ newest: 1 })).toEqual([length]);
    expect(entriesRead).toBeLessThanOrEqual(4);
    expect(await read({ first: length - 1 })).toEqual([length - 1, length]);
    expect(entriesRead).toBeLessThanOrEqual(6);
    expect(await read({ newest: 20 })).toHaveLength(20);
    expect(entriesRead).toBeLessThanOrEqual(26);
    expect(await read({ last: 2 })).toEqual([1, 2]);
    expect(entriesRead).toBeLessThanOrEqual(4);
    expect(await read({ newest: 0 })).toEqual([]);
    expect(entriesRead).toBe(0);
  });

  test("from the middle are found in a few steps", async () => {
    expect(await read({ first: 200, last: 203 })).toEqual([200, 201, 202, 203]);
    expect(entriesRead).toBeLessThanOrEqual(16);
  });

  test("that came after the session was read are none of it", async () => {
    const before = of;
    await opened.loci.sessions.append(key, { expectedLast: length, turns: [turn(length + 1)] });
    of = before;
    expect(await read({ newest: 2 })).toEqual([length - 1, length]);
    expect(await read({ first: length - 1, last: length + 1 })).toEqual([length - 1, length]);
  });
});
