import { type LayoutDefinition, LociError, type SectionDefinition, type SectionSource } from "@loci/domain";
import fc from "fast-check";
import {
  approxTokenCounter,
  type AssemblyInput,
  checkLayout,
  estimatedTokenCounter,
  fillSections,
  type Layout,
  planWindow,
  resolveModel,
} from "../../src/index.ts";
import { contentKind } from "../../src/layout/layout.ts";
import { givenText, hits, message, text } from "../assembly/any-assembly.ts";
import { exampleInput, o200k } from "../assembly/example-input.ts";

const sources: readonly SectionSource[] = [
  "system",
  "project",
  "task",
  "coreMemory",
  "file:NOTES.md",
  "file:STYLE.md",
  "teamFile:RULES.md",
  "block:persona",
  "block:notes",
  "turnState",
  "days",
  "history",
  "knowledge",
  "teamMemories",
  "personalMemories",
];

// Some that are tags of chat templates or HTML, some that nobody would choose.
const sectionName = fc.oneof(
  fc.constantFrom("user", "assistant", "tool_use", "div", "a", "turn", "archival-memories", "notes", "facts"),
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,7}$/),
);
const title = fc.constantFrom("What we know", "Q&A/Notes", "Ziele (2026)", "目標", "A.B - C", "Ann's list");

const amount = (max: number): fc.Arbitrary<number | undefined> => fc.option(fc.nat({ max }), { nil: undefined });

/** Sections of one source each, in any order, at least one for given text; every field that a layout may have. */
export const anyLayout: fc.Arbitrary<Layout> = fc
  .record({
    rendering: fc.constantFrom("xml" as const, "markdown" as const),
    mode: fc.constantFrom("fill" as const, "fill" as const, "cascade" as const, "last" as const, "sequential" as const),
    isList: fc.boolean(),
    totalTokens: fc.option(fc.integer({ min: 300, max: 4000 }), { nil: undefined, freq: 3 }),
    sections: fc.shuffledSubarray([...sources], { minLength: 2 }).chain((chosen) => fc.tuple(...chosen.map(section))),
  })
  .map(({ rendering, mode, isList, totalTokens, sections }) => ({
    name: "random",
    rendering,
    // A total of its own is shared in the order of the sections.
    mode: totalTokens === undefined ? mode : ("sequential" as const),
    memoryForm: isList || rendering === "markdown" ? ("list" as const) : ("element" as const),
    totalTokens,
    sections,
  }))
  .filter(isLayout)
  .map((definition) => checkLayout(definition));

function section(source: SectionSource): fc.Arbitrary<SectionDefinition> {
  const kind = contentKind(source);
  const shortening = {
    given: fc.constantFrom("never" as const, "characters" as const, "sentences" as const, "sentences" as const),
    days: fc.constantFrom("characters" as const, "sentences" as const),
    history: fc.constant("history" as const),
    memories: fc.constant("items" as const),
  }[kind];
  return fc
    .record({
      name: sectionName,
      title: fc.option(title, { nil: undefined, freq: 2 }),
      shortening,
      rank: fc.oneof(
        fc.constant(undefined),
        fc.integer({ min: 1, max: 4 }),
        fc.record({ conversation: fc.integer({ min: 1, max: 9 }), rag: fc.integer({ min: 1, max: 9 }) }),
      ),
      base: amount(500),
      max: amount(600),
      floor: amount(200),
      maxItems: amount(6),
      maxProcedures: amount(3),
    })
    .map(({ base, ...fields }) => ({
      source,
      ...fields,
      // What is never cut has to fit its base.
      base: fields.shortening === "never" ? 900 + (base ?? 0) : base,
    }));
}

/** Names, titles and the rest as {@link checkLayout} takes them. */
function isLayout(definition: LayoutDefinition): boolean {
  try {
    checkLayout(definition);
    return true;
  } catch (error) {
    if (LociError.is(error)) return false;
    throw error;
  }
}

const days = fc.uniqueArray(fc.record({ date: fc.integer({ min: 10, max: 28 }), text }), {
  maxLength: 3,
  selector: ({ date }) => date,
});

/** Random contents, conversations and memories in random layouts and windows. */
export const anyLayoutAssembly: fc.Arbitrary<AssemblyInput> = fc
  .record({
    layout: anyLayout,
    profile: fc.constantFrom("conversation" as const, "rag" as const),
    counter: fc.constantFrom(o200k, o200k, approxTokenCounter, estimatedTokenCounter(o200k, 1.15)),
    isChecked: fc.boolean(),
    provider: fc.constantFrom("openai" as const, "anthropic" as const, "google" as const, undefined),
    model: fc.constantFrom(undefined, "gpt-4o"),
    scaleTo: fc.option(fc.integer({ min: 500, max: 8000 }), { nil: undefined }),
    texts: fc.array(givenText, { minLength: 7, maxLength: 7 }),
    kept: fc.option(
      fc.record({
        blocks: fc.uniqueArray(
          fc.record({
            label: fc.constantFrom("persona", "human", "core_memory", "notes"),
            version: fc.integer({ min: 1, max: 99 }),
            text,
            currentTask: fc.option(text, { nil: undefined }),
          }),
          { selector: ({ label }) => label },
        ),
        turnState: fc.option(text, { nil: undefined }),
      }),
      { nil: undefined },
    ),
    days,
    messages: fc.array(message, { maxLength: 10 }).map((parts) => parts.flat()),
    history: fc.record(
      {
        strategy: fc.constantFrom("window" as const, "summary" as const),
        turnNumbers: fc.boolean(),
        lastTurns: fc.integer({ min: 1, max: 4 }),
      },
      { requiredKeys: [] },
    ),
    query: text,
    hits: fc.option(hits, { nil: undefined }),
  })
  .map(({ layout, isChecked, model, scaleTo, texts, kept, days, hits, ...rest }) => {
    const has = (source: SectionSource): boolean => layout.sections.some((one) => one.source === source);
    const [system, project, task, coreMemory, notes, style, rules] = texts;
    const given = Object.fromEntries(
      Object.entries({ system, project, task, coreMemory }).filter(([name]) => has(name as SectionSource)),
    );
    return exampleInput({
      ...rest,
      ...given,
      layout,
      kept:
        kept && fillSections(layout, kept, (source) => ((given as Record<string, string>)[source] ?? "").trim() !== ""),
      mode: layout.mode,
      plan: planWindow({ resolved: resolveModel(model), layout, overrides: { scaleTo } }),
      // Another counter than the one that assembles.
      checkCounter: isChecked && rest.counter !== o200k ? o200k : undefined,
      files: {
        files: {
          ...(has("file:NOTES.md") && notes !== undefined ? { "NOTES.md": notes } : {}),
          ...(has("file:STYLE.md") && style !== undefined ? { "STYLE.md": style } : {}),
        },
        teamFiles: has("teamFile:RULES.md") && rules !== undefined ? { "RULES.md": rules } : {},
        days: has("days") ? days.map(({ date, text }) => ({ date: `2026-03-${date}`, text })) : [],
      },
      ...(hits === undefined ? {} : { recall: { hits, dropped: [], degraded: [] } }),
    });
  });
