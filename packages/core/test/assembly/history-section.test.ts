import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { assembleContext, type AssemblyInput } from "../../src/index.ts";
import { exampleHit, exampleInput, recalled } from "./example-input.ts";

describe("the conversation", () => {
  const filler = (count: number): ChatMessage[] =>
    Array.from({ length: count }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index} `.repeat(60),
    }));

  test("keeps its newest messages whole, and takes their tokens from the last in rank", () => {
    const newest: ChatMessage = { role: "user", content: "important ".repeat(2500) };
    const memories = recalled(...Array.from({ length: 20 }, (_, index) => exampleHit(index, "fact ".repeat(100))));
    const output = assembleContext(
      exampleInput({
        messages: [...filler(20), newest],
        recall: memories,
        project: "p. ".repeat(450),
        query: "q".repeat(2000),
      }),
    );
    expect(output.messages).toContainEqual(newest);
    const [system, project, , history, knowledge] = output.receipt.sections;
    expect(history?.usedTokens).toBeGreaterThan(2500);
    expect(project?.usedTokens).toBe(project?.neededTokens);
    expect(system?.usedTokens).toBe(system?.neededTokens);
    expect(knowledge?.usedTokens).toBeLessThan(knowledge?.baseTokens ?? 0);
  });

  test("leaves the caller's ids out of the messages, and images in", () => {
    const shown: ChatMessage = {
      role: "user",
      name: "Ann",
      id: "m1",
      content: [
        { type: "text", text: "Look." },
        { type: "image_url", image_url: { url: "https://example.org/a.png", detail: "low" } },
      ],
    };
    const { id, ...sent } = shown;
    const output = assembleContext(exampleInput({ messages: [shown] }));
    expect(id).toBe("m1");
    expect(output.messages[1]).toEqual(sent);
    expect(output.text).toContain("[user]: Look.\n[image]\n</history>");
    expect(output.usage.messagesTokens).toBeGreaterThan(output.usage.totalTokens);
  });

  test("gives way in profile rag before the knowledge does", () => {
    const fields = {
      messages: filler(60),
      recall: recalled(...Array.from({ length: 60 }, (_, index) => exampleHit(index, `${index} `.repeat(60)))),
    };
    const used = (profile: AssemblyInput["profile"]): readonly (number | undefined)[] => {
      const { sections } = assembleContext(exampleInput({ ...fields, profile })).receipt;
      return ["history", "knowledge"].map((name) => sections.find((section) => section.name === name)?.grantedTokens);
    };
    const [historyFirst = 0, knowledgeLast = 0] = used("conversation");
    const [historyLast = 0, knowledgeFirst = 0] = used("rag");
    expect(historyFirst).toBeGreaterThan(historyLast);
    expect(knowledgeFirst).toBeGreaterThan(knowledgeLast);
  });
});
