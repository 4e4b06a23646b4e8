import assert from "node:assert/strict";
import { type KeptSession, type Loci, type SessionInput, tenantId, type Turn, type TurnInput } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const key = { scope, id: "s-1" } as const;

function said(number: number, rest: Partial<TurnInput> = {}): TurnInput {
  const role = number % 2 === 1 ? "user" : "assistant";
  return { role, content: `Turn ${number}.`, at: 1_000_000 + number, ...rest };
}

function turnsFrom(first: number, last: number): readonly TurnInput[] {
  return Array.from({ length: last - first + 1 }, (_, index) => said(first + index));
}

async function begin(loci: Loci, rest: Partial<SessionInput> = {}): Promise<KeptSession> {
  return loci.sessions.create({ ...key, ...rest });
}

async function contentOf(loci: Loci): Promise<readonly string[]> {
  return (await loci.sessions.turns(key, { pageSize: 1_000 })).turns.map(({ content }) => content);
}

function numbersOf(turns: readonly Turn[]): readonly number[] {
  return turns.map(({ number }) => number);
}

/** What every Loci does with sessions and their turns. */
export const sessionCases: BehaviourFile = {
  covers: [
    "sessions.create",
    "sessions.get",
    "sessions.list",
    "sessions.close",
    "sessions.reopen",
    "sessions.delete",
    "sessions.append",
    "sessions.turns",
    "sessions.dailyLog",
  ],
  cases: [
    {
      name: "a session is created once, with what it was given and what it was not",
      run: async ({ loci }) => {
        const input = { ...key, agent: "coder", project: "loci", title: "A title", createdAt: 5, rememberTurns: false };
        const created = await loci.sessions.create({ ...input, capture: { everyTurns: 20 }, keepSecrets: true });
        const { etag, ...rest } = created;
        assert.ok(etag.length > 0);
        assert.deepEqual(rest, {
          ...input,
          scope: { kind: "user", id: "alice" },
          capture: { everyTurns: 20 },
          keepSecrets: true,
          state: "open",
          lastTurn: 0,
          updatedAt: 5,
        });
        assert.deepEqual(await loci.sessions.get(key), created);
        await refuses(begin(loci), "SESSION_EXISTS");
        const { capture, rememberTurns, keepSecrets, title } = await begin(loci, { scope: "user:bob" });
        assert.deepEqual([capture, rememberTurns, keepSecrets, title], ["onClose", false, false, undefined]);
      },
    },
    {
      name: "a session that is not there is SESSION_NOT_FOUND for every call",
      run: async ({ loci: { sessions } }) => {
        for (const call of [
          () => sessions.get(key),
          () => sessions.close(key),
          () => sessions.reopen(key),
          () => sessions.delete(key),
          () => sessions.append(key, { expectedLast: 0, turns: [said(1)] }),
          () => sessions.turns(key),
          () => sessions.turnState.load(key),
          () => sessions.turnState.markBlocked(key, "no key"),
        ])
          await refuses(call(), "SESSION_NOT_FOUND");
      },
    },
    {
      name: "a request id makes the creation of a session repeatable, and nothing else of it",
      run: async ({ loci }) => {
        const first = await loci.sessions.create(key, { requestId: "r" });
        assert.deepEqual(await loci.sessions.create(key, { requestId: "r" }), first);
        await refuses(loci.sessions.create({ ...key, id: "other" }, { requestId: "r" }), "REQUEST_ID_REUSED");
      },
    },
    {
      name: "turns are numbered, kept as they were said and read from either end",
      run: async ({ loci }) => {
        await begin(loci);
        const call = { id: "c1", type: "function", function: { name: "search", arguments: '{"q":1}' } } as const;
        const turns: readonly TurnInput[] = [
          said(1, { name: "Alice", recalled: true }),
          said(2, { content: "", toolCalls: [call] }),
          { role: "tool", content: "nothing", toolCallId: "c1", at: 1_000_003 },
          { role: "system", content: "Be brief.", at: 999 },
        ];
        const appended = await loci.sessions.append(key, { expectedLast: 0, turns });
        assert.deepEqual(appended, { firstTurn: 1, lastTurn: 4, replayed: false });
        const read = await loci.sessions.turns(key);
        assert.deepEqual(
          read.turns,
          turns.map((turn, index) => ({ ...turn, number: index + 1, recalled: index === 0 })),
        );
        assert.equal(read.lastTurn, 4);
        assert.equal((await loci.sessions.get(key)).lastTurn, 4);
        const newest = await loci.sessions.turns(key, { order: "newestFirst", pageSize: 2 });
        assert.deepEqual(numbersOf(newest.turns), [4, 3]);
      },
    },
    {
      name: "a turn without a time gets that of the call",
      run: async ({ loci }) => {
        await begin(loci);
        await loci.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: "Now." }] });
        const { turns } = await loci.sessions.turns(key);
        assert.ok(Number.isSafeInteger(turns[0]?.at));
      },
    },
    {
      name: "the same turns again are answered again, and others are a conflict that says the last turn",
      run: async ({ loci }) => {
        await begin(loci);
        await loci.sessions.append(key, { expectedLast: 0, turns: turnsFrom(1, 3) });
        const again = await loci.sessions.append(key, { expectedLast: 0, turns: turnsFrom(1, 3) });
        assert.deepEqual(again, { firstTurn: 1, lastTurn: 3, replayed: true });
        await loci.sessions.append(key, { expectedLast: 3, turns: turnsFrom(4, 5) });
        const middle = await loci.sessions.append(key, { expectedLast: 1, turns: turnsFrom(2, 3) });
        assert.deepEqual(middle, { firstTurn: 2, lastTurn: 3, replayed: true });
        for (const request of [
          { expectedLast: 0, turns: [said(1, { content: "Something else." })] },
          { expectedLast: 3, turns: turnsFrom(4, 6) },
          { expectedLast: 9, turns: [said(10)] },
        ]) {
          const error = await refuses(loci.sessions.append(key, request), "TURN_CONFLICT");
          assert.equal(error.details?.["lastTurn"], "5");
        }
        assert.equal((await contentOf(loci)).length, 5);
      },
    },
    {
      name: "of two appends at once one wins, and the other learns where the session stands",
      run: async ({ loci }) => {
        await begin(loci);
        const calls = ["a", "b", "c", "d"].map((content) =>
          loci.sessions.append(key, { expectedLast: 0, turns: [said(1, { content }), said(2)] }),
        );
        const results = await Promise.allSettled(calls);
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        for (const [index, { status }] of results.entries())
          if (status === "rejected")
            assert.equal((await refuses(calls[index] as Promise<unknown>, "TURN_CONFLICT")).details?.["lastTurn"], "2");
        assert.equal((await contentOf(loci)).length, 2);
      },
    },
    {
      name: "what is remembered of turns is remembered with them, or neither",
      run: async ({ loci }) => {
        await begin(loci, { rememberTurns: true });
        const contents = ["The ferry is red.", "The ferry is blue.", "The ferry is green."];
        const calls = contents.map((content) =>
          loci.sessions.append(key, { expectedLast: 0, turns: [said(1, { content }), said(2, { content })] }),
        );
        const results = await Promise.allSettled(calls);
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        const [content = ""] = await contentOf(loci);
        const { memories } = await loci.memories.list({ scopes: [scope] });
        assert.deepEqual(memories.map(({ text }) => text).toSorted(), [`assistant: ${content}`, `user: ${content}`]);
        // What was forgotten of it does not come back with a repetition.
        const [first] = memories;
        assert.ok(first !== undefined);
        await loci.memories.forget(first.id);
        const again = await loci.sessions.append(key, {
          expectedLast: 0,
          turns: [said(1, { content }), said(2, { content })],
        });
        assert.equal(again.replayed, true);
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
      },
    },
    {
      name: "the same append sent several times at once is appended once and answered each time",
      run: async ({ loci }) => {
        await begin(loci);
        const request = { expectedLast: 0, turns: turnsFrom(1, 3) };
        const results = await Promise.all(Array.from({ length: 5 }, () => loci.sessions.append(key, request)));
        assert.deepEqual(
          results.map(({ firstTurn, lastTurn }) => [firstTurn, lastTurn]),
          Array.from({ length: 5 }, () => [1, 3]),
        );
        assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
        assert.equal((await contentOf(loci)).length, 3);
      },
    },
    {
      name: "a closed session takes no turns until it is opened again, but repetitions are answered",
      run: async ({ loci }) => {
        const { etag } = await begin(loci);
        await loci.sessions.append(key, { expectedLast: 0, turns: [said(1)] });
        await refuses(loci.sessions.close(key, { etag }), "VERSION_CONFLICT");
        const current = await loci.sessions.get(key);
        const closed = await loci.sessions.close(key, { etag: current.etag });
        assert.equal(closed.state, "closed");
        assert.deepEqual(await loci.sessions.close(key), closed);
        await refuses(loci.sessions.append(key, { expectedLast: 1, turns: [said(2)] }), "SESSION_CLOSED");
        const again = await loci.sessions.append(key, { expectedLast: 0, turns: [said(1)] });
        assert.equal(again.replayed, true);
        assert.equal((await loci.sessions.reopen(key)).state, "open");
        await loci.sessions.append(key, { expectedLast: 1, turns: [said(2)] });
        assert.deepEqual(await contentOf(loci), ["Turn 1.", "Turn 2."]);
      },
    },
    {
      name: "a deleted session is gone with its turns, and its id may begin anew",
      run: async ({ loci }) => {
        const { etag } = await begin(loci);
        await loci.sessions.append(key, { expectedLast: 0, turns: turnsFrom(1, 3) });
        await loci.sessions.turnState.markBlocked(key, "no key");
        await refuses(loci.sessions.delete(key, { etag }), "VERSION_CONFLICT");
        await loci.sessions.delete(key);
        await refuses(loci.sessions.get(key), "SESSION_NOT_FOUND");
        await refuses(loci.sessions.delete(key), "SESSION_NOT_FOUND");
        await begin(loci);
        assert.deepEqual(await contentOf(loci), []);
        assert.equal((await loci.sessions.turnState.load(key)).state.progress, "in_progress");
        await loci.sessions.append(key, { expectedLast: 0, turns: [said(1, { content: "Anew." })] });
        assert.deepEqual(await contentOf(loci), ["Anew."]);
      },
    },
    {
      name: "turns come in pages, by number and by size, from either end",
      run: async ({ loci }) => {
        await begin(loci);
        for (let last = 0; last < 30; last += 3)
          await loci.sessions.append(key, { expectedLast: last, turns: turnsFrom(last + 1, last + 3) });
        for (const order of ["oldestFirst", "newestFirst"] as const) {
          const numbers: number[] = [];
          let pages = 0;
          for (let pageToken: string | undefined; pages === 0 || pageToken !== undefined; pages++) {
            const page = await loci.sessions.turns(key, { first: 4, last: 27, order, pageSize: 7, pageToken });
            numbers.push(...numbersOf(page.turns));
            pageToken = page.nextPageToken;
          }
          const expected = Array.from({ length: 24 }, (_, index) => index + 4);
          assert.deepEqual(numbers, order === "oldestFirst" ? expected : expected.toReversed());
          assert.equal(pages, 4);
        }
        const { nextPageToken } = await loci.sessions.turns(key, { pageSize: 5 });
        const other = { order: "newestFirst", pageToken: nextPageToken } as const;
        await refuses(loci.sessions.turns(key, other), "INVALID_PAGE_TOKEN", "pageToken");
        await refuses(loci.sessions.turns(key, { pageToken: "x" }), "INVALID_PAGE_TOKEN", "pageToken");
        assert.deepEqual(numbersOf((await loci.sessions.turns(key, { first: 29 })).turns), [29, 30]);
        assert.deepEqual((await loci.sessions.turns(key, { first: 31 })).turns, []);
        const large = "x".repeat(250_000);
        const largeTurns = Array.from({ length: 12 }, () => said(1, { content: large }));
        for (let index = 0; index < 12; index += 3)
          await loci.sessions.append(key, { expectedLast: 30 + index, turns: largeTurns.slice(index, index + 3) });
        const page = await loci.sessions.turns(key, { first: 31, pageSize: 100 });
        assert.ok(page.turns.length < 12 && page.turns.length > 0, String(page.turns.length));
        assert.ok(page.nextPageToken !== undefined);
      },
    },
    {
      name: "sessions are listed by scope and state, a page at a time",
      run: async ({ loci }) => {
        for (let index = 0; index < 7; index++) await begin(loci, { id: `s-${index}` });
        await begin(loci, { scope: "user:bob" });
        await loci.sessions.close({ scope, id: "s-2" });
        await loci.sessions.close({ scope, id: "s-5" });
        await loci.sessions.delete({ scope, id: "s-6" });
        const idsOf = async (state?: "open" | "closed"): Promise<readonly string[]> => {
          const ids: string[] = [];
          for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
            const page = await loci.sessions.list({ scopes: [scope], state, pageSize: 2, pageToken });
            assert.ok(page.sessions.length <= 2);
            ids.push(...page.sessions.map(({ id }) => id));
            pageToken = page.nextPageToken;
          }
          return ids.toSorted();
        };
        assert.deepEqual(await idsOf(), ["s-0", "s-1", "s-2", "s-3", "s-4", "s-5"]);
        assert.deepEqual(await idsOf("open"), ["s-0", "s-1", "s-3", "s-4"]);
        assert.deepEqual(await idsOf("closed"), ["s-2", "s-5"]);
        assert.equal((await loci.sessions.list({ scopes: [scope, "user:bob"] })).sessions.length, 7);
        await refuses(loci.sessions.list({ scopes: [] }), "SCOPE_REQUIRED", "scopes");
      },
    },
    {
      name: "secrets are not kept in turns, unless the session keeps them",
      run: async ({ loci }) => {
        await begin(loci);
        await begin(loci, { id: "kept", keepSecrets: true });
        const title = "Pay with 4539 5787 6362 1486";
        assert.equal((await begin(loci, { id: "titled", title })).title, "Pay with [redacted: card]");
        const content = "My card is 4539 5787 6362 1486 and my mail ann@corp-mail.com.";
        const turns = [said(1, { content })];
        await loci.sessions.append(key, { expectedLast: 0, turns });
        assert.deepEqual(await contentOf(loci), ["My card is [redacted: card] and my mail ann@corp-mail.com."]);
        assert.equal((await loci.sessions.append(key, { expectedLast: 0, turns })).replayed, true);
        const kept = { scope, id: "kept" } as const;
        await loci.sessions.append(kept, { expectedLast: 0, turns });
        assert.equal((await loci.sessions.turns(kept)).turns[0]?.content, content);
      },
    },
    {
      name: "a session with rememberTurns makes memories of what users and assistants say, once",
      run: async ({ loci }) => {
        await begin(loci, { rememberTurns: true });
        const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } } as const;
        const turns: readonly TurnInput[] = [
          said(1, { content: "The ferry to Oslo leaves at nine.", name: "Ann" }),
          said(2, { content: "", toolCalls: [call] }),
          { role: "tool", content: "A result", toolCallId: "c" },
          said(4, { content: "It takes two hours." }),
          said(5, { content: "From memory.", recalled: true }),
          said(6, { content: "x".repeat(70_000) }),
        ];
        await loci.sessions.append(key, { expectedLast: 0, turns });
        await loci.sessions.append(key, { expectedLast: 0, turns });
        const { memories } = await loci.memories.list({ scopes: [scope] });
        assert.deepEqual(memories.map(({ text }) => text).toSorted(), [
          "Ann: The ferry to Oslo leaves at nine.",
          "assistant: It takes two hours.",
        ]);
        assert.deepEqual(
          memories.map(({ provenance, origin }) => [provenance?.sourceId, origin]),
          Array.from({ length: 2 }, () => ["conversation:s-1", "import"]),
        );
      },
    },
    {
      name: "turns that cannot be kept are refused, none of them appended",
      run: async ({ loci }) => {
        await begin(loci);
        const append = (turns: readonly TurnInput[], expectedLast = 0): Promise<unknown> =>
          loci.sessions.append(key, { expectedLast, turns });
        await refuses(append([]), "INVALID_REQUEST", "turns");
        await refuses(append(turnsFrom(1, 101)), "INVALID_REQUEST", "turns");
        await refuses(append([said(1), said(2, { content: "x".repeat(262_145) })]), "TEXT_TOO_LARGE", "turns[1]");
        await refuses(append([said(1)], -1), "INVALID_NUMBER", "expectedLast");
        const result = { role: "tool", content: "42", toolCallId: "nobody's" } as const;
        const error = await refuses(append([said(1), result]), "INVALID_MESSAGES", "turns[1].toolCallId");
        assert.equal(error.details?.["turn"], "1");
        const unknown = { ...said(1), speaker: "Ann" } as TurnInput;
        await refuses(append([unknown]), "INVALID_REQUEST", "turns[0].speaker");
        assert.deepEqual(await contentOf(loci), []);
        await append([said(1, { content: "x".repeat(262_144) })]);
      },
    },
    {
      name: "sessions are refused with the field that is wrong",
      run: async ({ loci }) => {
        await refuses(begin(loci, { id: "x".repeat(188) }), "INVALID_IDENTIFIER", "id");
        await refuses(begin(loci, { id: "" }), "INVALID_IDENTIFIER", "id");
        await refuses(begin(loci, { agent: "agent:coach" }), "INVALID_IDENTIFIER", "agent");
        await refuses(begin(loci, { project: "project:loci" }), "INVALID_IDENTIFIER", "project");
        await refuses(begin(loci, { title: " " }), "INVALID_TEXT", "title");
        await refuses(begin(loci, { capture: { everyTurns: 0 } }), "INVALID_NUMBER", "capture.everyTurns");
        const scoped = { ...key, scope: "nobody" } as unknown as SessionInput;
        await refuses(loci.sessions.create(scoped), "INVALID_SCOPE", "scope");
        await refuses(loci.sessions.turns(key, { pageSize: 1_001 }), "INVALID_NUMBER", "pageSize");
      },
    },
    {
      name: "a session is nobody's outside the scopes and the roles of a credential",
      run: async ({ loci, as }) => {
        await begin(loci);
        await loci.sessions.append(key, { expectedLast: 0, turns: [said(1)] });
        const stranger = await as({ scopePatterns: ["user:bob"] });
        for (const call of [
          () => stranger.sessions.get(key),
          () => stranger.sessions.turns(key),
          () => stranger.sessions.close(key),
          () => stranger.sessions.delete(key),
          () => stranger.sessions.append(key, { expectedLast: 1, turns: [said(2)] }),
          () => stranger.sessions.list({ scopes: [scope] }),
          () => stranger.sessions.turnState.load(key),
          () => stranger.sessions.dailyLog({ scope, date: "2026-01-01" }),
          () => stranger.sessions.create({ ...key, id: "new" }),
        ])
          await refuses(call(), "SCOPE_NOT_PERMITTED");
        const reader = await as({ roles: ["read"] });
        assert.equal((await reader.sessions.turns(key)).turns.length, 1);
        await refuses(reader.sessions.close(key), "ROLE_REQUIRED");
        await refuses(reader.sessions.append(key, { expectedLast: 1, turns: [said(2)] }), "ROLE_REQUIRED");
        const writer = await as({ roles: ["write"] });
        await refuses(writer.sessions.turns(key), "ROLE_REQUIRED");
        const other = await as({ tenant: tenantId("umbrella") });
        await refuses(other.sessions.get(key), "SESSION_NOT_FOUND");
        assert.deepEqual((await other.sessions.list({ scopes: [scope] })).sessions, []);
      },
    },
    {
      name: "the log of a day tells what was talked about, in a time zone",
      run: async ({ loci }) => {
        const day = Date.UTC(2026, 2, 31);
        await begin(loci, { title: "Ferries\nto Oslo" });
        await begin(loci, { id: "s-2" });
        const at = (hours: number): Partial<TurnInput> => ({ at: day + hours * 3_600_000 });
        await loci.sessions.append(key, {
          expectedLast: 0,
          turns: [said(1, at(-5)), said(2, at(9)), said(3, at(9.5))],
        });
        await loci.sessions.append(key, { expectedLast: 3, turns: [said(4, at(23.5))] });
        await loci.sessions.append({ scope, id: "s-2" }, { expectedLast: 0, turns: [said(1, at(8))] });
        const date = "2026-03-31";
        assert.equal(
          await loci.sessions.dailyLog({ scope, date }),
          "- 08:00 s-2: 1 turn\n- 09:00–23:30 Ferries to Oslo: 3 turns\n",
        );
        assert.equal(
          await loci.sessions.dailyLog({ scope, date, timeZone: "Europe/Berlin" }),
          "- 10:00 s-2: 1 turn\n- 11:00–11:30 Ferries to Oslo: 2 turns\n",
        );
        assert.equal(await loci.sessions.dailyLog({ scope, date: "2026-04-02" }), "");
        await refuses(loci.sessions.dailyLog({ scope, date: "2026-02-30" }), "INVALID_REQUEST", "date");
        await refuses(loci.sessions.dailyLog({ scope, date, timeZone: "Mars" }), "INVALID_REQUEST", "timeZone");
      },
    },
  ],
};
