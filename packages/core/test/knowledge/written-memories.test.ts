import { LociError } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assembleContext,
  type AssemblyInput,
  planWindow,
  resolveModel,
  threeTier,
  WrittenMemories,
} from "../../src/index.ts";
import { anyAssembly } from "../assembly/any-assembly.ts";
import { exampleHit, exampleInput, o200k, recalled } from "../assembly/example-input.ts";

test("200 assemblies whose memories share their ids come out the same with what was written before", () => {
  const written = new WrittenMemories({ maxLength: 20_000 });
  const assembled = (input: AssemblyInput): string => {
    try {
      return JSON.stringify(assembleContext(input));
    } catch (error) {
      if (LociError.is(error)) return error.message;
      throw error;
    }
  };
  fc.assert(
    fc.property(anyAssembly(), (input) => {
      const alone = assembled(input);
      for (let time = 0; time < 2; time++) expect(assembled({ ...input, written })).toBe(alone);
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});

test("a memory is written once, and again when anything shown of it changed", () => {
  const written = new WrittenMemories();
  let counted = 0;
  const count = (text: string): number => {
    if (text.includes("Postgres")) counted++;
    return o200k.count(text);
  };
  const counter = {
    id: o200k.id,
    estimated: false,
    joinsAtLineStarts: true,
    count,
    fit: (text: string): string => text,
  };
  const timesCounted = (hit: ReturnType<typeof exampleHit>, fields: Partial<AssemblyInput> = {}): number => {
    counted = 0;
    assembleContext(exampleInput({ counter, written, recall: recalled(hit), ...fields }));
    return counted;
  };
  const text = "Postgres holds the sessions.";
  expect(timesCounted(exampleHit(1, text))).toBe(1);
  expect(timesCounted(exampleHit(1, text))).toBe(0);
  expect(timesCounted(exampleHit(1, text, { score: 0.2 }))).toBe(0);
  expect(timesCounted(exampleHit(1, text, { createdAt: 86_400_000 }))).toBe(0);
  const dated = { dateZone: "UTC" };
  expect(timesCounted(exampleHit(1, text, { createdAt: 86_400_000 }), dated)).toBe(1);
  expect(timesCounted(exampleHit(1, text, { createdAt: 86_400_001 }), dated)).toBe(0);
  expect(timesCounted(exampleHit(1, text, { createdAt: 2 * 86_400_000 }), dated)).toBe(1);
  expect(timesCounted(exampleHit(1, text))).toBe(1);
  expect(timesCounted(exampleHit(1, text.replace("holds", "keeps")))).toBe(1);
  expect(timesCounted(exampleHit(1, text, { confidence: 0.5 }))).toBe(1);
  expect(timesCounted(exampleHit(1, text, { confidence: 0.5, provenance: { sourceId: "ADR-1", kind: "adr" } }))).toBe(
    1,
  );
  expect(timesCounted(exampleHit(1, text, { category: "procedure" }))).toBe(1);
  expect(timesCounted(exampleHit(1, text, { category: "procedure", tags: ["a"] }))).toBe(1);
  expect(timesCounted(exampleHit(1, text, { category: "procedure", tags: ["b"] }))).toBe(1);
  expect(timesCounted(exampleHit(1, text, { category: "procedure", tags: ["b"] }))).toBe(0);
  const told = { category: "procedure", origin: "capture", scope: { kind: "user", id: "ann" } } as const;
  const byOthers = { ...told, trust: "untrusted" } as const;
  expect(timesCounted(exampleHit(1, text, byOthers))).toBe(1);
  expect(timesCounted(exampleHit(1, text, told))).toBe(1);
  expect(timesCounted(exampleHit(1, text, told))).toBe(0);
  expect(
    timesCounted(exampleHit(2, text), {
      layout: threeTier,
      plan: planWindow({ resolved: resolveModel(undefined), layout: threeTier }),
    }),
  ).toBe(1);
  expect(timesCounted(exampleHit(2, text))).toBe(1);
});
