import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import {
  checkCoreMemory,
  type CoreMemoryCheck,
  coreMemoryHeadings,
  coreMemoryTemplate,
  demotedLine,
  lineAges,
  promotedLine,
} from "../../src/index.ts";
import { approxTokenCounter } from "../../src/tokens/approx-token-counter.ts";
import golden from "../golden/core-memory.json" with { type: "json" };

test("the golden file is whole", () => {
  expect(golden.cases).toHaveLength(38);
  expect(new Set(golden.cases.map(({ in: { tokenizer } }) => tokenizer))).toEqual(new Set(["approx"]));
});

test.each(golden.cases)("$name", ({ in: { text }, out }) => {
  expect(outcome(text)).toEqual(out);
});

function outcome(text: string): CoreMemoryCheck | { readonly error: string; readonly line: number } {
  try {
    return checkCoreMemory(text, approxTokenCounter);
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return { error: error.reason, line: Number(error.details["line"]) };
  }
}

test.each(["<!-- BUDGET: 3 linesome -->", "<!-- BUDGET:3 lines", "<!-- BUDGET: -3 lines -->"])(
  "%j names no limits",
  (text) => {
    expect(outcome(text)).toEqual({ error: "INVALID_BLOCK_TEXT", line: 1 });
  },
);

test("the template is within its own limits and takes a line below each heading", () => {
  expect(checkCoreMemory(coreMemoryTemplate, approxTokenCounter)).toMatchObject({ allowed: true, maxLines: 80 });
  let document = coreMemoryTemplate;
  for (const title of coreMemoryHeadings)
    document = promotedLine(document, ` ${title.toUpperCase()}`, `about\n${title}`);
  for (const title of coreMemoryHeadings) expect(document).toContain(`## ${title}\n- about ${title}\n`);
  expect(promotedLine(document, "About me", "about About me")).toBe(document);
});

test("what is demoted is the line that was promoted", () => {
  const document = "# About me\n- calm\n\n# Rules\n- short";
  const promoted = promotedLine(document, "about me", "kind");
  expect(promoted).toBe("# About me\n- calm\n- kind\n\n# Rules\n- short");
  expect(demotedLine(promoted, "kind")).toEqual({ document, text: "kind" });
  expect(() => demotedLine(document, "# Rules")).toThrow(expect.objectContaining({ reason: "INVALID_BLOCK" }));
  expect(() => promotedLine(document, "nowhere", "x")).toThrow(expect.objectContaining({ reason: "INVALID_BLOCK" }));
});

test("lines are as old as the versions that held them without a break", () => {
  const day = 86_400_000;
  const versions = [
    { at: 100 * day, text: "# A\nnew\nold\nback" },
    { at: 80 * day, text: "# A\nold" },
    { at: 10 * day, text: "# A\nold\nback" },
  ];
  expect(lineAges(versions, 100 * day)).toEqual({ recent: ["new", "back"], older: ["old"] });
  expect(lineAges([], 0)).toEqual({ recent: [], older: [] });
});
