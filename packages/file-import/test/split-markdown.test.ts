import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "../src/index.ts";

describe("splitMarkdown", () => {
  const long = (word: string): string => Array.from({ length: 130 }, () => word).join(" ");

  test("a piece is a section under its headings", () => {
    const [intro, why, more, decision] = [long("introduce"), long("because"), long("further"), long("decided")];
    const document = `---\nstatus: x\n---\n# One log\n\n${intro}\n\n## Context\n\n${why}\n\n### Detail\n\n${more}\n\n## Decision\n\n${decision}\n`;
    expect(splitMarkdown(document)).toEqual([
      `One log\n\n${intro}`,
      `One log › Context\n\n${why}`,
      `One log › Context › Detail\n\n${more}`,
      `One log › Decision\n\n${decision}`,
    ]);
  });

  test("short sections that follow each other under one heading are one piece, with their own headings in it", () => {
    const document =
      "---\nstatus: x\n---\n# One log\n\nIntro.\n\n## Context\n\nWhy.\n\n- a\n- b\n\n### Detail\n\nMore.\n\n## Decision\n\nThis.\n";
    expect(splitMarkdown(document)).toEqual([
      "One log\n\nIntro.\n\nContext\n\nWhy.\n\n- a\n- b\n\nDetail\n\nMore.\n\nDecision\n\nThis.",
    ]);
    const split = `# A\n\n## B\n\none\n\n## C\n\ntwo\n\n## D\n\n${long("further")}\n\n## E\n\nthree\n\n## F\n\nfour`;
    expect(splitMarkdown(split)).toEqual([
      "A\n\nB\n\none\n\nC\n\ntwo",
      `A › D\n\n${long("further")}`,
      "A\n\nE\n\nthree\n\nF\n\nfour",
    ]);
  });

  test("sections are joined up to 1,000 characters and no further", () => {
    const section = (index: number): string => `## S${index}\n\n${"x".repeat(298)}`;
    const pieces = splitMarkdown(`# A\n\n${[1, 2, 3, 4, 5].map(section).join("\n\n")}`);
    expect(pieces.map((piece) => piece.match(/S\d/gu)?.join(""))).toEqual(["S1S2S3", "S4S5"]);
    expect(splitMarkdown(`# A\n\n${"x".repeat(700)}\n\n## B\n\n${"y".repeat(299)}`)).toHaveLength(1);
    expect(splitMarkdown(`# A\n\n${"x".repeat(700)}\n\n## B\n\n${"y".repeat(300)}`)).toHaveLength(2);
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
  const expected = ["One\ntwo\n\nFirst.\n\nThree\n\n> A\n> ===\n\n    code\n    more"];
  expect(splitMarkdown(document)).toEqual(expected);
  for (const lineEnd of ["\r\n", "\r"])
    expect(splitMarkdown(document.replaceAll("\n", lineEnd)).map((piece) => piece.replaceAll(lineEnd, "\n"))).toEqual(
      expected,
    );
});

test("headings below what is nested absurdly deep are headings", () => {
  const steps = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join("");
  for (const deep of ["* ".repeat(300), "> ".repeat(300), "> - ".repeat(150), "1. ".repeat(200), steps])
    expect(splitMarkdown(`${deep}deep\n\n# Below\n\nText.`).at(-1)).toMatch(/deep\n\nBelow\n\nText\.$/u);
  expect(splitMarkdown(`<!--\n${" ".repeat(60)}-->\n\nText.`)).toEqual(["Text."]);
});

test("a table is remembered without the spaces that align it, and its rows with the names of their columns", () => {
  const wide = "| what     | at most |\n| -------- | ------: |\n| a  text  | 65,536  |\n|          | a \\| b  |";
  expect(splitMarkdown(`# Limits\n\n${wide}`)).toEqual([
    "Limits\n\n| what | at most |\n| --- | ---: |\n| a  text | 65,536 |\n| | a \\| b |",
  ]);
  const rows = Array.from({ length: 60 }, (_, index) => `| setting ${index} | ${"word ".repeat(9).trim()} |`);
  const names = "name | meaning\n--- | ---";
  const pieces = splitMarkdown(`# Settings\n\nBefore.\n\n${names}\n${rows.join("\n")}\n\nBehind.`);
  expect(pieces.length).toBeGreaterThan(5);
  for (const piece of pieces)
    expect(piece.split("| setting")[0]).toMatch(/^Settings\n\n(?:Before\.\n\n)?name \| meaning\n--- \| ---\n$/u);
  expect(pieces.at(-1)).toMatch(/\n\nBehind\.$/u);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(620);
  expect(pieces.flatMap((piece) => piece.split("\n").filter((line) => line.includes("setting")))).toEqual(rows);
});

test("what only looks like a table stays as it is written", () => {
  const code = `\`\`\`\n| a |   b |\n| - | - |\n\`\`\``;
  const line = "a  |  b, and no dashes below";
  expect(splitMarkdown(`# A\n\n${code}\n\n${line}`)).toEqual([`A\n\n${code}\n\n${line}`]);
});
