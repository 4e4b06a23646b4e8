import { LociError } from "@loci/domain";
import { describe, expect, test } from "vitest";
import {
  blockText,
  humanText,
  normalBlockValues,
  personaText,
  readBlockMarkdown,
  readBlockToml,
  writeBlockMarkdown,
  writeBlockToml,
} from "../../src/index.ts";
import forms from "../golden/block-forms.json" with { type: "json" };
import markdownCases from "../golden/block-markdown.json" with { type: "json" };
import profiles from "../golden/profile-blocks.json" with { type: "json" };
import { goldenSchema, goldenValues } from "./golden-schema.ts";

test("the golden files are whole", () => {
  expect([forms, markdownCases, profiles].map(({ rule, cases }) => [rule, cases.length])).toEqual([
    ["block-forms", 36],
    ["block-markdown", 40],
    ["profile-blocks", 33],
  ]);
});

describe("text of persona and human", () => {
  test.each(profiles.cases)("$name", ({ in: given, out }) => {
    const text =
      given.human === undefined ? personaText(goldenValues(given.persona)) : humanText(goldenValues(given.human));
    expect(text).toBe(out.text);
  });
});

describe("forms", () => {
  test.each(forms.cases)("$name", ({ in: given, out }) => {
    const schema = goldenSchema(given.label, given.schema);
    const values = normalBlockValues(schema, goldenValues(given.values));
    expect(values).toEqual(out.values);
    expect(writeBlockToml(schema, values)).toBe(out.toml);
    expect(writeBlockMarkdown(given.label, schema, values)).toBe(out.markdown);
    expect(blockText(schema, values)).toBe(out.text);
    expect(readBlockToml(schema, out.toml)).toEqual(out.values);
    expect(readBlockMarkdown(given.label, schema, out.markdown)).toEqual(out.values);
  });
});

describe("Markdown read back", () => {
  test.each(markdownCases.cases)("$name", ({ in: given, out }) => {
    expect(outcome(given)).toEqual(out);
  });

  function outcome({ label, schema, markdown }: (typeof markdownCases.cases)[number]["in"]): unknown {
    try {
      return { values: readBlockMarkdown(label, goldenSchema(label, schema), markdown) };
    } catch (error) {
      if (!LociError.is(error)) throw error;
      return { error: error.reason, line: Number(error.details["line"]) };
    }
  }
});
