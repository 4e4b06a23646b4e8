import assert from "node:assert/strict";
import type { AppendAndCaptureRequest, CapturedTurns, Loci } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";
import { at, captured, key, memoriesOf, scope, turnsOf } from "./spoken-sessions.ts";

const introduced = turnsOf("user: I live in Oslo and I play the cello.", "assistant: Noted.");
const moved = turnsOf("user: I moved to Bergen.", "assistant: Congratulations.").map((turn) => ({
  ...turn,
  at: at + 86_400_000,
}));

function told(loci: Loci, turns: AppendAndCaptureRequest["turns"]): Promise<CapturedTurns> {
  return loci.sessions.appendAndCapture(key, { turns, extractor: "rules" });
}

/** Each statement with what it says and what is over by it. */
function learnedIn({ learned }: CapturedTurns): readonly unknown[] {
  return learned.map(({ decision, memory, closed }) => [decision, memory?.text, closed?.text]);
}

async function turnsIn(loci: Loci, session: CapturedTurns["session"] | typeof key): Promise<number> {
  return (await loci.sessions.get(session)).lastTurn;
}

/** What every Loci does with turns that are kept and captured in one call. */
export const capturedTurnCases: BehaviourFile = {
  covers: ["sessions.appendAndCapture"],
  cases: [
    {
      name: "one call keeps what was said and tells what was learned, and what took the place of what",
      run: async ({ loci }) => {
        const first = await told(loci, introduced);
        assert.deepEqual(first.session, { scope: { kind: "user", id: "alice" }, id: "s-1" });
        assert.deepEqual(first.appended, { firstTurn: 1, lastTurn: 2, replayed: false });
        assert.deepEqual(
          first.captures.map(({ state, turns }) => [state, turns]),
          [["succeeded", { first: 1, last: 2 }]],
        );
        assert.deepEqual(learnedIn(first), [
          ["ADD", "The user lives in Oslo", undefined],
          ["ADD", "The user plays the cello.", undefined],
        ]);
        const second = await told(loci, moved);
        assert.deepEqual(second.captures[0]?.turns, { first: 3, last: 4 });
        assert.deepEqual(learnedIn(second), [["UPDATE", "The user moved to Bergen.", "The user lives in Oslo"]]);
        const { memory, closed } = second.learned[0] ?? {};
        assert.ok(memory !== undefined && closed?.supersededBy === memory.id);
        assert.deepEqual(await loci.memories.get(memory.id), memory);
      },
    },
    {
      name: "what is known already is answered as what was known",
      run: async ({ loci }) => {
        const [known] = (await told(loci, introduced)).learned;
        const again = turnsOf("user: As I said, I live in Oslo.").map((turn) => ({ ...turn, at: at + 60_000 }));
        const { learned } = await told(loci, again);
        assert.deepEqual(
          learned.map(({ decision, memory }) => [decision, memory?.id]),
          [["NOOP", known?.memory?.id]],
        );
      },
    },
    {
      name: "the last turns of a session once more are kept once and captured once, with and without times",
      run: async ({ loci }) => {
        const first = await told(loci, introduced);
        for (const turns of [introduced, introduced.map(({ at: _at, ...turn }) => turn)]) {
          const again = await told(loci, turns);
          assert.deepEqual(again.appended, { firstTurn: 1, lastTurn: 2, replayed: true });
          assert.deepEqual([again.captures, again.learned], [first.captures, first.learned]);
        }
        assert.equal((await loci.captures.list({ session: key })).captures.length, 1);
        assert.equal((await memoriesOf(loci)).length, 2);
      },
    },
    {
      name: "a conversation that is given whole again is gone on with behind what stands there",
      run: async ({ loci }) => {
        await told(loci, introduced);
        const { appended, captures } = await told(loci, [...introduced, ...moved]);
        assert.deepEqual(appended, { firstTurn: 1, lastTurn: 4, replayed: false });
        assert.equal(await turnsIn(loci, key), 4);
        // Those of all its turns, also of the earlier ones.
        assert.deepEqual(
          captures.map(({ turns }) => turns),
          [
            { first: 1, last: 2 },
            { first: 3, last: 4 },
          ],
        );
      },
    },
    {
      name: "without an id it is a conversation of its own, which the same request id finds again",
      run: async ({ loci, as }) => {
        const add = (requestId: string, turns = introduced, by = loci): Promise<CapturedTurns> =>
          by.sessions.appendAndCapture({ scope, title: "Meeting" }, { turns }, { requestId });
        const first = await add("r-1");
        const again = await add("r-1");
        assert.deepEqual(again.session, first.session);
        assert.equal(again.appended.replayed, true);
        assert.deepEqual([again.captures, again.learned], [first.captures, first.learned]);
        assert.equal(await turnsIn(loci, first.session), 2);
        assert.equal((await loci.sessions.get(first.session)).title, "Meeting");
        // Another request is another conversation; so is one of somebody else.
        const others = [await add("r-2"), await add("r-1", introduced, await as({ subject: "bob" }))];
        assert.equal(new Set([first, ...others].map(({ session }) => session.id)).size, 3);
        await refuses(add("r-1", moved), "REQUEST_ID_REUSED", "requestId");
        // It is gone on with by its name, and the first call is answered as before.
        await loci.sessions.appendAndCapture(first.session, { turns: moved });
        const late = await add("r-1");
        assert.deepEqual([late.appended, late.captures], [again.appended, first.captures]);
      },
    },
    {
      name: "with an id the same request is answered as it was, whoever has gone on meanwhile",
      run: async ({ loci, as }) => {
        const add = (requestId: string, turns = introduced, by = loci): Promise<CapturedTurns> =>
          by.sessions.appendAndCapture(key, { turns, extractor: "rules" }, { requestId });
        const first = await add("r-1");
        // Another request that gives the same turns finds them where they stand.
        const second = await add("r-2");
        await add("r-3", moved);
        for (const [requestId, before] of [
          ["r-1", first],
          ["r-2", second],
        ] as const) {
          const again = await add(requestId);
          assert.deepEqual(again.appended, { firstTurn: 1, lastTurn: 2, replayed: true });
          assert.deepEqual(
            again.captures.map(({ id }) => id),
            before.captures.map(({ id }) => id),
          );
        }
        assert.equal(await turnsIn(loci, key), 4);
        // Of one that gave a conversation that had grown, all its turns.
        const grown = [...introduced, ...moved, ...turnsOf("user: I play the violin, too.")];
        const whole = await add("r-4", grown);
        await add("r-5", turnsOf("user: I have a cat."));
        assert.deepEqual((await add("r-4", grown)).appended, { ...whole.appended, replayed: true });
        assert.equal(await turnsIn(loci, key), 6);
        // What another one says with the same request id is a request of their own.
        const other = await add("r-1", introduced, await as({ subject: "bob" }));
        assert.deepEqual(other.appended, { firstTurn: 7, lastTurn: 8, replayed: false });
      },
    },
    {
      name: "with an id another body under the same request id is refused, and how long is waited is none of it",
      run: async ({ loci }) => {
        const { sessions } = loci;
        const options = { requestId: "r-1" };
        const { captures } = await sessions.appendAndCapture(key, { turns: introduced, waitMilliseconds: 0 }, options);
        await loci.captures.wait(captures[0]?.id ?? "");
        await sessions.appendAndCapture(key, { turns: moved });
        const again = await sessions.appendAndCapture(key, { turns: introduced }, options);
        assert.equal(again.learned.length, 2);
        for (const [session, request] of [
          [key, { turns: moved }],
          [key, { turns: introduced, expectedLast: 0 }],
          [{ ...key, id: "s-2" }, { turns: introduced }],
        ] as const)
          await refuses(sessions.appendAndCapture(session, request, options), "REQUEST_ID_REUSED", "requestId");
        assert.equal(await turnsIn(loci, key), 4);
        await refuses(loci.sessions.get({ ...key, id: "s-2" }), "SESSION_NOT_FOUND");
      },
    },
    {
      name: "with an id a repetition is known in closed sessions, and in those that remember each turn",
      run: async ({ loci }) => {
        await loci.sessions.create({ ...key, rememberTurns: true });
        const add = (requestId: string, turns = introduced): Promise<CapturedTurns> =>
          loci.sessions.appendAndCapture(key, { turns, extractor: "rules" }, { requestId });
        const first = await add("r-1");
        await add("r-2", moved);
        await loci.sessions.close(key);
        assert.deepEqual((await add("r-1")).appended, { ...first.appended, replayed: true });
        assert.equal(await turnsIn(loci, key), 4);
        // A session that was deleted is not brought back by a repetition, nor taken for another one of its name.
        await loci.sessions.delete(key);
        await refuses(add("r-1"), "SESSION_NOT_FOUND");
        await loci.sessions.create(key);
        await refuses(add("r-1"), "SESSION_NOT_FOUND");
        assert.equal(await turnsIn(loci, key), 0);
      },
    },
    {
      name: "without an id and a request id each call is a conversation of its own",
      run: async ({ loci }) => {
        const add = async (): Promise<string> =>
          (await loci.sessions.appendAndCapture({ scope }, { turns: introduced })).session.id;
        assert.notEqual(await add(), await add());
      },
    },
    {
      name: "turns that stood there and were not captured are captured with them",
      run: async ({ loci }) => {
        await loci.sessions.create({ ...key, capture: "off" });
        await loci.sessions.append(key, { expectedLast: 0, turns: introduced });
        const { captures, learned } = await told(loci, moved);
        assert.deepEqual(captures[0]?.turns, { first: 1, last: 4 });
        assert.equal((await loci.captures.list({ session: key })).captures.length, 1);
        assert.ok(learned.some(({ memory }) => memory?.text === "The user plays the cello."));
      },
    },
    {
      name: "behind a turn that is named, another one that stands there is a conflict",
      run: async ({ loci }) => {
        await told(loci, introduced);
        const call = loci.sessions.appendAndCapture(key, { turns: moved, expectedLast: 1 });
        const { details } = await refuses(call, "TURN_CONFLICT");
        assert.equal(details["lastTurn"], "2");
        assert.equal(await turnsIn(loci, key), 2);
      },
    },
    {
      name: "who does not wait is told what is under way, and of the memories by a repetition",
      run: async ({ loci }) => {
        const ask = (waitMilliseconds: number): Promise<CapturedTurns> =>
          loci.sessions.appendAndCapture(key, { turns: introduced, waitMilliseconds });
        const { captures } = await ask(0);
        assert.equal(captures.length, 1);
        assert.equal((await loci.captures.wait(captures[0]?.id ?? "")).state, "succeeded");
        assert.equal((await ask(0)).learned.length, 2);
        await refuses(ask(60_001), "INVALID_NUMBER", "waitMilliseconds");
        await refuses(ask(-1), "INVALID_NUMBER", "waitMilliseconds");
      },
    },
    {
      name: "what was undone or forgotten since is not captured again, and not told as learned",
      run: async ({ loci }) => {
        const first = await told(loci, introduced);
        const lived = first.learned[0]?.memory;
        assert.ok(lived !== undefined);
        await loci.memories.forget(lived.id);
        assert.deepEqual(learnedIn(await told(loci, introduced)), [["ADD", "The user plays the cello.", undefined]]);
        await loci.captures.undo(first.captures[0]?.id ?? "");
        const last = await told(loci, introduced);
        assert.deepEqual([last.captures[0]?.state, last.learned], ["undone", []]);
        assert.equal((await loci.captures.list({ session: key })).captures.length, 1);
      },
    },
    {
      name: "a closed session takes no other turns, and is answered again for those that stand there",
      run: async ({ loci }) => {
        const first = await told(loci, introduced);
        await loci.sessions.close(key);
        assert.deepEqual((await told(loci, introduced)).learned, first.learned);
        await refuses(told(loci, moved), "SESSION_CLOSED");
        assert.equal((await captured(loci)).id, first.captures[0]?.id);
      },
    },
    {
      name: "it takes both roles, the scope, and fields that there are, and begins nothing where it is refused",
      run: async ({ loci, as }) => {
        for (const role of ["read", "write"] as const)
          await refuses(told(await as({ roles: [role] }), introduced), "ROLE_REQUIRED");
        await refuses(told(await as({ scopePatterns: ["user:bob"] }), introduced), "SCOPE_NOT_PERMITTED");
        const odd = { scope, id: "s-1", name: "Ann" } as typeof key;
        await refuses(loci.sessions.appendAndCapture(odd, { turns: introduced }), "INVALID_REQUEST");
        await refuses(told(loci, []), "INVALID_REQUEST", "turns");
        const far = loci.sessions.appendAndCapture(key, { turns: introduced, expectedLast: 7 });
        await refuses(far, "SESSION_NOT_FOUND");
        await refuses(loci.sessions.get(key), "SESSION_NOT_FOUND");
      },
    },
    {
      name: "what is said of a project waits for who may approve, and is told as waiting",
      run: async ({ loci, as }) => {
        const said = turnsOf("user: We decided to use PostgreSQL 17 for billing.");
        const ask = (by: Loci): Promise<CapturedTurns> =>
          by.sessions.appendAndCapture({ ...key, project: "billing" }, { turns: said });
        const approver = await as({ subject: "approver", roles: ["read", "write", "approve"] });
        const { captures, learned } = await ask(loci);
        assert.equal(captures[0]?.outcome?.candidates[0]?.state, "quarantined");
        assert.deepEqual(learned, []);
        const [waiting] = (await ask(approver)).learned;
        assert.deepEqual([waiting?.decision, waiting?.memory?.state], ["ADD", "quarantined"]);
      },
    },
  ],
};
