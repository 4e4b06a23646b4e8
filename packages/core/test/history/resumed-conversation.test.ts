import { createHash } from "node:crypto";
import { type ChatMessage, LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assembleContext,
  type AssemblyInput,
  type ConversationBeginning,
  conversationReadingOf,
  HistoryCache,
  KnownConversation,
  mostHistoryTokens,
  type OutlinedMessage,
  type ReadBeginning,
  readDigest,
  readOutline,
} from "../../src/index.ts";
import { allSteps } from "../../src/recall/steps.ts";
import { anyAssembly, message } from "../assembly/any-assembly.ts";
import { exampleInput } from "../assembly/example-input.ts";
import { propertyRuns } from "../property-runs.ts";

const length = 3;
const conversations = fc.array(message, { minLength: 12, maxLength: 40 }).map((parts) => parts.flat());

function beginningsOf(input: AssemblyInput, messages: readonly ChatMessage[]): readonly ReadBeginning[] {
  const known = new KnownConversation();
  known.append(messages);
  assembleContext({ ...input, messages, conversation: known });
  return allSteps(known.beginnings(conversationReadingOf(input), 0, length));
}

/** A window may be too small for what must stand in it. */
function isRefused(input: AssemblyInput): boolean {
  try {
    assembleContext(input);
    return false;
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return true;
  }
}

/** What is known of all messages up to one of the beginnings. */
function beginningUpTo(input: AssemblyInput, found: readonly ReadBeginning[], place: number): ConversationBeginning {
  const digest = readDigest(found[place]?.state ?? "");
  if (digest === undefined) throw new Error("No digest.");
  return { key: conversationReadingOf(input), messages: outlined(found.slice(0, place + 1)), digest };
}

function outlined(found: readonly ReadBeginning[]): readonly OutlinedMessage[] {
  return found.flatMap(({ outline }) => readOutline(outline) ?? []);
}

describe("a conversation whose beginning is not there", () => {
  test("gives the context that all of its messages give, as far back as the window goes", () => {
    let resumed = 0;
    fc.assert(
      fc.property(anyAssembly(), conversations, (assembly, messages) => {
        const input: AssemblyInput = { ...assembly, messages };
        if (isRefused(input)) return;
        const found = beginningsOf(input, messages);
        const roles = outlined(found).map(({ role }) => role);
        expect(roles).toEqual(messages.slice(0, found.at(-1)?.through ?? 0).map(({ role }) => role));
        for (const place of found.keys()) {
          const { through } = found[place] as ReadBeginning;
          const behind = outlined(found.slice(place + 1));
          // Where it is the query, the user's latest message leaves its room to others.
          const latest = behind.findLastIndex(({ role }) => role === "user");
          const least = behind.map((one) => one.leastTokens ?? one.tokens);
          const tokens = least.reduce((sum, one, index) => sum + (index === latest ? 0 : one), 0);
          const users = behind.filter(({ role }) => role === "user").length;
          if (tokens < mostHistoryTokens(input.plan) || users < 2) continue;
          const conversation = new KnownConversation(beginningUpTo(input, found, place));
          conversation.append(messages.slice(through));
          resumed++;
          expect(conversation.unread).toBe(through);
          const known = { ...input, messages: conversation.messages, conversation };
          expect(assembleContext({ ...known, conversations: new HistoryCache() })).toEqual(assembleContext(input));
          // It goes on being kept as if it were there.
          const later = conversation.beginnings(conversationReadingOf(input), through, length);
          expect(allSteps(later)).toEqual(found.slice(place + 1));
        }
      }),
      { numRuns: propertyRuns(150) },
    );
    expect(resumed).toBeGreaterThan(20);
  });

  test("may have to show more than its sections have, as what a short query leaves flows on to a conversation alone", () => {
    const messages = Array.from({ length: 600 }, (_, number): ChatMessage => ({
      role: number % 2 === 0 ? "user" : "assistant",
      content: `Message ${number} tells that the deploy of part ${number} was quiet.`,
    }));
    const input: AssemblyInput = { ...exampleInput({ messages }), query: "Go on.", recall: undefined };
    const { sections } = assembleContext({ ...input, system: "", project: "", task: "", kept: undefined });
    const shown = sections.find(({ name }) => name === "history")?.tokens ?? 0;
    expect(shown).toBeGreaterThan(input.plan.sectionsTokens);
    expect(shown).toBeLessThanOrEqual(mostHistoryTokens(input.plan));
  });

  test("refuses to be read in another way, or to be taken for a shorter one", () => {
    const messages = Array.from({ length: 20 }, (_, number): ChatMessage => ({
      role: number % 2 === 0 ? "user" : "assistant",
      content: `Message ${number}.`,
    }));
    const input = exampleInput({ messages });
    const found = beginningsOf(input, messages);
    const conversation = new KnownConversation(beginningUpTo(input, found, 0));
    conversation.append(messages.slice(found[0]?.through));
    expect(() => conversation.reading("another")).toThrow(/was not read so/);
    const shorter = { ...input, messages: conversation.messages.slice(0, 10), conversation };
    expect(() => assembleContext(shorter)).toThrow(/has grown/);
  });

  test.each(["", "u", "u1 x2", "t1>", "t>1", "u1  a2", "u!!1", "U1", "u-1", "u1 a123456789"])(
    "no outline: %j",
    (outline) => {
      expect(readOutline(outline)).toBeUndefined();
    },
  );

  test.each(["", "null", "[]", "{}", '{"firstRequest":1}', "{"])("no digest: %j", (state) => {
    expect(readDigest(state)).toBeUndefined();
  });
});

/**
 * What is kept of conversations is used by later versions. When this fails because messages are measured or summarised in another way,
 * raise `readingVersion`, and then put the new value here.
 */
test("the version of readings goes up when what is read changes", () => {
  const messages: ChatMessage[] = [
    { role: "system", content: "You help." },
    { role: "user", content: "We decided to use Postgres 15. Which cache should we take? TODO: write the docs." },
    { role: "assistant", content: "Created src/auth/login.ts and fixed the test. I'll add the index next." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "edit_file", arguments: '{"path":"a/b.ts"}' } }],
    },
    { role: "tool", tool_call_id: "c", content: "done" },
    { role: "assistant", content: "" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "d", type: "function", function: { name: "read_log", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "d", content: "The deploy of part 7 was quiet.\n".repeat(200) },
    { role: "user", content: "Wir nehmen Redis. Qu'est-ce qui manque ?" },
    { role: "assistant", content: "<b>Nothing</b> is missing, 東京 is ready." },
    ...Array.from({ length: 2 * length }, (): ChatMessage => ({ role: "user", content: "Go on." })),
  ];
  const input = exampleInput({ messages });
  const found = beginningsOf(input, messages);
  expect(createHash("sha256").update(JSON.stringify(found)).digest("hex")).toMatchInlineSnapshot(
    `"abdbd076de5851c8157a780a8cd3ccd22ce087a3c131c22f9543c529bf0891b0"`,
  );
});
