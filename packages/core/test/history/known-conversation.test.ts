import { type ChatMessage, LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assembleContext,
  type Assembly,
  type AssemblyInput,
  HistoryCache,
  KnownConversation,
} from "../../src/index.ts";
import { message } from "../assembly/any-assembly.ts";
import { exampleInput } from "../assembly/example-input.ts";
import { propertyRuns } from "../property-runs.ts";

const call: ChatMessage = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: "{}" } }],
};
const result: ChatMessage = { role: "tool", content: "nothing", tool_call_id: "1" };

/** A window may be too small for what must stand in it. */
function outcomeOf(input: AssemblyInput): Assembly | string {
  try {
    return assembleContext(input);
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return error.message;
  }
}

describe("a conversation that is gone on with", () => {
  test("gives at every length the context that all its messages give at once", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 12 }).map((parts) => parts.flat()),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        (messages, sizes) => {
          const conversation = new KnownConversation();
          const conversations = new HistoryCache();
          for (let start = 0; start < messages.length;) {
            const size = sizes.next().value as number;
            conversation.append(messages.slice(start, start + size));
            start += size;
            const given = { ...exampleInput({ messages: messages.slice(0, start) }), conversations };
            const known = { ...given, messages: conversation.messages, conversation };
            expect(outcomeOf(known)).toEqual(outcomeOf(given));
          }
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test("takes a result behind its call only, and stays as it was", () => {
    const conversation = new KnownConversation();
    expect(() => conversation.append([result])).toThrow(/answers no tool call/);
    conversation.append([{ role: "user", content: "Hi" }, call]);
    conversation.append([result]);
    expect(() => conversation.append([result])).toThrow(/answers no tool call/);
    expect(conversation.messages).toHaveLength(3);
    expect(conversation.latestOfUser).toBe(0);
  });
});
