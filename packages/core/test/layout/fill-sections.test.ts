import { describe, expect, test } from "vitest";
import {
  fillSections,
  type KeptSources,
  layeredFiles,
  memoryBlocks,
  shownSources,
  threeTier,
} from "../../src/index.ts";
import { checkLayout } from "../../src/layout/check-layout.ts";

const kept: KeptSources = {
  blocks: [
    { label: "persona", version: 3, text: "[IDENTITY] Coach" },
    { label: "human", version: 7, text: "[USER] Ann", currentTask: "Write the report" },
    { label: "persona", version: 9, text: "of another owner" },
  ],
  turnState: "Task: the report",
};

function placesOf(
  layout: Parameters<typeof fillSections>[0],
  sources: KeptSources = kept,
  given: string[] = [],
): string[] {
  return fillSections(layout, sources, (source) => given.includes(source)).map(
    ({ source, id, isStable }) => `${source} ${id}${isStable ? " stable" : ""}`,
  );
}

describe("what Loci keeps stands in the sections of a layout", () => {
  test("behind what is given for system and project, instead of it as task", () => {
    expect(placesOf(memoryBlocks)).toEqual([
      "system block:persona@3 stable",
      "project block:human@7",
      "task turnState",
    ]);
    expect(placesOf(memoryBlocks, kept, ["system", "task"])).toEqual([
      "system block:persona@3 stable",
      "project block:human@7",
    ]);
    expect(placesOf(memoryBlocks, { blocks: kept.blocks })).toContain("task block:human@7");
  });

  test("as core memory: the document, else persona and human", () => {
    expect(placesOf(threeTier)).toEqual([
      "coreMemory block:persona@3 stable",
      "coreMemory block:human@7",
      "task turnState",
    ]);
    const document = { label: "core_memory", version: 1, text: "# Core" };
    expect(placesOf(threeTier, { ...kept, blocks: [...kept.blocks, document] })).toEqual([
      "coreMemory block:core_memory@1 stable",
      "task turnState",
    ]);
    expect(placesOf(threeTier, kept, ["coreMemory"])).toEqual(["task turnState"]);
  });

  test("as identity, unless there is the file", () => {
    expect(placesOf(layeredFiles)).toEqual(["file:IDENTITY.md block:persona@3 stable"]);
    expect(placesOf(layeredFiles, kept, ["file:IDENTITY.md"])).toEqual([]);
  });

  test("each once, rather in a section that asks for it by name", () => {
    const own = checkLayout({
      name: "own",
      sections: [
        { name: "system", source: "system", shortening: "never" },
        { name: "who", source: "block:persona", shortening: "sentences" },
        { name: "state", source: "turnState", shortening: "sentences" },
        { name: "task", source: "task", shortening: "sentences" },
      ],
    });
    expect(placesOf(own)).toEqual([
      "block:persona block:persona@3 stable",
      "turnState turnState",
      "task block:human@7",
    ]);
    expect(shownSources(own)).toEqual({ blocks: new Set(["persona", "human"]), turnState: true });
    expect(shownSources(layeredFiles)).toEqual({ blocks: new Set(["persona"]), turnState: false });
  });

  test("but nothing that says nothing", () => {
    expect(placesOf(memoryBlocks, { blocks: [{ label: "persona", version: 1, text: " \n" }], turnState: "" })).toEqual(
      [],
    );
  });

  test("and only labels can be asked for", () => {
    const layout = (source: string) => () =>
      checkLayout({ name: "own", sections: [{ name: "a", source: source as "block:a", shortening: "never" }] });
    expect(layout("block:notes_2")).not.toThrow();
    expect(layout("block:Notes")).toThrow(/source/);
    expect(layout("block:")).toThrow(/source/);
  });
});
