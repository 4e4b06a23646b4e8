import { expect, test } from "vitest";
import { assembleContext, checkLayout, planWindow, resolveModel } from "../../src/index.ts";
import { exampleInput } from "./example-input.ts";

const days = Array.from({ length: 6 }, (_, index) => ({
  date: `2026-11-2${index}`,
  text: `Built part ${index}. # not a heading\n## nor this\n${"Then more of it. ".repeat(index * 3)}`,
}));

test("wherever a text of days is cut, each heading is a whole date with something below it", () => {
  const seen = new Set<number>();
  for (let log = 1; log < 420; log++) {
    const layout = checkLayout({
      name: "log",
      rendering: "markdown",
      sections: [
        { name: "about", title: "About", source: "system", shortening: "never", base: 40 },
        { name: "log", title: "Log", source: "days", shortening: "characters", base: 100 },
      ],
    });
    const plan = planWindow({
      resolved: resolveModel(undefined),
      layout,
      overrides: { sections: { about: 30, log }, query: 8 },
    });
    const { text } = assembleContext(
      exampleInput({ layout, plan, query: "What next?", messages: [], files: { files: {}, teamFiles: {}, days } }),
    );
    const lines = text.split("\n");
    const headings = lines.flatMap((line, index) => (line.startsWith("###") ? [index] : []));
    for (const index of headings) {
      expect(days.map(({ date }) => `### ${date}`)).toContain(lines[index]);
      expect(lines[index + 1]).toMatch(/^Bu?i?l?t?/);
      expect(lines[index + 1]).not.toBe("... [truncated]");
    }
    seen.add(headings.length);
  }
  expect([...seen].toSorted((left, right) => left - right)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
