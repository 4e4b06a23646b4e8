import { createHash } from "node:crypto";
import type { Memory, MemoryId, RecallHit } from "@loci/domain";
import { etagOf, globalScope } from "@loci/domain";
import { type AssemblyInput, loadTokenCounter, memoryBlocks, planWindow, resolveModel } from "../../src/index.ts";

export const o200k = await loadTokenCounter("o200k_base");

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An id whose last digits are the number: ids sort as the numbers do. */
export function exampleId(number: number): MemoryId {
  return `019a0000-0000-7000-8000-${String(number).padStart(12, "0")}` as MemoryId;
}

export type HitFields = Partial<Memory> & {
  readonly score?: number;
  /** What recall cut the text to. */
  readonly cut?: string;
  readonly foundBy?: RecallHit["foundBy"];
};

/** A manual, trusted fact of global scope with its number in its id, unless told otherwise. */
export function exampleHit(
  number: number,
  text: string,
  { score, cut, foundBy, ...fields }: HitFields = {},
): RecallHit {
  const id = exampleId(number);
  const memory: Memory = {
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
    ...fields,
  };
  return {
    memory,
    score: score ?? 1 - number / 1000,
    parts: {
      relevance: 0.9,
      text: 1,
      recency: 0.5,
      importance: 0.7,
      frequency: 0,
      stale: 1,
      tagBoost: 1,
      neighbours: 0,
    },
    text: cut ?? text,
    tokens: 10,
    truncated: cut !== undefined,
    foundBy: foundBy ?? "relevance",
  };
}

/** An empty request in the 8K window, with what is given in place of the defaults. */
export function exampleInput(fields: Partial<AssemblyInput> = {}): AssemblyInput {
  return {
    layout: memoryBlocks,
    profile: "conversation",
    mode: "fill",
    plan: planWindow({ resolved: resolveModel(undefined) }),
    counter: o200k,
    messages: [],
    query: "What next?",
    evaluationTime: 1_700_000_000_000,
    sha256,
    ...fields,
  };
}

/** What a recall found, with nothing dropped and nothing wrong. */
export function recalled(...hits: readonly RecallHit[]): NonNullable<AssemblyInput["recall"]> {
  return { hits, dropped: [], degraded: [] };
}
