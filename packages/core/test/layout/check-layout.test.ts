import type { LayoutDefinition, SectionDefinition } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { checkLayout, findLayout, memoryBlocks, parseLayout } from "../../src/index.ts";

const system: SectionDefinition = { name: "system", source: "system", shortening: "never" };

function layoutOf(fields: Readonly<Record<string, unknown>>): LayoutDefinition {
  return { name: "mine", sections: [system], ...fields };
}

function sectionsWith(fields: Readonly<Record<string, unknown>>): LayoutDefinition {
  return layoutOf({ sections: [system, { name: "notes", source: "project", shortening: "sentences", ...fields }] });
}

describe("a layout", () => {
  test("gets its defaults: XML, fill, elements, titles from names, ranks from places", () => {
    expect(checkLayout(sectionsWith({ name: "team_goals" }))).toEqual({
      name: "mine",
      rendering: "xml",
      mode: "fill",
      memoryForm: "element",
      sections: [
        { ...system, title: "System", rank: { conversation: 1, rag: 1 } },
        {
          name: "team_goals",
          title: "Team Goals",
          source: "project",
          shortening: "sentences",
          rank: { conversation: 2, rag: 2 },
        },
      ],
    });
    expect(checkLayout(layoutOf({ rendering: "markdown" })).memoryForm).toBe("list");
  });

  test.each<[string, unknown]>([
    ["layout", null],
    ["layout", []],
    ["layout.name", layoutOf({ name: "" })],
    ["layout.name", layoutOf({ name: "<mine>" })],
    ["layout.colour", layoutOf({ colour: "red" })],
    ["layout.rendering", layoutOf({ rendering: "html" })],
    ["layout.mode", layoutOf({ mode: "greedy" })],
    ["layout.tokenizer", layoutOf({ tokenizer: "gpt2" })],
    ["layout.totalTokens", layoutOf({ totalTokens: -1 })],
    ["layout.memoryForm", layoutOf({ rendering: "markdown", memoryForm: "element" })],
    ["layout.sections", layoutOf({ sections: [] })],
    ["layout.sections", layoutOf({ sections: undefined })],
    ["layout.sections", layoutOf({ sections: Array.from({ length: 65 }, () => system) })],
    ["layout.sections", layoutOf({ sections: [{ name: "h", source: "history", shortening: "history" }] })],
    ["layout.sections[1]", layoutOf({ sections: [system, "notes"] })],
    ["layout.sections[1].name", layoutOf({ sections: [system, { ...system, source: "task" }] })],
    ["layout.sections[1].name", sectionsWith({ name: "Notes" })],
    ["layout.sections[1].name", sectionsWith({ name: "memory" })],
    ["layout.sections[1].title", sectionsWith({ title: "a\n## b" })],
    ["layout.sections[1].title", sectionsWith({ title: "SYSTEM" })],
    ["layout.sections[1].title", sectionsWith({ title: "Query" })],
    ["layout.sections[1].source", sectionsWith({ source: "internet" })],
    ["layout.sections[1].source", sectionsWith({ source: "system" })],
    ["layout.sections[1].source", sectionsWith({ source: "file:../secret" })],
    ["layout.sections[1].source", sectionsWith({ source: undefined })],
    ["layout.sections[1].shortening", sectionsWith({ shortening: "items" })],
    ["layout.sections[1].shortening", sectionsWith({ source: "history" })],
    ["layout.sections[1].shortening", sectionsWith({ source: "knowledge", shortening: "never" })],
    ["layout.sections[1].base", sectionsWith({ base: -1 })],
    ["layout.sections[1].max", sectionsWith({ max: 1.5 })],
    ["layout.sections[1].floor", sectionsWith({ floor: Number.NaN })],
    ["layout.sections[1].maxItems", sectionsWith({ maxItems: "5" })],
    ["layout.sections[1].rank", sectionsWith({ rank: 0 })],
    ["layout.sections[1].rank.rag", sectionsWith({ rank: { conversation: 1 } })],
    ["layout.sections[1].rank.chat", sectionsWith({ rank: { conversation: 1, rag: 2, chat: 3 } })],
  ])("is refused for its %s", (field, definition) => {
    expect(() => checkLayout(definition as LayoutDefinition)).toThrow(
      expect.objectContaining({ reason: "INVALID_LAYOUT", field }),
    );
  });

  test("goes by its name, or is checked", () => {
    expect(findLayout(undefined)).toBe(memoryBlocks);
    expect(findLayout("threeTier").name).toBe("threeTier");
    expect(findLayout(layoutOf({})).name).toBe("mine");
    expect(() => findLayout("toString" as "threeTier")).toThrow(expect.objectContaining({ reason: "INVALID_LAYOUT" }));
  });
});

const toml = `# An agent that writes reports.
name = "reports"
rendering = "markdown"
totalTokens = 6000
mode = "sequential"

[[sections]]
name = "style"
source = "file:STYLE.md"
shortening = "never"

[[sections]]
name = "facts"
source = "knowledge"
shortening = "items"
max = 1500
maxItems = 8
rank = { conversation = 3, rag = 2 }
`;

const json = `{
  "name": "reports",
  "rendering": "markdown",
  "totalTokens": 6000,
  "mode": "sequential",
  "sections": [
    { "name": "style", "source": "file:STYLE.md", "shortening": "never" },
    {
      "name": "facts", "source": "knowledge", "shortening": "items",
      "max": 1500, "maxItems": 8,
      "rank": { "conversation": 3, "rag": 2 }
    }
  ]
}
`;

describe("a layout in a file", () => {
  test("is the same in TOML and in JSON", () => {
    const layout = parseLayout(toml, { format: "toml", file: "reports.toml" });
    expect(layout).toEqual(parseLayout(json, { format: "json", file: "reports.json" }));
    expect(layout.sections[1]).toMatchObject({ name: "facts", title: "Facts", rank: { conversation: 3, rag: 2 } });
  });

  test.each<[line: number, before: string, after: string]>([
    [3, 'rendering = "markdown"', 'rendering = "html"'],
    [4, "6000", "-6000"],
    [5, 'mode = "sequential"', "mode = sequential"],
    [9, "file:STYLE.md", "disk:STYLE.md"],
    [13, '"facts"', '"style"'],
    [15, 'source = "knowledge"', 'source = "file:STYLE.md"'],
    [16, "max = 1500", "max = -1"],
    [16, "max = 1500", "maximum = 1"],
    [18, "rag = 2", "rag = 0"],
    [12, 'shortening = "items"', ""],
    [18, "rank =", "rank = = "],
  ])("names the file and line %i of TOML", (line, before, after) => {
    expect(toml).toContain(before);
    const error = errorOf(() => parseLayout(toml.replace(before, after), { format: "toml", file: "my/reports.toml" }));
    expect(error).toMatchObject({ reason: "INVALID_LAYOUT" });
    expect(error.message).toContain(`my/reports.toml, line ${line}: `);
  });

  test.each<[line: number, before: string, after: string]>([
    [3, '"markdown"', '"html"'],
    [4, "6000", "-6000"],
    [6, '"sections": [', '"sections": 5, "other": ['],
    [7, "file:STYLE.md", "disk:STYLE.md"],
    [9, '"facts"', '"style"'],
    [10, "1500", "-1"],
    [10, '"maxItems"', '"most"'],
    [11, '"rag": 2', '"rag": 0'],
    [8, '"name": "facts", ', ""],
    [10, '"max": 1500,', '"max": 1500,,'],
  ])("names the file and line %i of JSON", (line, before, after) => {
    expect(json).toContain(before);
    const error = errorOf(() => parseLayout(json.replace(before, after), { format: "json", file: "my/reports.json" }));
    expect(error).toMatchObject({ reason: "INVALID_LAYOUT" });
    expect(error.message).toContain(`my/reports.json, line ${line}: `);
  });

  test.each<[string, "toml" | "json", string]>([
    ["is too long", "toml", "#".repeat(70_000)],
    ["is nested too deeply", "toml", `name = ${"[".repeat(5000)}${"]".repeat(5000)}`],
    ["is nested too deeply", "json", "[".repeat(60_000)],
    ["has a key of 20,000 parts", "toml", `${"a.".repeat(20_000)}a = 1`],
    ["has a table of 20,000 parts", "toml", `[${"a.".repeat(20_000)}a]`],
    ["sets a prototype", "toml", '__proto__ = { name = "x" }'],
    ["sets a prototype", "json", '{ "__proto__": { "name": "x", "sections": [] } }'],
    ["is empty", "json", ""],
    ["is empty", "toml", ""],
    ["is a number", "json", "5"],
  ])("is refused when it %s (%s)", (_, format, text) => {
    const error = errorOf(() => parseLayout(text, { format, file: "x" }));
    expect(error).toMatchObject({ reason: "INVALID_LAYOUT" });
  });
});

function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("It was not refused.");
}
