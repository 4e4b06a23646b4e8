import type { ChatMessage, DropReason, SectionDefinition } from "@loci/domain";
import { describe, expect, test } from "vitest";
import {
  approxTokenCounter,
  assembleContext,
  type AssemblyInput,
  checkLayout,
  estimatedTokenCounter,
  planWindow,
  resolveModel,
} from "../../src/index.ts";
import { exampleHit, exampleId, exampleInput, o200k, recalled } from "./example-input.ts";
import { windowOf } from "./example-outcome.ts";

describe("warnings", () => {
  const reasons = (fields: Partial<AssemblyInput>): readonly (readonly [string, string | undefined])[] =>
    assembleContext(exampleInput(fields)).warnings.map(({ reason, section }) => [reason, section] as const);

  const sized = windowOf({ preset: "8K" });

  test.each<[string, Partial<AssemblyInput>, readonly [string, string | undefined]]>([
    ["an unknown model", { model: { name: "what-9", known: false } }, ["UNKNOWN_MODEL", undefined]],
    ["an estimated tokenizer", { counter: estimatedTokenCounter(o200k, 1.2) }, ["ESTIMATED_TOKENS", undefined]],
    ["an empty recall", { recall: recalled() }, ["EMPTY_KNOWLEDGE", "knowledge"]],
    [
      "memories found by anything but the query",
      { recall: recalled(exampleHit(1, "a", { foundBy: "recent" })) },
      ["KNOWLEDGE_MISMATCH", "knowledge"],
    ],
    [
      "a degraded recall",
      { recall: { hits: [exampleHit(1, "a")], dropped: [], degraded: ["INDEX_BEHIND"] } },
      ["RECALL_DEGRADED", "knowledge"],
    ],
    ["a system text near its base", { plan: sized, system: "word ".repeat(440) }, ["SYSTEM_NEAR_BUDGET", "system"]],
    ["a section over 90%", { plan: sized, project: "word ".repeat(950) }, ["SECTION_NEARLY_FULL", "project"]],
    [
      "a system text near the window, where no sizes are named",
      { system: "word ".repeat(5500) },
      ["SYSTEM_NEAR_BUDGET", "system"],
    ],
  ])("of %s", (_, fields, warning) => {
    expect(reasons(fields)).toEqual([warning]);
  });

  test("of an empty recall, which says whether there was something that does not answer", () => {
    const emptied = (...reasons: readonly DropReason[]): readonly string[] =>
      assembleContext(
        exampleInput({
          recall: {
            ...recalled(),
            dropped: reasons.map((reason, index) => ({ id: exampleId(index), reason, score: 0.05 })),
          },
        }),
      ).warnings.map(({ message, advice }) => `${message} ${advice}`);
    expect(emptied("EXPIRED")).toEqual([expect.stringContaining("Check the scopes and filters")]);
    expect(emptied("BELOW_RELEVANCE_FLOOR", "EXPIRED", "BELOW_RELEVANCE_FLOOR")).toEqual([
      expect.stringMatching(/: 2 of those it looked at do not come close enough to it\. .*relevanceFloor/u),
    ]);
  });

  test("of a text that was cut, however much of its section it leaves unused", () => {
    const long = `A word. ${"word ".repeat(900)}. `;
    const plan = windowOf({ preset: "4K", sections: { knowledge: 0 } });
    const { warnings } = assembleContext(exampleInput({ plan, project: long.repeat(3), mode: "last" }));
    expect(warnings.map(({ reason, section }) => [reason, section])).toEqual([["TEXT_SHORTENED", "project"]]);
    expect(warnings[0]?.message).toMatch(/^The text of the section "project" was cut at its end: \d+ of 2,?\d+ tokens/);
  });

  test("not of a section that took all it needs of what others leave, as long as they leave more", () => {
    const plan = windowOf({ preset: "8K", sections: { project: 0 } });
    expect(reasons({ plan, project: "word ".repeat(950) })).toEqual([]);
    expect(reasons({ plan, project: "word ".repeat(4_900) })).toEqual([["SECTION_NEARLY_FULL", "project"]]);
    const hits = Array.from({ length: 40 }, (_, index) => exampleHit(index, `${index} `.repeat(30)));
    expect(reasons({ plan, recall: recalled(...hits) })).toEqual([]);
  });

  test("not of a section that only says that there is nothing", () => {
    expect(reasons({ plan: windowOf({ preset: "8K", sections: { knowledge: 0, history: 0 } }) })).toEqual([]);
  });

  test("show of an unknown model's name what cannot be seen in it", () => {
    const model = { name: "gpt\u202E4\u200B \u{E0041}o\n", known: false };
    const [warning] = assembleContext(exampleInput({ model })).warnings;
    expect(warning?.message).toContain(String.raw`"gpt\u202e4\u200b \udb40\udc41o\n"`);
  });

  describe("in a layout that is filled from the first section to the last", () => {
    const sections: readonly SectionDefinition[] = [
      { name: "system", source: "system", shortening: "never" },
      { name: "project", source: "project", shortening: "sentences", max: 1000 },
      { name: "task", source: "task", shortening: "sentences" },
      { name: "history", source: "history", shortening: "history" },
    ];
    const layout = checkLayout({ name: "inOrder", mode: "sequential", sections });
    const plan = planWindow({ resolved: resolveModel("gpt-4"), layout, overrides: { preset: "8K" } });
    const said = (count: number): ChatMessage[] =>
      Array.from({ length: count }, () => ({ role: "assistant", content: "word ".repeat(60) }));
    const window = { strategy: "window" } as const;
    const inOrder = (fields: Partial<AssemblyInput>): ReturnType<typeof reasons> =>
      reasons({ layout, mode: layout.mode, plan, history: window, ...fields });

    test("not of sections that lack nothing, however full the window is", () => {
      const short = { system: "Be brief.", project: "word ".repeat(300), task: "word ".repeat(300) };
      expect(inOrder(short)).toEqual([]);
      // Only what did not fit: it has taken all that the others left.
      expect(inOrder({ ...short, messages: said(200) })).toEqual([
        ["SECTION_NEARLY_FULL", "history"],
        ["ITEMS_DROPPED", "history"],
      ]);
    });

    test("of a section near its maximum, or cut to it", () => {
      expect(inOrder({ project: "word ".repeat(850) })).toEqual([]);
      expect(inOrder({ project: "word ".repeat(950) })).toEqual([["SECTION_NEARLY_FULL", "project"]]);
      expect(inOrder({ project: "A word. ".repeat(900) })).toEqual([["TEXT_SHORTENED", "project"]]);
    });

    test("of what is never cut when it takes nearly the whole window, before it becomes an error", () => {
      const most = plan.sectionsTokens;
      expect(inOrder({ system: "word ".repeat(Math.round(most * 0.8)) })).toEqual([]);
      expect(inOrder({ system: "word ".repeat(Math.round(most * 0.95)) })).toEqual([["SYSTEM_NEAR_BUDGET", "system"]]);
    });
  });

  describe("of a short history", () => {
    const short: ChatMessage = { role: "user", content: "Hi" };
    const part = { type: "text", text: "word ".repeat(3000) } as const;
    const long: ChatMessage = { role: "user", content: [part, part, part] };
    const warning = ["SHORT_HISTORY", "history"];

    test("whatever makes it short: a window, or a summary that says little", () => {
      expect(reasons({ messages: [long, short], history: { strategy: "window" } })).toContainEqual(warning);
      expect(reasons({ messages: [long, short] })).toEqual([warning]);
    });

    test("not where all that was said is shown, however little it is", () => {
      expect(reasons({ messages: [short] })).toEqual([]);
      expect(reasons({ messages: [short, { role: "assistant", content: "Hello!" }] })).toEqual([]);
    });

    test("not from 100 tokens on, nor where nothing was said but the query", () => {
      expect(reasons({ messages: [{ role: "user", content: "word ".repeat(100) }] })).toEqual([]);
      expect(reasons({ messages: [] })).toEqual([]);
      const asked: ChatMessage = { role: "user", content: "What next?" };
      expect(reasons({ messages: [asked] })).toEqual([]);
      expect(reasons({ messages: [{ role: "user", content: "" }] })).toEqual([]);
    });

    test("says what to do about it", () => {
      const advice = (messages: readonly ChatMessage[]): string | undefined =>
        assembleContext(exampleInput({ messages, history: { strategy: "window" } })).warnings[0]?.advice;
      expect(advice([long, short])).toContain("window.sections.history");
    });
  });

  test("of dropped items", () => {
    const hits = Array.from({ length: 60 }, (_, index) => exampleHit(index, `${index} `.repeat(60)));
    const messages = Array.from({ length: 120 }, (): ChatMessage => ({
      role: "assistant",
      content: "word ".repeat(60),
    }));
    const found = reasons({ recall: recalled(...hits), messages, history: { strategy: "window" } });
    expect(found).toContainEqual(["ITEMS_DROPPED", "history"]);
    expect(found).toContainEqual(["ITEMS_DROPPED", "knowledge"]);
  });

  test("are silent when all is well, and each says what to do", () => {
    expect(reasons({ system: "Be brief.", recall: recalled(exampleHit(1, "a")), counter: approxTokenCounter })).toEqual(
      [],
    );
    const { warnings } = assembleContext(exampleInput({ recall: recalled(), model: { name: "what-9", known: false } }));
    for (const { message, advice } of warnings)
      expect([message, advice]).toEqual([expect.any(String), expect.any(String)]);
  });
});
