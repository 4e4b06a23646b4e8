import type { ChatMessage } from "@loci/domain";
import fc from "fast-check";
import {
  approxTokenCounter,
  type AssemblyInput,
  type AssemblyMemories,
  estimatedTokenCounter,
  planWindow,
  resolveModel,
} from "../../src/index.ts";
import { hostileText } from "../rendering/hostile-text.ts";
import { exampleHit, exampleInput, o200k } from "./example-input.ts";

const words = "the deploy runs on Tuesdays because Postgres 15 needs a window; see ADR-7. ".repeat(12);

/** What somebody may have said or written down. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: words.length }).map((length) => words.slice(0, length)) },
  { weight: 2, arbitrary: hostileText({ wellFormed: true, maxParts: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom("<", "&", '"'), maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom("漢", "字", "。", "、", "語", "👩🏽‍⚕️", "é"), maxLength: 200 }),
  },
);

/** Text an application may give: no tag of the layout, however it is written. */
export const givenText: fc.Arbitrary<string | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.nat({ max: words.length }).map((length) => words.slice(0, length)),
  hostileText({ wellFormed: true }).map((value) => value.normalize("NFKC").replaceAll("<", "(")),
  fc.string({ unit: fc.constantFrom("漢", "字", "。", "\n", "👩🏽‍⚕️", " ", "- a\n", "```\n"), maxLength: 600 }),
);

/** What a tool gave: some of it long. */
const toolResult: fc.Arbitrary<ChatMessage["content"]> = fc.oneof(
  { weight: 2, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.integer({ min: 1_900, max: 12_000 }), fc.constantFrom("\n", "", " "))
      .map(([piece, length, end]) => longText(`${piece}${end}`, length)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(text, fc.integer({ min: 1_900, max: 6_000 })).map(([piece, length]) => [
      { type: "text" as const, text: longText(`${piece}\n`, length) },
      { type: "image_url" as const, image_url: { url: "https://example.org/a.png", detail: "low" as const } },
      { type: "text" as const, text: piece },
    ]),
  },
);

/** What a tool is called with: JSON that may hold a long text, and what is none. */
const callArguments: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.integer({ min: 1_900, max: 9_000 }), fc.constantFrom(undefined, 1))
      .map(([piece, length, indent]) =>
        JSON.stringify(
          { path: piece.slice(0, 20), edits: [{ text: longText(`${piece}\n`, length) }] },
          undefined,
          indent,
        ),
      ),
  },
);

function longText(piece: string, length: number): string {
  return (piece === "" ? "." : piece).repeat(Math.ceil(length / Math.max(1, piece.length)));
}

/** One message, or a call with its result. */
export const message: fc.Arbitrary<readonly ChatMessage[]> = fc.oneof(
  fc
    .record({ role: fc.constantFrom("user" as const, "assistant" as const, "system" as const), content: text })
    .map((one) => [one]),
  fc
    .record({ role: fc.constant("user" as const), content: text, name: fc.constantFrom("Ann", "Bo") })
    .map((one) => [one]),
  // A log that somebody pasted.
  fc
    .tuple(text, fc.integer({ min: 15_900, max: 30_000 }))
    .map(([piece, length]) => [{ role: "user" as const, content: longText(`${piece}\n`, length) }]),
  fc.constant([{ role: "assistant" as const, content: null }]),
  text.map((content): ChatMessage[] => [
    {
      role: "user",
      content: [
        { type: "text", text: content },
        { type: "image_url", image_url: { url: "https://example.org/a.png", detail: "low" } },
      ],
    },
  ]),
  fc.tuple(callArguments, toolResult).map(([argument, result]): ChatMessage[] => [
    {
      role: "assistant",
      tool_calls: [{ id: "call", type: "function", function: { name: "search", arguments: argument } }],
    },
    { role: "tool", tool_call_id: "call", content: result },
  ]),
);

const halfDay = fc.nat({ max: 3 }).map((half) => half * 43_200_000);

/** Memories of every kind, not in the order of their scores. */
export const hits: fc.Arbitrary<AssemblyMemories["hits"]> = fc
  .array(
    fc.record({
      text,
      score: fc.double({ min: 0, max: 1, noNaN: true }).map((score) => Math.round(score * 20) / 20),
      category: fc.constantFrom("fact", "preference", "procedure", "decision", "note", "recipe"),
      scope: fc.constantFrom({ kind: "user" as const, id: "u" }, { kind: "global" as const }),
      isStatic: fc.boolean(),
      origin: fc.constantFrom("manual" as const, "capture" as const, "correction" as const),
      trust: fc.constantFrom("trusted" as const, "untrusted" as const),
      // Most are certain, which shows in how they are written.
      confidence: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
      // Days of which some are the same.
      createdAt: halfDay,
      validFrom: fc.option(halfDay, { nil: undefined }),
      validTo: fc.option(halfDay, { nil: undefined }),
      outdated: fc.option(fc.record({ since: halfDay, isInPart: fc.boolean(), replacedBy: fc.constant([]) }), {
        nil: undefined,
        freq: 4,
      }),
      tags: fc.array(
        text.map((tag) => tag.slice(0, 20)),
        { maxLength: 2 },
      ),
      // Some of the same source, which then stand together.
      source: fc.oneof(
        fc.constantFrom(undefined, "conversation:1", "conversation:1", "ADR-007"),
        hostileText({ wellFormed: true, maxParts: 4 }),
      ),
    }),
    { maxLength: 25 },
  )
  .map((fields) =>
    fields.map(({ text, source, outdated, ...rest }, number) => ({
      ...exampleHit(number, text, {
        ...rest,
        ...(source === undefined ? {} : { provenance: { sourceId: source, kind: "document" } }),
      }),
      outdated,
    })),
  );

/** Random assemblies of every kind: texts, conversations, memories, windows, profiles, modes and counters. */
export function anyAssembly(fields: { readonly mode?: AssemblyInput["mode"] } = {}): fc.Arbitrary<AssemblyInput> {
  return fc
    .record({
      profile: fc.constantFrom("conversation" as const, "rag" as const),
      mode: fc.constantFrom(
        "fill" as const,
        "fill" as const,
        "cascade" as const,
        "last" as const,
        "sequential" as const,
      ),
      counter: fc.constantFrom(o200k, approxTokenCounter, estimatedTokenCounter(o200k, 1.15)),
      window: fc.oneof(
        fc.constant({}),
        fc.integer({ min: 200, max: 8000 }).map((scaleTo) => ({ scaleTo })),
        fc.record({
          sections: fc.record({
            system: fc.integer({ min: 100, max: 600 }),
            project: fc.nat({ max: 200 }),
            task: fc.nat({ max: 100 }),
            history: fc.nat({ max: 800 }),
            knowledge: fc.nat({ max: 800 }),
          }),
          query: fc.nat({ max: 200 }),
        }),
      ),
      growthTokens: fc.option(fc.nat({ max: 2000 }), { nil: undefined }),
      system: givenText,
      project: givenText,
      task: givenText,
      messages: fc.array(message, { maxLength: 14 }).map((parts) => parts.flat()),
      query: fc.option(text, { nil: undefined }),
      hits: fc.option(hits, { nil: undefined }),
      areInOrder: fc.boolean(),
      dateZone: fc.constantFrom(undefined, "UTC"),
    })
    .map(({ window, growthTokens, query, hits, areInOrder, ...rest }) => {
      // Without a query of its own the user's latest message is the query.
      const latest = rest.messages.findLast(({ role }) => role === "user")?.content;
      return exampleInput({
        ...rest,
        plan: { ...planWindow({ resolved: resolveModel(undefined), overrides: window }), growthTokens },
        query: query ?? (typeof latest === "string" ? latest : "What next?"),
        ...(hits === undefined ? {} : { recall: { hits, areInOrder, dropped: [], degraded: [] } }),
        ...fields,
      });
    });
}
