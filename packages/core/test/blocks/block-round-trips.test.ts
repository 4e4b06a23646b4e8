import { isDeepStrictEqual } from "node:util";
import { blockValue, LociError } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blockText,
  checkBlockValues,
  normalBlockValues,
  readBlockMarkdown,
  readBlockToml,
  writeBlockMarkdown,
  writeBlockToml,
} from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyValues, everyField, hostileText } from "./any-block.ts";

const runs = { numRuns: propertyRuns(500) };

test("normal form is a fixed point, and TOML and Markdown give it back", () => {
  fc.assert(
    fc.property(anyValues, (given) => {
      const values = normalBlockValues(everyField, given);
      expect(normalBlockValues(everyField, values)).toEqual(values);
      expect(readBlockToml(everyField, writeBlockToml(everyField, values))).toEqual(values);
      expect(readBlockMarkdown("x", everyField, writeBlockMarkdown("x", everyField, values))).toEqual(values);
    }),
    runs,
  );
});

test("line breaks and spaces that an editor leaves change nothing", () => {
  fc.assert(
    fc.property(anyValues, (given) => {
      const values = normalBlockValues(everyField, given);
      const markdown = writeBlockMarkdown("x", everyField, values);
      for (const edited of [`\uFEFF${markdown}`, markdown.replaceAll("\n", "\r\n"), markdown.slice(0, -1)])
        expect(readBlockMarkdown("x", everyField, edited)).toEqual(values);
    }),
    runs,
  );
});

test("each field has at most one line in a context", () => {
  fc.assert(
    fc.property(anyValues, (given) => {
      const values = normalBlockValues(everyField, given);
      const lines = blockText(everyField, values).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, Object.keys(values).length));
    }),
    runs,
  );
});

test("any text is Markdown of a block, or refused with a line of it", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const markdown = `---\nblock: x\n---\n## Name\n${text}`;
      const lines = markdown.split(/\r\n|[\r\n]/).length;
      expect(isReadOrRefused(markdown, lines)).toBe(true);
    }),
    runs,
  );
});

function isReadOrRefused(markdown: string, lines: number): boolean {
  try {
    const values = readBlockMarkdown("x", everyField, markdown);
    return isDeepStrictEqual(normalBlockValues(everyField, values), values);
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "INVALID_BLOCK_TEXT") throw error;
    const line = Number(error.details["line"]);
    return line >= 4 && line <= lines;
  }
}

test.each([
  [{ shoe: "42" }, "INVALID_BLOCK"],
  [{ name: 42 }, "INVALID_BLOCK"],
  [{ name: "\uD800" }, "INVALID_BLOCK"],
  [{ seats: 1.5 }, "INVALID_BLOCK"],
  [{ since: "2026-02-31" }, "INVALID_BLOCK"],
  [{ tier: "gold" }, "INVALID_BLOCK"],
  [{ tags: "a" }, "INVALID_BLOCK"],
  [{ rules_kept: ["a", "b", "c", "d", "e"] }, "BLOCK_LIMIT_EXCEEDED"],
  [{ constructor: "é".repeat(40_000) }, "BLOCK_LIMIT_EXCEEDED"],
])("refuses %j", (values, reason) => {
  expect(() => checkBlockValues(everyField, values as never)).toThrow(expect.objectContaining({ reason }));
});

test.each([
  ["since = 2026-02-31\n", "INVALID_BLOCK"],
  ["since = 2026-02-01T10:00:00Z\n", "INVALID_BLOCK"],
  ["shoe = 1\n", "INVALID_BLOCK"],
  ["name = 'a\n", "INVALID_BLOCK_TEXT"],
  ["[name]\na = 1\n", "INVALID_BLOCK"],
  ["__proto__ = 'a'\n", "INVALID_BLOCK"],
])("refuses the TOML %j", (toml, reason) => {
  expect(() => readBlockToml(everyField, toml)).toThrow(expect.objectContaining({ reason }));
});

test("what is required must be there, and what is absent gets its default", () => {
  const schema = {
    name: "x",
    fields: [
      { name: "role", type: "string", required: true },
      { name: "tone", type: "string", default: "calm" },
    ],
  } as const;
  expect(() => checkBlockValues(schema, {})).toThrow(expect.objectContaining({ reason: "INVALID_BLOCK" }));
  expect(checkBlockValues(schema, { role: " a " })).toEqual({ role: "a", tone: "calm" });
  expect(blockValue({}, "constructor")).toBeUndefined();
});
