import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "../src/index.ts";

describe("splitMarkdown", () => {
  test("a piece is a section under its headings", () => {
    const document =
      "---\nstatus: x\n---\n# One log\n\nIntro.\n\n## Context\n\nWhy.\n\n- a\n- b\n\n### Detail\n\nMore.\n\n## Decision\n\nThis.\n";
    expect(splitMarkdown(document)).toEqual([
      "One log\n\nIntro.",
      "One log › Context\n\nWhy.\n\n- a\n- b",
      "One log › Context › Detail\n\nMore.",
      "One log › Decision\n\nThis.",
    ]);
  });

  test("a heading inside a fence is code", () => {
    expect(splitMarkdown("# A\n\n```sh\n# not a heading\n```\n")).toEqual(["A\n\n```sh\n# not a heading\n```"]);
  });

  test("a document without headings, without text, or empty", () => {
    expect(splitMarkdown("Just text.")).toEqual(["Just text."]);
    expect(splitMarkdown("# Only a title\n\n## And another\n")).toEqual([]);
    expect(splitMarkdown("")).toEqual([]);
  });

  test("a skipped heading level leaves no hole", () => {
    expect(splitMarkdown("# A\n\n### C\n\ntext")).toEqual(["A › C\n\ntext"]);
  });

  test("no word is lost, and no piece is long", () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    const paragraph = fc.array(word, { minLength: 1, maxLength: 600 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(paragraph, { minLength: 1, maxLength: 5 }), (paragraphs) => {
        const pieces = splitMarkdown(paragraphs.join("\n\n"));
        expect(pieces.join(" ").split(/\s+/u)).toEqual(paragraphs.join(" ").split(" "));
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2000);
      }),
    );
  });

  test("an emoji is never cut in two", () => {
    const pieces = splitMarkdown("😀".repeat(3000));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
    expect(pieces.join("").replace(/\s/gu, "")).toBe("😀".repeat(3000));
  });
});

test("headings with nothing under them, or only with lines such as a status, are no pieces", () => {
  const document =
    "# 3. SQLite\n\nStatus: accepted, November 2026\n\n## Empty\n\n## Context\n\nIt is one file.\n\n**Date**: 2026-01-01";
  expect(splitMarkdown(document)).toEqual(["3. SQLite › Context\n\nIt is one file.\n\n**Date**: 2026-01-01"]);
  expect(splitMarkdown("# A\n\n- Status: done\n- Authors: Ada")).toEqual([]);
  expect(splitMarkdown("# A\n\nStatus: done\nThe rest is work.")).toHaveLength(1);
});

test("a heading says its words, a long row of dashes is a rule, and what is nested absurdly deep is kept", () => {
  const dashes = "-".repeat(90);
  const rule = "- ".repeat(80).trim();
  expect(splitMarkdown(`# *One* [two](x) \`three\`\n\ntext\n\n${dashes}\n\nmore\n\n${rule}\n\nlast`)).toEqual([
    "One two three\n\ntext\n\nmore\n\nlast",
  ]);
  expect(splitMarkdown(`${"> ".repeat(500)}deep`)[0]).toContain("deep");
});

test("headings that are underlined, line ends of any kind, and definitions of links", () => {
  const document =
    "One\ntwo\n===\n\nFirst.\n\nThree\n---\n\n[a]: https://example.org\n\n> A\n> ===\n\n    code\n    more\n";
  const expected = ["One\ntwo\n\nFirst.", "One\ntwo › Three\n\n> A\n> ===\n\n    code\n    more"];
  expect(splitMarkdown(document)).toEqual(expected);
  for (const lineEnd of ["\r\n", "\r"])
    expect(splitMarkdown(document.replaceAll("\n", lineEnd)).map((piece) => piece.replaceAll(lineEnd, "\n"))).toEqual(
      expected,
    );
});

test("headings below what is nested absurdly deep are headings", () => {
  const steps = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join("");
  for (const deep of ["* ".repeat(300), "> ".repeat(300), "> - ".repeat(150), "1. ".repeat(200), steps])
    expect(splitMarkdown(`${deep}deep\n\n# Below\n\nText.`).at(-1)).toBe("Below\n\nText.");
  expect(splitMarkdown(`<!--\n${" ".repeat(60)}-->\n\nText.`)).toEqual(["Text."]);
});
