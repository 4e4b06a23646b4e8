import assert from "node:assert/strict";
import {
  type AssembledContext,
  type AssembleRequest,
  type ChatMessage,
  type Loci,
  LociError,
  type TurnInput,
} from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const session = { scope, id: "chat" } as const;
const now = 1_800_000_000_000;

/** A conversation with a tool call in every third answer, as turns and as messages. */
function conversation(exchanges: number): readonly { readonly turn: TurnInput; readonly message: ChatMessage }[] {
  return Array.from({ length: exchanges }, (_, index) => {
    const at = now + index;
    const question = `Question ${index}: how do we deploy the orchard service? ${"word ".repeat(20)}`;
    const answer = `We decided on plan ${index}, and deploy on Thursdays.`;
    const calls = [
      { id: `call-${index}`, type: "function", function: { name: "search", arguments: `{"n":${index}}` } },
    ] as const;
    const withTool =
      index % 3 !== 2
        ? []
        : [
            {
              turn: { role: "assistant", content: "", toolCalls: calls, at },
              message: { role: "assistant", content: "", tool_calls: calls },
            } as const,
            {
              turn: { role: "tool", content: `result ${index}`, toolCallId: `call-${index}`, at },
              message: { role: "tool", content: `result ${index}`, tool_call_id: `call-${index}` },
            } as const,
          ];
    return [
      { turn: { role: "user", content: question, at }, message: { role: "user", content: question } } as const,
      ...withTool,
      { turn: { role: "assistant", content: answer, at }, message: { role: "assistant", content: answer } } as const,
    ];
  }).flat();
}

function bytesOf({ text, messages, sections, receipt, usage, cache }: AssembledContext): string {
  return JSON.stringify([text, messages, sections, receipt, usage, cache]);
}

async function begun(loci: Loci, turns: readonly TurnInput[]): Promise<void> {
  await loci.sessions.create(session);
  await loci.sessions.append(session, { expectedLast: 0, turns });
}

/** What every Loci makes of a session in a context. */
export const sessionContextCases: BehaviourFile = {
  covers: ["sessions.appendAndAssemble", "assemble"],
  cases: [
    {
      name: "a context of a session is that of its turns as messages, byte for byte, at every length",
      run: async ({ loci }) => {
        await loci.sessions.create(session);
        const said = conversation(24);
        const request: AssembleRequest = {
          system: "You help with deploys.",
          query: "What now?",
          window: { scaleTo: 2_000 },
          evaluationTime: now,
        };
        for (let last = 0; last < said.length; last += 7) {
          const next = said.slice(last, last + 7);
          await loci.sessions.append(session, { expectedLast: last, turns: next.map(({ turn }) => turn) });
          const messages = said.slice(0, last + next.length).map(({ message }) => message);
          for (const layout of ["memoryBlocks", "threeTier"] as const) {
            const given = layout === "threeTier" ? { ...request, system: undefined } : request;
            const ofSession = await loci.assemble({ ...given, layout, session });
            assert.equal(bytesOf(ofSession), bytesOf(await loci.assemble({ ...given, layout, messages })));
          }
        }
      },
    },
    {
      name: "the question of a session is its latest turn of the user, unless there is a query",
      run: async ({ loci }) => {
        await begun(loci, [
          { role: "user", content: "Hello." },
          { role: "assistant", content: "Hello, Alice." },
          { role: "user", content: "When do we deploy?" },
        ]);
        const { text } = await loci.assemble({ session, evaluationTime: now });
        assert.match(text, /<query>\nWhen do we deploy\?\n<\/query>$/);
        const asked = await loci.assemble({ session, query: "And where?", evaluationTime: now });
        assert.match(asked.text, /When do we deploy\?[^]*<query>\nAnd where\?\n<\/query>$/);
      },
    },
    {
      name: "the turn state of a session is the task, until one is given",
      run: async ({ loci }) => {
        await begun(loci, [{ role: "user", content: "Go on." }]);
        const taskOf = async (request: Partial<AssembleRequest> = {}): Promise<string | undefined> => {
          const { sections } = await loci.assemble({ session, evaluationTime: now, ...request });
          return sections.find(({ name }) => name === "task")?.content;
        };
        assert.equal(await taskOf(), undefined);
        const { state } = await loci.sessions.turnState.load(session);
        await loci.sessions.turnState.save(session, { ...state, taskDescription: "Ship </task> the release" });
        assert.match((await taskOf()) ?? "", /Task: Ship &lt;\/task> the release/);
        assert.equal(await taskOf({ task: "Write the report." }), "Write the report.");
        const { receipt } = await loci.assemble({ session, evaluationTime: now });
        const item = receipt.items.find(({ kind }) => kind === "turnState");
        assert.deepEqual([item?.id, item?.section, item?.outcome], ["turnState", "task", "kept"]);
      },
    },
    {
      name: "what was talked about in a session's scope this week stands in a layout with days, unless days are given",
      run: async ({ loci }) => {
        const hour = 3_600_000;
        const midnight = Math.floor(now / (24 * hour)) * 24 * hour;
        const spoken = (days: number): TurnInput => ({
          role: "user",
          content: "Hello.",
          at: midnight - days * 24 * hour,
        });
        await loci.sessions.create({ ...session, title: "Ferries <to> Oslo" });
        await loci.sessions.create({ scope, id: "older" });
        await loci.sessions.create({ scope: "user:bob", id: "foreign" });
        await loci.sessions.append({ scope: "user:bob", id: "foreign" }, { expectedLast: 0, turns: [spoken(0)] });
        await loci.sessions.append(
          { scope, id: "older" },
          { expectedLast: 0, turns: [spoken(7), spoken(6), spoken(1)] },
        );
        await loci.sessions.append(session, { expectedLast: 0, turns: [spoken(0)] });
        const recent = async (request: Partial<AssembleRequest> = {}): Promise<string | undefined> => {
          const layout = "layeredFiles";
          const { sections } = await loci.assemble({ session, layout, evaluationTime: midnight + hour, ...request });
          return sections.find(({ name }) => name === "recent-activity")?.content;
        };
        const dateOf = (days: number): string => new Date(midnight - days * 24 * hour).toISOString().slice(0, 10);
        const today = (turns: string): string => `### ${dateOf(0)}\n- 00:00 Ferries &lt;to> Oslo: ${turns}`;
        const earlier = [1, 6].map((days) => `\n\n### ${dateOf(days)}\n- 00:00 older: 1 turn`).join("");
        const shown = await recent();
        assert.equal(shown, today("1 turn") + earlier);
        await loci.sessions.append(session, { expectedLast: 1, turns: [spoken(0)] });
        assert.match((await recent()) ?? "", /: 2 turns\n/);
        await loci.sessions.delete({ scope, id: "older" });
        assert.doesNotMatch((await recent()) ?? "", /older/);
        // Of a time that has passed nothing is shown that was said later.
        assert.equal(await recent({ evaluationTime: midnight - 1 }), undefined);
        assert.match((await recent({ files: { days: [] } })) ?? "", /: 2 turns$/);
        // Midnight is an hour earlier in Berlin, and what was said then on another day in Honolulu.
        assert.match((await recent({ timeZone: "Europe/Berlin" })) ?? "", /^### [-\d]+\n- 01:00 Ferries/);
        const inHonolulu = await recent({ timeZone: "Pacific/Honolulu" });
        assert.ok(inHonolulu?.startsWith(`### ${dateOf(1)}\n- 14:00 Ferries`), inHonolulu);
        await refuses(recent({ timeZone: "Mars" }), "INVALID_REQUEST", "timeZone");
        const files = { days: [{ date: "2026-01-01", text: "A quiet day." }] };
        assert.equal(await recent({ files }), "### 2026-01-01\nA quiet day.");
      },
    },
    {
      name: "a session that was deleted and begun again shows nothing of the one before",
      run: async ({ loci }) => {
        await begun(loci, [{ role: "user", content: "The canary sings." }]);
        assert.match((await loci.assemble({ session, evaluationTime: now })).text, /canary/);
        await loci.sessions.delete(session);
        await refuses(loci.assemble({ session, evaluationTime: now }), "SESSION_NOT_FOUND");
        await begun(loci, [{ role: "user", content: "Good morning." }]);
        const { text } = await loci.assemble({ session, evaluationTime: now });
        assert.match(text, /Good morning\./);
        assert.doesNotMatch(text, /canary/);
      },
    },
    {
      name: "a session is shown to those only who may read its scope, and not together with messages",
      run: async ({ loci, as }) => {
        await begun(loci, [{ role: "user", content: "A secret." }]);
        const other = await as({ scopePatterns: ["user:bob"] });
        await refuses(other.assemble({ session }), "SCOPE_NOT_PERMITTED");
        await refuses(other.assemble({ session: { ...session, id: "none" } }), "SCOPE_NOT_PERMITTED");
        const messages: readonly ChatMessage[] = [{ role: "user", content: "Hi" }];
        await refuses(loci.assemble({ session, messages }), "INVALID_REQUEST", "messages");
        await refuses(loci.assemble({ session: { scope, id: "" } }), "INVALID_IDENTIFIER");
        await refuses(loci.assemble({ session: { ...session, colour: 1 } as typeof session }), "INVALID_REQUEST");
      },
    },
    {
      name: "a session without a question is refused as a conversation without one is",
      run: async ({ loci }) => {
        await loci.sessions.create(session);
        await refuses(loci.assemble({ session }), "INVALID_TEXT", "query");
        const { text } = await loci.assemble({ session, query: "Who am I?", evaluationTime: now });
        assert.match(text, /No previous conversation\./);
      },
    },
    {
      name: "appending and assembling at once is the one and then the other, and can be repeated",
      run: async ({ loci, as }) => {
        await loci.sessions.create(session);
        const { sessions } = loci;
        const turns = { expectedLast: 0, turns: [{ role: "user", content: "When do we deploy?" }] } as const;
        const both = await sessions.appendAndAssemble(session, turns, { system: "Help.", evaluationTime: now });
        assert.deepEqual(both.appended, { firstTurn: 1, lastTurn: 1, replayed: false });
        const context = await loci.assemble({ session, system: "Help.", evaluationTime: now });
        assert.equal(bytesOf(both.context), bytesOf(context));
        const again = await sessions.appendAndAssemble(session, turns, { system: "Help.", evaluationTime: now });
        assert.deepEqual(again.appended, { firstTurn: 1, lastTurn: 1, replayed: true });
        assert.equal(bytesOf(again.context), bytesOf(context));
        const next = { expectedLast: 1, turns: [{ role: "assistant", content: "On Thursdays." }] } as const;
        await refuses(
          sessions.appendAndAssemble(session, next, { window: { preset: "9K" as "8K" } }),
          "INVALID_BUDGET",
        );
        assert.equal((await sessions.get(session)).lastTurn, 2);
        const other = { expectedLast: 2, turns: [{ role: "user", content: "And where?" }] } as const;
        await refuses(sessions.appendAndAssemble(session, other, { messages: [] } as object), "INVALID_REQUEST");
        await refuses(sessions.appendAndAssemble(session, other, { layout: "none" as "threeTier" }), "INVALID_LAYOUT");
        assert.equal((await sessions.get(session)).lastTurn, 2);
        const reader = await as({ roles: ["read"] });
        await refuses(reader.sessions.appendAndAssemble(session, other), "ROLE_REQUIRED");
      },
    },
    {
      name: "a session that is deleted while it is assembled is shown whole, or is not there",
      run: async ({ loci }) => {
        for (let round = 0; round < 8; round++) {
          const turns = Array.from({ length: 40 }, (_, number): TurnInput => ({
            role: "user",
            content: `Turn ${number}.`,
          }));
          await begun(loci, turns);
          const contexts = Array.from({ length: 3 }, async () =>
            loci.assemble({ session, query: "Now?", evaluationTime: now }).catch((error: unknown) => {
              if (LociError.is(error) && error.reason === "SESSION_NOT_FOUND") return undefined;
              throw error;
            }),
          );
          const [shown] = await Promise.all([Promise.all(contexts), loci.sessions.delete(session)]);
          for (const context of shown) assert.ok(context === undefined || context.text.includes("Turn 39."));
          await refuses(loci.assemble({ session, query: "Now?" }), "SESSION_NOT_FOUND");
        }
      },
    },
    {
      name: "two calls of one session at once each show what they were asked for",
      run: async ({ loci }) => {
        await begun(loci, [{ role: "user", content: "First." }]);
        const before = loci.assemble({ session, query: "Now?", evaluationTime: now });
        await before;
        const [, ...contexts] = await Promise.all([
          loci.sessions.append(session, { expectedLast: 1, turns: [{ role: "assistant", content: "Second." }] }),
          ...Array.from({ length: 8 }, () => loci.assemble({ session, query: "Now?", evaluationTime: now })),
        ]);
        const messages: readonly ChatMessage[] = [
          { role: "user", content: "First." },
          { role: "assistant", content: "Second." },
        ];
        const allowed = new Set<string>();
        for (const count of [1, 2])
          allowed.add(
            (await loci.assemble({ messages: messages.slice(0, count), query: "Now?", evaluationTime: now })).text,
          );
        for (const { text } of contexts) assert.ok(allowed.has(text));
        assert.match((await loci.assemble({ session, query: "Now?", evaluationTime: now })).text, /Second\./);
      },
    },
  ],
};
