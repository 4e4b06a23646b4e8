import assert from "node:assert/strict";
import { LociError, visibleText } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { assembleContext, layeredFiles, unescapeText } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { headingsIn, otherStructureIn } from "../rendering/markdown-headings.ts";
import { markdownText } from "../rendering/markdown-text.ts";
import { anyAssembly } from "./any-assembly.ts";
import { expectedItems } from "./expected-items.ts";
import { parseContext } from "./parse-context.ts";

// `npm run test:attack` asks for many more than a run of all tests has time for. Seeded, so that what fails fails again.
const wanted =
  process.env["LOCI_ATTACK"] === "1" ? { xml: 270_000, markdown: 40_000 } : { xml: 4_000, markdown: 2_000 };
const batch = 400;
const refusals = ["SECTION_OVER_BUDGET", "WINDOW_TOO_SMALL", "QUERY_TOO_LARGE", "KEPT_MESSAGES_TOO_LARGE"];

test(`${wanted.xml} fuzzed renderings in contexts parse back into what went in, within their budgets`, () => {
  let renderings = 0;
  for (let seed = 1; renderings < wanted.xml; seed++)
    for (const input of fc.sample(anyAssembly(), { numRuns: batch, seed: 7919 * seed })) {
      if (renderings >= wanted.xml) break;
      try {
        const output = assembleContext(input);
        assert.ok(output.usage.totalTokens <= output.usage.budgetTokens);
        const kept = output.receipt.items.filter(({ outcome }) => outcome !== "dropped");
        for (const block of parseContext(output.text)) {
          const expected = expectedItems(block, input, kept, output);
          assert.equal(block.items.length, expected.length);
          for (const [index, { attributes, text }] of block.items.entries()) {
            const { text: visible, attributes: known } = expected[index] ?? { text: "", attributes: {} };
            assert.deepEqual(attributes, known);
            assert.ok(text === visible || text === visible.normalize("NFKC"), text);
            renderings++;
          }
        }
      } catch (error) {
        if (!LociError.is(error) || !refusals.includes(error.reason)) throw error;
      }
    }
  expect(renderings).toBeGreaterThanOrEqual(wanted.xml);
}, 900_000);

test(`${wanted.markdown} fuzzed renderings in Markdown add no structure, and come back when unescaped`, () => {
  const format = formatOf(layeredFiles);
  let renderings = 0;
  for (const text of fc.sample(markdownText, { numRuns: wanted.markdown, seed: 104_729 })) {
    const escaped = format.escapeText(text, "line");
    const whole = `## Before\n${escaped}\n\n## After\nend`;
    const headings = headingsIn(whole);
    assert.ok(headings.length === 2 && otherStructureIn(whole) === 0, JSON.stringify(text));
    const visible = visibleText(text);
    const read = unescapeText(escaped);
    assert.ok(read === visible || read === visible.normalize("NFKC"), JSON.stringify(text));
    renderings++;
  }
  expect(renderings).toBe(wanted.markdown);
}, 900_000);
