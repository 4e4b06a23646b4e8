import type { ChatMessage } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assembleContext,
  type AssemblyInput,
  HistoryCache,
  planWindow,
  resolveModel,
  TokenCountCache,
} from "../../src/index.ts";
import { exampleInput, o200k, sha256 } from "../assembly/example-input.ts";

const texts = [
  "We decided to use Postgres 15. ".repeat(3),
  "Which cache should we take?",
  "Created src/auth/login.ts and fixed the test.",
  "What next?",
  "TODO: <b>write</b> the docs.",
  "",
] as const;
const someText = fc.constantFrom(...texts);

function call(content: string): readonly ChatMessage[] {
  return [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "edit", arguments: content } }],
    },
    { role: "tool", tool_call_id: "c", content },
  ];
}

const anyPart: fc.Arbitrary<readonly ChatMessage[]> = someText.chain((text) =>
  fc.constantFrom<readonly ChatMessage[]>(
    [{ role: "user", content: text }],
    [{ role: "assistant", content: text }],
    [{ role: "user", content: [{ type: "text", text }] }],
    call(text),
  ),
);

/** What happens to a session from one turn to the next. Parts go by position, from the end of the list around. */
type Edit =
  | { readonly kind: "said"; readonly part: readonly ChatMessage[] }
  | { readonly kind: "inserted" | "replaced"; readonly at: number; readonly part: readonly ChatMessage[] }
  | { readonly kind: "removed" | "cut" | "changed in place" | "made anew"; readonly at: number };

const at = fc.nat({ max: 40 });
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("said" as const), part: anyPart }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("inserted" as const, "replaced" as const), at, part: anyPart }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("removed" as const, "cut" as const, "changed in place" as const, "made anew" as const),
      at,
    }),
  },
);

/** Copies, so that what is changed in place belongs to one session. */
function copyOf(part: readonly ChatMessage[]): ChatMessage[] {
  return structuredClone([...part]);
}

function edited(parts: ChatMessage[][], edit: Edit): ChatMessage[][] {
  if (edit.kind === "said") return [...parts, copyOf(edit.part)];
  const place = parts.length === 0 ? 0 : edit.at % parts.length;
  switch (edit.kind) {
    case "inserted":
      return parts.toSpliced(place, 0, copyOf(edit.part));
    case "replaced":
      return parts.toSpliced(place, 1, copyOf(edit.part));
    case "removed":
      return parts.toSpliced(place, 1);
    case "cut":
      return parts.slice(0, place);
    case "made anew":
      return structuredClone(parts);
    case "changed in place": {
      const message = parts[place]?.at(-1) as { content?: string | { text: string }[] } | undefined;
      if (typeof message?.content === "string") message.content += " Changed.";
      else for (const part of message?.content ?? []) part.text += " Changed.";
      return parts;
    }
  }
}

const sessions = fc.record({
  start: fc.array(anyPart, { minLength: 1, maxLength: 12 }),
  edits: fc.array(anyEdit, { minLength: 1, maxLength: 10 }),
  turnNumbers: fc.boolean(),
  lastTurns: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  query: fc.constantFrom("What next?", "Something else."),
  historyTokens: fc.constantFrom(80, 200, 2000),
});

test("150 sessions that are edited anywhere come out the same, byte for byte, as without a cache", () => {
  const conversations = new HistoryCache({ maxLength: 60_000 });
  const counts = new TokenCountCache({ maxEntries: 50 });
  fc.assert(
    fc.property(sessions, ({ start, edits, query, historyTokens, ...history }) => {
      const overrides = { sections: { history: historyTokens }, scaleTo: 1500 };
      const fields: Partial<AssemblyInput> = {
        plan: planWindow({ resolved: resolveModel(undefined), overrides }),
        query,
        history,
      };
      let parts = start.map(copyOf);
      for (const edit of edits) {
        parts = edited(parts, edit);
        const input = exampleInput({ ...fields, messages: parts.flat() });
        const known = assembleContext({ ...input, conversations, counts });
        expect(JSON.stringify(known)).toBe(JSON.stringify(assembleContext(input)));
      }
    }),
    { numRuns: 150, seed: 20_261_122 },
  );
});

/** A message whose types do not keep anybody from changing it. */
interface Changeable {
  content?: unknown;
  readonly tool_calls?: readonly { readonly function: { name: string } }[];
}

describe("a conversation of 3,000 messages", () => {
  const said = Array.from({ length: 3_000 }, (_, index): ChatMessage => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `We decided on plan ${index}, whatever else is said about it here.`,
  }));

  /** Assembles it, and says which texts were counted. */
  function counted(messages: readonly ChatMessage[], conversations: HistoryCache): readonly string[] {
    const read: string[] = [];
    const count = (text: string): number => {
      read.push(text);
      return o200k.count(text);
    };
    const counter = {
      ...o200k,
      id: o200k.id,
      estimated: false,
      joinsAtLineStarts: true,
      count,
      fit: o200k.fit.bind(o200k),
    };
    assembleContext(exampleInput({ messages, conversations, counter, sha256 }));
    return read.filter((text) => text.includes("plan ") && !text.includes("Summary"));
  }

  test("is read once: a turn reads what is new in it, an edit what it changes", () => {
    const conversations = new HistoryCache();
    expect(counted(said, conversations).length).toBeGreaterThan(3_000);
    expect(counted(said, conversations)).toEqual([]);
    const next: ChatMessage = { role: "user", content: "And what of plan 3000?" };
    expect(counted([...said, next], conversations)).toHaveLength(2);
    const changed = said.with(1_500, { role: "user", content: "No more of plan 1500." });
    expect(counted(changed, conversations)).toHaveLength(2);
    // By what they say, not by what objects they are.
    expect(counted(structuredClone(said), conversations)).toEqual([]);
  });

  test("has a receipt no longer than that of a short one, which speaks of every message", () => {
    const receiptOf = (messages: readonly ChatMessage[]) => assembleContext(exampleInput({ messages })).receipt.items;
    const items = receiptOf(said);
    expect(items.length).toBeLessThanOrEqual(receiptOf(said.slice(-400)).length + 1);
    const [older] = items.filter(({ reason }) => reason === "SUMMARIZED");
    expect(older).toMatchObject({ id: `messages:0-${Number(older?.count) - 1}`, outcome: "dropped", tokens: 0 });
    const messages = items.filter(({ kind }) => kind === "message");
    expect(messages.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(3_000);
  });

  test("stays the caller's: changing what was given, or what was returned, changes nothing that is known", () => {
    const conversations = new HistoryCache();
    const calls = [...structuredClone(said.slice(0, 4)), ...call("{}")];
    const input = exampleInput({ messages: calls, conversations, query: "Else?" });
    const first = assembleContext(input);
    const before = JSON.stringify(first);
    for (const message of first.messages as readonly Changeable[]) {
      message.content = "Overwritten.";
      for (const { function: called } of message.tool_calls ?? []) called.name = "overwritten";
    }
    expect(JSON.stringify(assembleContext(input))).toBe(before);
  });
});

describe("what is kept", () => {
  const session = (name: string, length: number): ChatMessage[] => [
    { role: "system", content: "You are terse." },
    ...Array.from({ length }, (_, index): ChatMessage => ({ role: "user", content: `${name} ${index}` })),
  ];

  test("is bounded: the longest unused conversation goes first, one that is too large alone", () => {
    // Three of ten messages, of about 320 each.
    const cache = new HistoryCache({ maxLength: 11_000 });
    for (const name of ["a", "b", "c"]) cache.recognise(session(name, 10));
    expect(cache.beginningOf(session("a", 10))).toHaveLength(11);
    cache.recognise(session("a", 11));
    cache.recognise(session("d", 10));
    expect(["a", "b", "c", "d"].map((name) => cache.beginningOf(session(name, 10)).length)).toEqual([11, 0, 11, 11]);
    cache.recognise(session("e", 100));
    expect(["a", "c", "d", "e"].map((name) => cache.beginningOf(session(name, 10)).length)).toEqual([11, 11, 11, 0]);
  });

  test("is each of 64 conversations that begin with the same words", () => {
    const cache = new HistoryCache();
    const fork = (number: number): ChatMessage[] => [
      ...session("same", 3),
      ...Array.from({ length: 20 }, (): ChatMessage => ({ role: "user", content: `fork ${number}` })),
    ];
    for (let number = 0; number < 70; number++) cache.recognise(fork(number));
    const known = Array.from({ length: 70 }, (_, number) => cache.beginningOf(fork(number)).length === 24);
    expect(known.filter(Boolean)).toHaveLength(64);
    expect(known.lastIndexOf(false)).toBe(5);
  });

  test("is nothing of a conversation that is refused", () => {
    const cache = new HistoryCache();
    const messages = session("a", 3);
    cache.recognise(messages);
    const bad: ChatMessage[] = [...messages.slice(0, 3), { role: "tool", content: "x", tool_call_id: "none" }];
    expect(() => cache.recognise(bad)).toThrow(expect.objectContaining({ reason: "INVALID_MESSAGES" }));
    expect(cache.beginningOf(messages)).toHaveLength(4);
  });

  test("is nothing of what is no message", () => {
    const cache = new HistoryCache();
    cache.recognise([{ role: "user", content: "a" }]);
    class Message {
      readonly role = "user";
      readonly content = "a";
    }
    const wrong: readonly unknown[] = [null, undefined, "a", 7, [], {}, new Message()];
    for (const one of wrong) expect(cache.beginningOf([one as ChatMessage])).toEqual([]);
    for (const list of wrong) expect(cache.beginningOf(list as ChatMessage[])).toEqual([]);
  });
});
