import type { WindowOverrides } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkLayout,
  layeredFiles,
  planWindow,
  type ResolvedModel,
  resolveModel,
  sectionNames,
  threeTier,
  type WindowPlan,
} from "../../src/index.ts";

const unnamed = resolveModel(undefined);

function partsOf(plan: WindowPlan): number[] {
  const sections = sectionNames.map((name) => plan.sections[name] ?? Number.NaN);
  return [...sections, plan.queryTokens, plan.responseTokens, plan.safetyBufferTokens];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}

describe("presets", () => {
  test.each([
    ["gpt-4", "8K", [500, 1000, 500, 1000, 2000, 1000, 2000, 192], 8192],
    [undefined, "8K", [500, 1000, 500, 1000, 2000, 1000, 2000, 192], 8192],
    ["gpt-4-turbo", "128K", [1000, 2000, 1000, 4000, 8000, 4000, 8000, 1000], 29_000],
    ["gpt-3.5-turbo", "4K", [300, 400, 300, 400, 800, 500, 1200, 100], 4000],
  ])("%s gets the %s window", (model, preset, parts, totalTokens) => {
    const plan = planWindow({ resolved: resolveModel(model) });
    expect(partsOf(plan)).toEqual(parts);
    expect(plan).toMatchObject({ preset, totalTokens, sectionsTokens: sum(parts.slice(0, 5)) });
  });
});

test("overrides replace the preset's numbers", () => {
  const overrides = { sections: { knowledge: 3000, task: 0 }, query: 1, response: 2, safetyBuffer: 3 };
  const plan = planWindow({ resolved: unnamed, overrides });
  expect(partsOf(plan)).toEqual([500, 1000, 0, 1000, 3000, 1, 2, 3]);
  expect(plan).toMatchObject({ sectionsTokens: 5500, totalTokens: 5506 });
});

describe("scaleTo", () => {
  test("keeps the proportions, by largest remainder", () => {
    expect(partsOf(planWindow({ resolved: unnamed, overrides: { scaleTo: 16_384 } }))).toEqual([
      1000, 2000, 1000, 2000, 4000, 2000, 4000, 384,
    ]);
    // Quotas: 61.04 122.07 61.04 122.07 244.14 122.07 244.14 23.44; the one left goes to the last.
    expect(partsOf(planWindow({ resolved: unnamed, overrides: { scaleTo: 1000 } }))).toEqual([
      61, 122, 61, 122, 244, 122, 244, 24,
    ]);
  });

  test("caps the response at the model's maximum output and keeps the sum", () => {
    const plan = planWindow({ resolved: resolveModel("gpt-4-turbo"), overrides: { scaleTo: 128_000 } });
    expect(plan).toMatchObject({ responseTokens: 4096, totalTokens: 128_000 });
    expect(plan.sections["knowledge"]).toBe(Math.round(((128_000 - 4096) * 8000) / 21_000));
  });

  test("parts are whole, within one of their share, and add up exactly", () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.constantFrom("4K", "8K", "128K"),
        fc.option(fc.nat(20_000), { nil: undefined }),
        fc.array(fc.nat(9000), { minLength: 5, maxLength: 5 }),
        (scaleTo, preset, maxOutputTokens, bases) => {
          const resolved: ResolvedModel = { ...unnamed, preset, maxOutputTokens };
          const sections = Object.fromEntries(sectionNames.map((name, index) => [name, bases[index] as number]));
          const weights = partsOf(planWindow({ resolved, overrides: { sections } }));
          const plan = planWindow({ resolved, overrides: { sections, scaleTo } });
          const parts = partsOf(plan);
          expect(sum(parts)).toBe(scaleTo);
          expect(plan.totalTokens).toBe(scaleTo);
          expect(plan.responseTokens).toBeLessThanOrEqual(maxOutputTokens ?? Infinity);
          for (const part of parts) expect(Number.isInteger(part) && part >= 0).toBe(true);
          if (maxOutputTokens !== undefined) return;
          for (const [index, part] of parts.entries())
            expect(Math.abs(part - ((weights[index] as number) * scaleTo) / sum(weights))).toBeLessThan(1);
        },
      ),
    );
  });
});

describe("fillWindow", () => {
  const fill = { fillWindow: true };

  test("uses the model's real window", () => {
    expect(planWindow({ resolved: resolveModel("gpt-4o"), overrides: fill })).toMatchObject({
      totalTokens: 128_000,
      responseTokens: 16_384,
    });
    expect(planWindow({ resolved: resolveModel("gpt-4"), overrides: fill }).totalTokens).toBe(8192);
    const off = { resolved: resolveModel("gpt-4o"), overrides: { fillWindow: false } };
    expect(planWindow(off).totalTokens).toBe(29_000);
  });

  test.each([undefined, "gpt-99"])("refuses %s, whose window is not known", (name) => {
    expect(() => planWindow({ resolved: resolveModel(name), overrides: fill })).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", field: "model" }),
    );
  });

  test("refuses a size beside it", () => {
    const options = { resolved: resolveModel("gpt-4"), overrides: { ...fill, scaleTo: 1000 } };
    expect(() => planWindow(options)).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", field: "window.fillWindow" }),
    );
  });
});

describe("other layouts", () => {
  test("have the total of their own, divided by nothing but limits", () => {
    const plan = planWindow({ resolved: unnamed, layout: layeredFiles });
    expect(plan).toMatchObject({ sectionsTokens: 16_000, queryTokens: 1000, totalTokens: 19_192 });
    expect(new Set(Object.values(plan.sections))).toEqual(new Set([0]));
    expect(plan.limits).toMatchObject({
      identity: {},
      "recent-activity": { max: 3000 },
      "knowledge-base": { max: 2000 },
    });
  });

  test("share a total of their own by the bases that they or the caller say", () => {
    const sections = [
      { name: "system", source: "system", shortening: "never", base: 500 },
      { name: "rules", source: "file:RULES.md", shortening: "sentences", base: 1000 },
      { name: "knowledge", source: "knowledge", shortening: "items" },
    ] as const;
    const layout = checkLayout({ name: "coder", totalTokens: 4000, sections });
    const plan = planWindow({ resolved: unnamed, layout });
    expect(plan).toMatchObject({ sectionsTokens: 4000, sections: { system: 500, rules: 1000, knowledge: 0 } });
    const overrides = { sections: { system: 700 }, scaleTo: plan.totalTokens / 2 };
    const halved = planWindow({ resolved: unnamed, layout, overrides });
    expect(halved).toMatchObject({ sectionsTokens: 2000, sections: { system: 350, rules: 500, knowledge: 0 } });
  });

  test("are scaled with their limits, and a section's override is the most it may get", () => {
    const overrides = { scaleTo: 9596, sections: { "recent-activity": 1000 } };
    const plan = planWindow({ resolved: unnamed, layout: layeredFiles, overrides });
    expect(plan).toMatchObject({ sectionsTokens: 8000, totalTokens: 9596 });
    expect(plan.limits).toMatchObject({ "recent-activity": { max: 500 }, "team-knowledge": { max: 1000 } });
  });

  test("take from the preset what they do not say", () => {
    const plan = planWindow({ resolved: unnamed, layout: threeTier });
    expect(plan.sections).toEqual({ "core-memory": 1500, "archival-memories": 2000, task: 500, history: 1000 });
    expect(plan).toMatchObject({ sectionsTokens: 5000, totalTokens: 8192 });
    expect(plan.limits).toMatchObject({ "archival-memories": { max: 1400 } });
  });
});

describe("refused", () => {
  test.each<[string, WindowOverrides]>([
    ["window.sections.history", { sections: { history: -1 } }],
    ["window.sections.system", { sections: { system: Number.NaN } }],
    ["window.sections.notes", { sections: { notes: 100 } }],
    ["window.sections.toString", { sections: { toString: 100 } }],
    ["window.query", { query: 0.5 }],
    ["window.response", { response: Infinity }],
    ["window.safetyBuffer", { safetyBuffer: -1 }],
    ["window.scaleTo", { scaleTo: -1 }],
    ["window.scaleTo", { scaleTo: 1.5 }],
    [
      "window.scaleTo",
      {
        sections: Object.fromEntries(sectionNames.map((name) => [name, 0])),
        query: 0,
        response: 0,
        safetyBuffer: 0,
        scaleTo: 1,
      },
    ],
  ])("a bad %s", (field, overrides) => {
    expect(() => planWindow({ resolved: unnamed, overrides })).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", field }),
    );
  });

  test("more than the model takes", () => {
    const options = { resolved: resolveModel("gpt-4"), overrides: { sections: { knowledge: 2001 } } };
    expect(() => planWindow(options)).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", details: { neededTokens: "8193", budgetTokens: "8192" } }),
    );
  });
});
