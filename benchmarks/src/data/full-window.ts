import { hash } from "node:crypto";
import { type AssemblyInput, memoryBlocks, type TokenCounter, type WindowPlan } from "@loci/core";
import { type ChatMessage, etagOf, globalScope, memoryId, type RecallHit } from "@loci/domain";
import { prose } from "./prose.ts";

/** What a sentence of made-up prose takes at least. */
const leastSentenceTokens = 15;
const neutralParts = { text: 0, frequency: 0, stale: 1, tagBoost: 1, neighbours: 0 };

/** The request an assembly is made from, without what is kept from one to the next. */
export type FullWindow = Omit<AssemblyInput, "counts" | "conversations" | "written">;

/**
 * More than every section of a window holds: a system text nearly as long as may be, project and task that have to be
 * shortened, four times the messages and a third more memories than fit.
 */
export function fullWindow(plan: WindowPlan, counter: TokenCounter): FullWindow {
  const { system = 0, project = 0, task = 0, history = 0, knowledge = 0 } = plan.sections;
  return {
    layout: memoryBlocks,
    profile: "conversation",
    mode: "fill",
    plan,
    counter,
    system: counter.fit(proseOf(1, system), Math.floor(system * 0.8)),
    project: proseOf(2, project * 1.2),
    task: proseOf(3, task * 1.2),
    messages: madeUpMessages((history * 4) / (2 * leastSentenceTokens)),
    recall: { hits: madeUpHits((knowledge * 4) / 3 / (2 * leastSentenceTokens)), dropped: [], degraded: [] },
    query: "Which of these should we fix first, and why?",
    evaluationTime: 1_790_000_000_000,
    sha256: (text) => hash("sha256", text, "hex"),
  };
}

/** A conversation of so many messages, two sentences each; every other one says what was decided. */
export function madeUpMessages(count: number): ChatMessage[] {
  return Array.from({ length: Math.ceil(count) }, (_, index): ChatMessage =>
    index % 2 === 0
      ? { role: "user", content: `${index / 2}. ${prose(index / 2, 2)}` }
      : { role: "assistant", content: `We decided on plan ${(index - 1) / 2}. ${prose(index + 100_000, 2)}` },
  );
}

function proseOf(seed: number, tokens: number): string {
  return prose(seed, Math.ceil(tokens / leastSentenceTokens));
}

function madeUpHits(count: number): readonly RecallHit[] {
  return Array.from({ length: Math.ceil(count) }, (_, index): RecallHit => {
    const id = memoryId(`019a0000-0000-7000-8000-${String(index).padStart(12, "0")}`);
    const text = prose(200_000 + index, 2);
    return {
      memory: {
        id,
        text,
        category: "fact",
        scope: globalScope,
        importance: 0.7,
        confidence: 1,
        isStatic: false,
        tags: [],
        origin: "manual",
        trust: "trusted",
        metadata: {},
        createdAt: 0,
        updatedAt: 0,
        version: 1,
        state: "active",
        etag: etagOf(id, 1),
        recordedAt: 0,
        usage: { accessCount: 0 },
        embedding: "ready",
      },
      score: 1 - index / 10_000,
      parts: { ...neutralParts, relevance: 0.9, recency: 0.5, importance: 0.7 },
      text,
      tokens: 2 * leastSentenceTokens,
      truncated: false,
      foundBy: "relevance",
    };
  });
}
