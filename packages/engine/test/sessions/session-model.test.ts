import { type ErrorReason, LociError, type SessionKeyInput, type Turn, type TurnInput } from "@loci/domain";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestEngine } from "../support/test-engine.ts";

let opened: TestEngine;
let sessions = 0;

beforeAll(async () => {
  opened = await TestEngine.open();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The simplest thing that does what a session should. */
class SimpleSession {
  state: "open" | "closed" | undefined;
  turns: readonly string[] = [];

  append(expectedLast: number, contents: readonly string[]): ErrorReason | "replayed" | "appended" {
    if (this.state === undefined) return "SESSION_NOT_FOUND";
    const there = this.turns.slice(expectedLast, expectedLast + contents.length);
    if (JSON.stringify(there) === JSON.stringify(contents)) return "replayed";
    if (this.state === "closed") return "SESSION_CLOSED";
    if (expectedLast !== this.turns.length) return "TURN_CONFLICT";
    this.turns = [...this.turns, ...contents];
    return "appended";
  }
}

type Step =
  | { readonly do: "create" | "close" | "reopen" | "delete" }
  | { readonly do: "append"; readonly behind: number; readonly contents: readonly string[] }
  | { readonly do: "read"; readonly first: number; readonly count: number; readonly isNewest: boolean };

const content = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("create", "close", "reopen", "delete") }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      /** Turns before the last that are expected to be the last: 0 is what a caller who is up to date says. */
      behind: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -1, max: 4 })),
      contents: fc.array(content, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      first: fc.integer({ min: 1, max: 30 }),
      count: fc.integer({ min: 1, max: 8 }),
      isNewest: fc.boolean(),
    }),
  },
);

test("whatever is done to a session, it holds what a simple one does", async () => {
  const beginning: readonly Step[] = [{ do: "create" }];
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const key = { scope: "user:alice", id: `s-${++sessions}` } as const;
    const model = new SimpleSession();
    for (const one of [...beginning, ...steps]) {
      const [said, expected] = await carryOut(one, model, key);
      expect([one, said]).toEqual([one, expected]);
    }
    if (model.state === undefined) return;
    const { turns, lastTurn } = await opened.loci.sessions.turns(key, { pageSize: 1_000 });
    expect(turns.map((turn) => turn.content)).toEqual(model.turns);
    expect(turns.map(({ number }) => number)).toEqual(model.turns.map((_, index) => index + 1));
    expect(lastTurn).toBe(model.turns.length);
    expect((await opened.loci.sessions.get(key)).state).toBe(model.state);
  });
  await fc.assert(property, { numRuns: 60 });
});

/** What came of a step, and what should have. */
type Outcome = readonly [said: unknown, expected: unknown];

async function carryOut(one: Step, model: SimpleSession, key: SessionKeyInput): Promise<Outcome> {
  if (one.do === "append") return append(one, model, key);
  if (one.do === "read") return read(one, model, key);
  const said = await outcomeOf<unknown>(opened.loci.sessions[one.do]({ ...key }));
  const refusal = typeof said === "string" ? said : undefined;
  const isThere = model.state !== undefined;
  if (one.do === "create") {
    if (!isThere) [model.state, model.turns] = ["open", []];
    return [refusal, isThere ? "SESSION_EXISTS" : undefined];
  }
  if (one.do === "delete") [model.state, model.turns] = [undefined, []];
  else if (isThere) model.state = one.do === "close" ? "closed" : "open";
  return [refusal, isThere ? undefined : "SESSION_NOT_FOUND"];
}

async function append(
  { behind, contents: texts }: Step & { readonly do: "append" },
  model: SimpleSession,
  key: SessionKeyInput,
): Promise<Outcome> {
  const expectedLast = Math.max(0, model.turns.length - behind);
  const turns = texts.map((text): TurnInput => ({ role: "user", content: text }));
  const outcome = await outcomeOf(opened.loci.sessions.append(key, { expectedLast, turns }));
  const said = typeof outcome === "string" ? outcome : outcome.replayed ? "replayed" : "appended";
  return [said, model.append(expectedLast, texts)];
}

async function read(
  { first, count, isNewest }: Step & { readonly do: "read" },
  model: SimpleSession,
  key: SessionKeyInput,
): Promise<Outcome> {
  const request = { first, last: first + count - 1, order: isNewest ? "newestFirst" : "oldestFirst" } as const;
  const outcome = await outcomeOf(opened.loci.sessions.turns(key, { ...request, pageSize: 1_000 }));
  if (model.state === undefined) return [outcome, "SESSION_NOT_FOUND"];
  const said = typeof outcome === "string" ? outcome : contents(outcome.turns, isNewest);
  return [said, model.turns.slice(first - 1, first - 1 + count)];
}

function contents(turns: readonly Turn[], isNewest: boolean): readonly string[] {
  return (isNewest ? turns.toReversed() : turns).map((turn) => turn.content);
}

async function outcomeOf<Result>(call: Promise<Result>): Promise<Result | ErrorReason> {
  try {
    return await call;
  } catch (error) {
    if (LociError.is(error)) return error.reason;
    throw error;
  }
}
