import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleText } from "@loci/domain";
import { checkLayout, layeredFiles, unescapeText } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { closingOfOpenBlock } from "../../src/rendering/open-blocks.ts";
import { headingsIn, otherStructureIn } from "./markdown-headings.ts";
import { markdownFragments, markdownText } from "./markdown-text.ts";
import { processorTime } from "../processor-time.ts";

const format = formatOf(layeredFiles);

const fragment = fc.constantFrom(...markdownFragments);
const seed = 20_240_301;

/** As people write it: nothing but Markdown, indented by spaces. */
const givenText = fc
  .array(
    fragment
      .map((part) => (/^ *(?:[-*+]|\d+[.)]) $/.test(part) ? `${part}item` : part))
      .filter((part) => !["-", "<div>", "\t", "    ", "    ```", "\u2028", "\u000B"].includes(part)),
    { maxLength: 12 },
  )
  .map((parts) => parts.join("\n"));

describe("text that was said or recalled", () => {
  test("adds no heading, rule, link definition or HTML, wherever it stands", () => {
    fc.assert(
      fc.property(markdownText, fc.constantFrom("line", "inline"), (text, place) => {
        const before = place === "line" ? "" : "[user]: ";
        const whole = `## Before\n${before}${format.escapeText(text, place)}\n\n## After\nend`;
        expect(headingsIn(whole)).toEqual(["## Before", "## After"]);
        // `[user]: ` itself could be read as a link definition, which shows nothing.
        expect(place === "line" ? otherStructureIn(whole) : 0).toBe(0);
      }),
      { numRuns: 3000, seed },
    );
  });

  test("comes back when unescaped, as it was or normalised", () => {
    fc.assert(
      fc.property(markdownText, (text) => {
        const visible = visibleText(text);
        expect([visible, visible.normalize("NFKC")]).toContain(unescapeText(format.escapeText(text, "line")));
      }),
      { numRuns: 2000, seed },
    );
  });

  test("stays readable where it is harmless", () => {
    const text =
      "Use `npm test`.\n\n```ts\n# comment\nconst a: Array<string> = [];\n---\n```\n- [ ] todo #12\n#hashtag a-b = c";
    expect(format.escapeText(text, "line")).toBe(text);
    expect(format.escapeText("# Title\ntext", "line")).toBe("&#35; Title\ntext");
    expect(format.escapeText("# Title\n# Title", "inline")).toBe("# Title\n&#35; Title");
    expect(format.escapeText("```\nopen", "line")).toBe("&#96;``\nopen");
    expect(format.escapeText("＃＃ Wide", "line")).toBe("&#35;# Wide");
  });

  test("is escaped in time that grows with its length", () => {
    for (const part of ["- ", "# ", "```\n", "[", "* ", "> - ", "~~~\n```\n", "-", "1. "]) {
      const text = part.repeat(200_000 / part.length);
      expect(processorTime(() => format.escapeText(text, "line"))).toBeLessThan(2000);
    }
  });
});

describe("text of the application", () => {
  test("takes in nothing that stands behind it", () => {
    fc.assert(
      fc.property(givenText, (text) => {
        const headings = headingsIn(`${format.completeText(text)}\n\n## After\nend`);
        expect(headings.at(-1)).toBe("## After");
      }),
      { numRuns: 3000, seed },
    );
  });

  test.each([
    ["```js\ncode", "```"],
    ["~~~~\ncode\n```", "~~~~"],
    ["text\n<!-- open", "-->"],
    ["<script>\nx", "</script>"],
    ["```\ncode\n```", undefined],
    ["- item\n  ```\n  code", undefined],
    ["- item\n\ntext\n  ```\n", "```"],
    ["<!-- closed -->", undefined],
    ["    ```", undefined],
  ])("is closed when it ends inside a block: %j", (text, closing) => {
    expect(closingOfOpenBlock(text)).toBe(closing);
  });

  test.each([
    ["## Identity", 'heading "identity"'],
    ["text\n\n##   TEAM Goals ##", 'heading "TEAM Goals"'],
    ["Recent Activity\n---", 'heading "Recent Activity"'],
    ["> ## Query", 'heading "Query"'],
  ])("may not hold a heading of the layout: %j", (text, delimiter) => {
    expect(format.findDelimiter(text)?.delimiter.toLowerCase()).toBe(delimiter.toLowerCase());
  });

  test("may hold any other heading", () => {
    for (const text of ["# Identity", "### Identity", "## My Identity", "Identity", "## Team"])
      expect(format.findDelimiter(text)).toBeUndefined();
  });
});

test("a tag of a layout's own is broken behind a word, too", () => {
  const own = formatOf(
    checkLayout({
      name: "own",
      sections: [
        { name: "facts", source: "system", shortening: "never" },
        { name: "said", source: "history", shortening: "history" },
      ],
    }),
  );
  expect(own.escapeText("x<facts> Array<string> </said>", "line")).toBe("x&lt;facts> Array<string> &lt;/said>");
  expect(own.findDelimiter("see <FACTS>")?.delimiter).toBe("tag <facts>");
});
