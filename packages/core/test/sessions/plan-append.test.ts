import {
  type AppendTurnsRequest,
  LociError,
  maxTurnBytes,
  maxTurnsPerSession,
  type ToolCall,
  type TurnInput,
} from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newSession, planAppend } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { goldenCases } from "./golden.ts";
import { KeptSession, now } from "./kept-session.ts";

/** Golden turns name calls by their ids only. */
type GoldenTurn = Omit<TurnInput, "toolCalls"> & { readonly toolCalls?: readonly string[] };
interface GoldenCall {
  readonly do: "append" | "close" | "reopen";
  readonly expectedLast: number;
  readonly turns: readonly GoldenTurn[];
}
interface GoldenSession {
  readonly results: readonly unknown[];
  readonly state: string;
  readonly lastTurn: number;
}

function call(id: string): ToolCall {
  return { id, type: "function", function: { name: "search", arguments: "{}" } };
}

function turnOf({ toolCalls, ...turn }: GoldenTurn): TurnInput {
  return toolCalls === undefined ? turn : { ...turn, toolCalls: toolCalls.map(call) };
}

function answerOf(session: KeptSession, { do: what, expectedLast, turns }: GoldenCall): unknown {
  if (what !== "append") {
    session[what]();
    return { state: session.header.state, lastTurn: session.header.lastTurn };
  }
  try {
    return session.append({ expectedLast, turns: turns.map(turnOf) });
  } catch (error) {
    if (!LociError.is(error)) throw error;
    const { lastTurn, turn } = error.details;
    return {
      error: error.reason,
      ...(lastTurn === undefined ? {} : { lastTurn: Number(lastTurn) }),
      ...(turn === undefined ? {} : { turn: Number(turn) }),
    };
  }
}

test.each(goldenCases<{ readonly calls: readonly GoldenCall[] }, GoldenSession>("session-turns"))(
  "golden case $name",
  ({ in: { calls }, out }) => {
    const session = new KeptSession();
    expect(calls.map((one) => answerOf(session, one))).toEqual(out.results);
    expect({ state: session.header.state, lastTurn: session.turns.length }).toEqual({
      state: out.state,
      lastTurn: out.lastTurn,
    });
  },
);

const anyText = fc.string({ unit: "binary" }).map((text) => text.toWellFormed());
const anyTurn: fc.Arbitrary<TurnInput> = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "system", "developer"),
    content: anyText,
    at: fc.option(fc.nat(), { nil: undefined }),
  }),
  fc.record({
    role: fc.constant("assistant"),
    content: anyText,
    toolCalls: fc.uniqueArray(fc.constantFrom("a", "b", "c")).map((ids) => ids.map(call)),
  }),
  fc.record({ role: fc.constant("tool"), content: anyText, toolCallId: fc.constantFrom("a", "b", "c") }),
);
const anyBatches = fc.array(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

test("appending twice is appending once, and every turn stays as it was given", () => {
  fc.assert(
    fc.property(anyBatches, (batches) => {
      const session = new KeptSession();
      const accepted: { request: AppendTurnsRequest; first: number }[] = [];
      const given: TurnInput[] = [];
      const refusals = new Set<string>();
      for (const turns of batches) {
        const request = { expectedLast: session.turns.length, turns };
        const appended = session.tryAppend(request);
        if (typeof appended === "string") {
          refusals.add(appended);
          continue;
        }
        accepted.push({ request, first: appended.firstTurn });
        given.push(...turns);
      }
      expect([...refusals].filter((reason) => reason !== "INVALID_MESSAGES")).toEqual([]);
      const before = structuredClone(session.turns);
      for (const { request, first } of accepted)
        expect(session.append(request, now + 5_000)).toMatchObject({ firstTurn: first, replayed: true });
      expect(session.turns).toEqual(before);
      expect(session.turns.map(({ number }) => number)).toEqual(given.map((_, index) => index + 1));
      expect(session.turns.map(({ role, content }) => ({ role, content }))).toEqual(
        given.map(({ role, content }) => ({ role, content })),
      );
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("a call is answered at most once, by a tool that follows it directly", () => {
  fc.assert(
    fc.property(anyBatches, (batches) => {
      const session = new KeptSession();
      for (const turns of batches) session.tryAppend({ expectedLast: session.turns.length, turns });
      let open: string[] = [];
      const answeringNothing: number[] = [];
      for (const { number, role, toolCalls, toolCallId = "" } of session.turns) {
        if (role !== "tool") open = (toolCalls ?? []).map(({ id }) => id);
        else if (!open.includes(toolCallId)) answeringNothing.push(number);
        open = open.filter((id) => role !== "tool" || id !== toolCallId);
      }
      expect(answeringNothing).toEqual([]);
      expect(new Set(session.header.openToolCalls)).toEqual(new Set(open));
    }),
    { numRuns: propertyRuns(500) },
  );
});

describe("a retry", () => {
  test("that differs in anything it says is a conflict", () => {
    const said: TurnInput = {
      role: "assistant",
      content: "a",
      name: "n",
      toolCalls: [call("c")],
      at: 5,
      recalled: true,
    };
    const session = new KeptSession();
    session.append({ expectedLast: 0, turns: [said] });
    const renamed = { ...call("c"), function: { name: "other", arguments: "{}" } };
    const others: TurnInput[] = [
      { ...said, content: "b" },
      { ...said, name: "m" },
      { ...said, toolCalls: [] },
      { ...said, toolCalls: [renamed] },
      { ...said, at: 6 },
      { ...said, recalled: false },
    ];
    for (const other of others)
      expect(() => session.append({ expectedLast: 0, turns: [other] })).toThrow(
        expect.objectContaining({ reason: "TURN_CONFLICT", details: { lastTurn: "1" } }),
      );
    expect(session.append({ expectedLast: 0, turns: [said] }).replayed).toBe(true);
  });
});

describe("refuses", () => {
  const user: TurnInput = { role: "user", content: "x" };
  test.each<[string, readonly unknown[], string]>([
    ["no turn", [], "INVALID_REQUEST"],
    ["101 turns", Array.from({ length: 101 }, () => user), "INVALID_REQUEST"],
    ["an unknown field", [{ ...user, text: "x" }], "INVALID_REQUEST"],
    ["an unknown role", [{ ...user, role: "human" }], "INVALID_MESSAGES"],
    ["content that is no text", [{ role: "user", content: null }], "INVALID_MESSAGES"],
    ["half a pair", [{ role: "user", content: "\ud800" }], "INVALID_MESSAGES"],
    ["calls of a user", [{ ...user, toolCalls: [call("c")] }], "INVALID_MESSAGES"],
    [
      "two calls of one id",
      [{ role: "assistant", content: "", toolCalls: [call("c"), call("c")] }],
      "INVALID_MESSAGES",
    ],
    ["a call that is null", [{ role: "assistant", content: "", toolCalls: [null] }], "INVALID_MESSAGES"],
    ["a result without its call", [{ role: "tool", content: "x" }], "INVALID_MESSAGES"],
    ["a time that is none", [{ ...user, at: 1.5 }], "INVALID_INSTANT"],
    ["a turn over 256 KiB", [{ role: "user", content: "é".repeat(maxTurnBytes / 2) + "x" }], "TEXT_TOO_LARGE"],
  ])("%s", (_, turns, reason) => {
    const session = new KeptSession();
    const refused = (): unknown => session.append({ expectedLast: 0, turns: turns as TurnInput[] });
    expect(refused).toThrow(expect.objectContaining({ reason }));
    expect(session.turns).toEqual([]);
  });

  test("an expected turn that is no number", () => {
    expect(() => new KeptSession().append({ expectedLast: -1, turns: [user] })).toThrow(
      expect.objectContaining({ reason: "INVALID_NUMBER" }),
    );
  });

  test("more than 100,000 turns, but takes the last of them", () => {
    const session = { ...newSession({ scope: "global", id: "s" }, now), lastTurn: maxTurnsPerSession - 1 };
    const request = (turns: readonly TurnInput[]): AppendTurnsRequest => ({ expectedLast: session.lastTurn, turns });
    expect(() => planAppend(session, [], request([user, user]), now)).toThrow(
      expect.objectContaining({ reason: "HISTORY_TOO_LARGE" }),
    );
    expect(planAppend(session, [], request([user]), now).session.lastTurn).toBe(maxTurnsPerSession);
  });
});

test("a turn of exactly 256 KiB is kept", () => {
  const session = new KeptSession();
  session.append({ expectedLast: 0, turns: [{ role: "user", content: "x".repeat(maxTurnBytes) }] });
  expect(session.turns).toHaveLength(1);
});
