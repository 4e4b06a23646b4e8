import { LociError } from "@loci/domain";
import { type AgentInputItem, MemorySession, type SessionHistoryTransaction } from "@openai/agents-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LociSession } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const opened = openedLoci();
let made = 0;

function newSession(keepSecrets = false): LociSession {
  return new LociSession({ loci: opened.loci, scope: "user:ann", id: `chat-${++made}`, keepSecrets });
}

/** The same history, as another process finds it. */
function sameSession({ key }: LociSession): LociSession {
  const id = key.id.slice(0, key.id.indexOf(":"));
  return new LociSession({ loci: opened.loci, scope: "user:ann", id });
}

function said(content: string): AgentInputItem {
  return { type: "message", role: "user", content };
}

const everyKind: AgentInputItem[] = [
  said('Where do I live?\nSay it in one "word".'),
  {
    role: "user",
    content: [
      { type: "input_text", text: "And this?" },
      { type: "input_image", image: `data:image/png;base64,${"iVBOR".repeat(80_000)}` },
    ],
  },
  {
    type: "reasoning",
    id: "rs_1",
    content: [{ type: "input_text", text: "She lives\nin Oslo." }],
    providerData: { encrypted_content: "gAAA" },
  },
  { type: "function_call", callId: "call_1", name: "weather", arguments: '{"city":"Oslo"}', status: "completed" },
  {
    type: "function_call_result",
    callId: "call_1",
    name: "weather",
    status: "completed",
    output: { type: "text", text: "4 °C\n" },
  },
  {
    type: "hosted_tool_call",
    name: "web_search_call",
    id: "ws_1",
    status: "completed",
    providerData: { query: ["a", 1, null, { deep: true }] },
  },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Oslo.", providerData: { annotations: [] } }],
  },
  {
    type: "unknown",
    providerData: {
      $turn: 1,
      places: [["x"]],
      "": "",
      "a.b\n": "\t",
      half: "\ud800",
      nul: "\0",
      separator: "\n\u001e\n\u001e001e\ude00\ud83d",
    },
  },
  { role: "system", content: "Answer briefly." },
];

describe("a session", () => {
  test("gives items back as they went in", async () => {
    const session = newSession();
    await session.addItems(everyKind.slice(0, 4));
    await session.addItems(everyKind.slice(4));
    expect(JSON.stringify(await sameSession(session).getItems())).toBe(JSON.stringify(everyKind));
    expect(await session.getSessionId()).toBe("chat-1");
  });

  test("gives back whatever JSON holds", async () => {
    const session = newSession(true);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), { maxLength: 4 }),
        async (values) => {
          const items = values.map((value): AgentInputItem => ({ type: "unknown", providerData: { value } }));
          await session.clearSession();
          await session.addItems(items);
          expect(JSON.stringify(await session.getItems())).toBe(JSON.stringify(items));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("has a name for a key that is __proto__", async () => {
    const session = newSession();
    const item = JSON.parse('{"type":"unknown","providerData":{"__proto__":{"said":"a\\nb"}}}') as AgentInputItem;
    await session.addItems([item]);
    expect(JSON.stringify(await session.getItems())).toBe(JSON.stringify([item]));
    expect(({} as { said?: string }).said).toBeUndefined();
  });

  test("is empty before anything is said, and is not begun by being read", async () => {
    const session = newSession();
    expect(await session.getItems()).toEqual([]);
    expect(await session.popItem()).toBeUndefined();
    await session.clearSession();
    await session.addItems([]);
    await expect(opened.loci.sessions.get(session.key)).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
  });

  test("loses nothing of what is removed", async () => {
    const session = newSession();
    await session.addItems([said("One."), said("Two.")]);
    expect(await session.popItem()).toEqual(said("Two."));
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    const { turns } = await opened.loci.sessions.turns(session.key);
    expect(turns.map(({ content }) => content).join(" ")).toMatch(/One\..*Two\./);
    await session.addItems([said("Three.")]);
    expect(await sameSession(session).getItems()).toEqual([said("Three.")]);
  });

  test("keeps no secret, however it is written", async () => {
    const session = newSession();
    const key =
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----";
    const call: AgentInputItem = {
      type: "function_call",
      callId: "c",
      name: "sign",
      status: "completed",
      arguments: JSON.stringify({ "api key": "sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCDEFGHIJ" }),
    };
    await session.addItems([said(`${key}\n\u001e\0\ud800`), said("password: hunter2secret"), call]);
    const kept = await session.getItems();
    expect(kept).toEqual([
      said("[redacted: private_key]\n\u001e\0\ud800"),
      said("password: [redacted: password]"),
      { ...call, arguments: '{"api key":"[redacted: api_key]"}' },
    ]);
    const open = newSession(true);
    await open.addItems([said(key)]);
    expect(await open.getItems()).toEqual([said(key)]);
  });

  test("gives back all of a history in which a number looks like that of a card", async () => {
    const session = newSession();
    const paid: AgentInputItem = { ...said("Paid."), providerData: { trace: 4300570515923382, seen: 3 } };
    await session.addItems([said("One."), paid]);
    expect(await session.getItems()).toEqual([
      said("One."),
      { ...paid, providerData: { trace: "[redacted: card]", seen: 3 } },
    ]);
    const open = newSession(true);
    await open.addItems([paid]);
    expect(await open.getItems()).toEqual([paid]);
  });

  test("leaves an image whole in which something looks like a key", async () => {
    const session = newSession();
    const image = `data:image/png;base64,${"ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6".repeat(40)}`;
    const shown: AgentInputItem = { role: "user", content: [{ type: "input_image", image }] };
    await session.addItems([shown]);
    expect(await session.getItems()).toEqual([shown]);
  });

  test("refuses what JSON cannot hold, and says where", async () => {
    const session = newSession();
    const item = { type: "unknown", providerData: { image: new Uint8Array(3) } } as AgentInputItem;
    await expect(session.addItems([said("Look:"), item])).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      field: "items.1.providerData.image",
    });
    expect(await session.getItems()).toEqual([]);
  });

  test("keeps large items in one step", async () => {
    const session = newSession();
    const large = [said("é\n".repeat(600_000)), said("😀".repeat(100_001))];
    await session.addItems(large);
    expect(await session.getItems()).toEqual(large);
    await expect(session.addItems([said("x".repeat(9_000_000))])).rejects.toMatchObject({ reason: "TEXT_TOO_LARGE" });
  });

  test("is added to by several at once", async () => {
    const session = newSession();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => sameSession(session).addItems([said(`${index}`), said("yes")])),
    );
    const items = await session.getItems();
    expect(items.filter((_, index) => index % 2 === 1)).toEqual(Array.from({ length: 12 }, () => said("yes")));
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(13);
  });

  test("adds and removes once what is asked again as the answer was lost", async () => {
    const { sessions } = opened.loci;
    let losses = 0;
    const losing = {
      ...opened.loci,
      sessions: new Proxy(sessions, {
        get: (target, name) =>
          name === "append"
            ? async (...given: Parameters<typeof sessions.append>) => {
                const appended = await sessions.append(...given);
                if (losses-- > 0) throw new LociError("SERVER_UNAVAILABLE", { message: "The connection was lost." });
                return appended;
              }
            : (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target),
      }),
    };
    const session = new LociSession({ loci: losing, scope: "user:ann", id: `chat-${++made}` });
    const lost = { code: "UNAVAILABLE" };
    losses = 1;
    await expect(session.addItems([said("Hello.")])).rejects.toMatchObject(lost);
    await session.addItems([said("Hello.")]);
    expect(await session.getItems()).toEqual([said("Hello.")]);
    await session.addItems([said("Hello.")]);
    expect(await session.getItems()).toHaveLength(2);
    losses = 1;
    await expect(session.popItem()).rejects.toMatchObject(lost);
    expect(await session.popItem()).toEqual(said("Hello."));
    expect(await session.getItems()).toHaveLength(1);
    losses = 1;
    await expect(session.popItem()).rejects.toMatchObject(lost);
    expect(await session.popItem()).toEqual(said("Hello."));
    expect(await session.popItem()).toBeUndefined();
  });

  test("is read in pages, and no further than where it was cleared", async () => {
    const session = newSession();
    await session.addItems([said("One.")]);
    await others(1_100);
    await session.addItems([said("Two.")]);
    expect(await session.getItems()).toEqual([said("One."), said("Two.")]);
    await session.clearSession();
    await session.addItems([said("Three.")]);
    const { sessions } = opened.loci;
    let pages = 0;
    const counting = new Proxy(sessions, {
      get: (target, name) => {
        if (name === "turns") pages++;
        return (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
      },
    });
    const again = new LociSession({
      loci: { ...opened.loci, sessions: counting },
      scope: "user:ann",
      id: `chat-${made}`,
    });
    expect(await again.getItems()).toEqual([said("Three.")]);
    expect(pages).toBe(1);

    async function others(count: number): Promise<void> {
      const turns = Array.from({ length: 100 }, () => ({ role: "user" as const, content: "Not mine." }));
      for (let added = 0; added < count; added += 100) {
        const { lastTurn } = await opened.loci.sessions.get(session.key);
        await opened.loci.sessions.append(session.key, { expectedLast: lastTurn, turns });
      }
    }
  });

  test("goes on in a session that others write to as well", async () => {
    const session = newSession();
    await session.addItems([said("One.")]);
    const { lastTurn } = await opened.loci.sessions.get(session.key);
    await opened.loci.sessions.append(session.key, {
      expectedLast: lastTurn,
      turns: [{ role: "user", content: "Not mine." }],
    });
    await session.addItems([said("Two.")]);
    expect(await session.getItems()).toEqual([said("One."), said("Two.")]);
  });
});

describe("a transaction", () => {
  const append = (...items: AgentInputItem[]): SessionHistoryTransaction => ({ type: "append_items", items });

  test("is made once, whoever repeats it", async () => {
    const session = newSession();
    const args = { operationId: "op-1", transaction: append(said("One.")) };
    await session.applyHistoryTransaction(args);
    await Promise.all([session.applyHistoryTransaction(args), sameSession(session).applyHistoryTransaction(args)]);
    expect(await session.getItems()).toEqual([said("One.")]);
  });

  test("is made once when it is raced", async () => {
    const session = newSession();
    const args = { operationId: "op-1", transaction: append(said("One.")) };
    await Promise.all(Array.from({ length: 8 }, () => sameSession(session).applyHistoryTransaction(args)));
    expect(await session.getItems()).toEqual([said("One.")]);
  });

  test("fails under a name that another one has, and for another end", async () => {
    const session = newSession();
    await session.applyHistoryTransaction({ operationId: "op-1", transaction: append(said("One.")) });
    await expect(
      session.applyHistoryTransaction({ operationId: "op-1", transaction: append(said("Two.")) }),
    ).rejects.toMatchObject({ reason: "REQUEST_ID_REUSED" });
    const replace = { type: "replace_suffix" as const, expectedSuffix: [said("Two.")], replacement: [] };
    await expect(session.applyHistoryTransaction({ operationId: "op-2", transaction: replace })).rejects.toMatchObject({
      reason: "VERSION_CONFLICT",
    });
    expect(await session.getItems()).toEqual([said("One.")]);
  });

  test("may have the name of one from before the history was cleared", async () => {
    const session = newSession();
    await session.applyHistoryTransaction({ operationId: "op-1", transaction: append(said("One.")) });
    await session.clearSession();
    await session.applyHistoryTransaction({ operationId: "op-1", transaction: append(said("Two.")) });
    expect(await session.getItems()).toEqual([said("Two.")]);
  });

  test("knows an end again whose secret was taken out", async () => {
    const session = newSession();
    const secret = said("password: hunter2secret, and more");
    await session.addItems([said("One."), secret]);
    const transaction = { type: "replace_suffix" as const, expectedSuffix: [secret], replacement: [said("Blocked.")] };
    await session.applyHistoryTransaction({ operationId: "op", transaction });
    await session.applyHistoryTransaction({ operationId: "op", transaction });
    expect(await session.getItems()).toEqual([said("One."), said("Blocked.")]);
  });
});

test("a session does what the SDK's own one does", async () => {
  const text = fc.constantFrom("a", "b", "a\nb", "yes");
  const items = fc.array(
    fc.oneof(
      text.map(said),
      fc
        .record({ callId: fc.constantFrom("c1", "c2"), name: fc.constant("tool"), arguments: text })
        .map((call): AgentInputItem => ({ type: "function_call", status: "completed", ...call })),
    ),
    { maxLength: 3 },
  );
  const step = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), items }),
    fc.record({ kind: fc.constant("pop" as const) }),
    fc.record({ kind: fc.constant("clear" as const) }),
    fc.record({ kind: fc.constant("mutate" as const), callId: fc.constantFrom("c1", "c2"), text }),
    fc.record({ kind: fc.constant("append" as const), operationId: fc.constantFrom("o1", "o2", "o3"), items }),
    fc.record({
      kind: fc.constant("replace" as const),
      operationId: fc.constantFrom("o1", "o2", "o3"),
      items,
      suffix: fc.nat(3),
      fits: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("get" as const), limit: fc.integer({ min: -1, max: 5 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const [theirs, ours] = [new MemorySession(), newSession()];
      for (const each of steps) {
        const now = await theirs.getItems();
        const [wanted, got] = await Promise.all([theirs, ours].map((session) => outcomeOf(session, each, now)));
        expect(got).toEqual(wanted);
        expect(await ours.getItems()).toEqual(await theirs.getItems());
      }
    }),
    { numRuns: 40 },
  );

  async function outcomeOf(
    session: MemorySession | LociSession,
    each: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
    now: AgentInputItem[],
  ): Promise<unknown> {
    switch (each.kind) {
      case "add":
        return session.addItems(each.items);
      case "pop":
        return session.popItem();
      case "clear":
        return session.clearSession();
      case "get":
        return session.getItems(each.limit);
      case "mutate": {
        const replacement = {
          type: "function_call" as const,
          status: "completed" as const,
          callId: each.callId,
          name: "tool",
          arguments: each.text,
        };
        return session.applyHistoryMutations({
          mutations: [{ type: "replace_function_call", callId: each.callId, replacement }],
        });
      }
      case "append":
      case "replace": {
        const { operationId, items } = each;
        const transaction: SessionHistoryTransaction =
          each.kind === "append"
            ? { type: "append_items", items }
            : {
                type: "replace_suffix",
                expectedSuffix: each.fits ? now.slice(-each.suffix || now.length) : [said("no")],
                replacement: items,
              };
        return session.applyHistoryTransaction({ operationId, transaction }).then(
          () => "done",
          () => "refused",
        );
      }
    }
  }
});
