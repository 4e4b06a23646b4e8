import { type ErrorReason, LociError, type WaterfallMode } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distribute, type WaterfallRequest, type WaterfallResult, type WaterfallSection } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import golden from "../golden/waterfall.json" with { type: "json" };

interface GoldenSection {
  name: string;
  rank?: number;
  base?: number;
  need: number;
  never: boolean;
  max?: number | null;
  floor?: number;
}

describe("golden", () => {
  test("has all cases", () => expect(golden.cases).toHaveLength(39));

  test.each(golden.cases)("$name", ({ in: { total, mode, sections }, out }) => {
    const request: WaterfallRequest = {
      total,
      mode: mode as WaterfallMode,
      sections: (sections as GoldenSection[]).map(({ rank = 0, max, ...section }) => ({
        ...section,
        rank,
        max: max ?? undefined,
      })),
    };
    expect(goldenForm(request)).toEqual(out);
  });
});

const modes = ["fill", "cascade", "last", "sequential"] as const;

const anySection: fc.Arbitrary<Omit<WaterfallSection, "name">> = fc.record({
  rank: fc.integer({ min: 1, max: 5 }),
  base: fc.nat(2000),
  need: fc.nat(3000),
  never: fc.boolean(),
  max: fc.option(fc.nat(2000), { nil: undefined }),
  floor: fc.option(fc.nat(500), { nil: undefined }),
});

const anyRequest: fc.Arbitrary<WaterfallRequest> = fc.record({
  total: fc.nat(12_000),
  mode: fc.constantFrom(...modes),
  sections: fc
    .array(anySection, { maxLength: 7 })
    .map((sections) => sections.map((section, index) => ({ ...section, name: `section-${index}` }))),
});

describe("properties", () => {
  test("grants and unused add up to the total, and no section gets more than it needs", () => {
    fc.assert(
      fc.property(distributed(...modes), ({ request, grants, unused }) => {
        expect(sum([...grants.values(), unused])).toBe(request.total);
        expect(unused).toBeGreaterThanOrEqual(0);
        expect([...grants.keys()]).toEqual(request.sections.map(({ name }) => name));
        for (const { name, need } of request.sections) {
          expect(grants.get(name)).toBeGreaterThanOrEqual(0);
          expect(grants.get(name)).toBeLessThanOrEqual(need);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("a never-cut section gets its need", () => {
    fc.assert(
      fc.property(distributed(...modes), ({ request, grants }) => {
        for (const { name, need } of request.sections.filter(({ never }) => never)) expect(grants.get(name)).toBe(need);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("fill: no section is short while tokens are unused", () => {
    fc.assert(
      fc.property(distributed("fill"), ({ request, grants, unused }) => {
        const short = request.sections.filter(({ name, need }) => (grants.get(name) ?? 0) < need);
        expect(Math.min(unused, short.length)).toBe(0);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("a section keeps what its base promises when the bases fit", () => {
    fc.assert(
      fc.property(distributed("fill", "cascade", "last"), ({ request, grants }) => {
        fc.pre(sum(request.sections.map(({ base = 0 }) => base)) <= request.total);
        for (const { name, base = 0, need } of request.sections)
          expect(grants.get(name)).toBeGreaterThanOrEqual(Math.min(base, need));
      }),
    );
  });

  test("sequential: no section gets more than its maximum, and all get their floor if there is room for it", () => {
    fc.assert(
      fc.property(distributed("sequential"), ({ request, grants }) => {
        const least = request.sections.map(({ never, need, floor = 0 }) => (never ? need : Math.min(floor, need)));
        const hasRoom = sum(least) <= request.total;
        for (const [index, { name, never, need, max = need }] of request.sections.entries()) {
          const most = never ? need : max;
          expect(grants.get(name)).toBeLessThanOrEqual(most);
          expect(grants.get(name)).toBeGreaterThanOrEqual(hasRoom ? Math.min(least[index] as number, most) : 0);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("a larger total never grants a section less", () => {
    fc.assert(
      fc.property(distributed(...modes), fc.nat(2000), ({ request, grants }, more) => {
        const larger = distribute({ ...request, total: request.total + more });
        for (const [name, grant] of grants) expect(larger.grants.get(name)).toBeGreaterThanOrEqual(grant);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("the same request gives the same result, and is not changed", () => {
    fc.assert(
      fc.property(distributed(...modes), ({ request, grants, unused }) => {
        const copy = structuredClone(request);
        expect(distribute(request)).toEqual({ grants, unused });
        expect(request).toEqual(copy);
      }),
    );
  });

  test("only what never-cut sections make impossible is refused", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(errorOf(request)?.reason).toBe(expectedRefusal(request));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe("errors", () => {
  const system = { name: "system", rank: 1, base: 500, need: 712, never: true };

  test("SECTION_OVER_BUDGET has the numbers", () => {
    expect(errorOf({ total: 10_000, mode: "fill", sections: [system] })).toMatchObject({
      reason: "SECTION_OVER_BUDGET",
      resource: "system",
      details: { neededTokens: "712", budgetTokens: "500" },
      message: 'The section "system" is never cut and needs 712 tokens, 212 more than its budget of 500.',
    });
  });

  test("of several sections over budget the first in rank is named", () => {
    const sections = [{ ...system, name: "second", rank: 2 }, system];
    expect(errorOf({ total: 10_000, mode: "last", sections })).toMatchObject({ resource: "system" });
  });

  test("WINDOW_TOO_SMALL has the numbers; a whole base counts even when less is needed", () => {
    expect(errorOf({ total: 499, mode: "fill", sections: [{ ...system, need: 10 }] })).toMatchObject({
      reason: "WINDOW_TOO_SMALL",
      details: { neededTokens: "500", budgetTokens: "499" },
    });
    expect(errorOf({ total: 700, mode: "sequential", sections: [system] })).toMatchObject({
      reason: "WINDOW_TOO_SMALL",
      details: { neededTokens: "712", budgetTokens: "700" },
    });
  });

  test.each([
    ["total", { total: -1 }],
    ["total", { total: Number.NaN }],
    ["sections.system.need", { sections: [{ ...system, need: 1.5 }] }],
    ["sections.system.base", { sections: [{ ...system, base: -1 }] }],
    ["sections.system.max", { sections: [{ ...system, max: Number.NaN }] }],
    ["sections.system.floor", { sections: [{ ...system, floor: Infinity }] }],
    ["sections.system.rank", { sections: [{ ...system, rank: Number.NaN }] }],
    ["sections.system", { sections: [system, system] }],
  ])("refuses a bad %s", (field, change) => {
    expect(errorOf({ total: 1000, mode: "sequential", sections: [system], ...change })).toMatchObject({
      reason: "INVALID_BUDGET",
      field,
    });
  });

  test("nothing to distribute to", () => {
    for (const mode of modes)
      expect(distribute({ total: 10, mode, sections: [] })).toEqual({ grants: new Map(), unused: 10 });
  });
});

function distributed(
  ...wanted: readonly WaterfallMode[]
): fc.Arbitrary<WaterfallResult & { readonly request: WaterfallRequest }> {
  return anyRequest
    .filter((request) => wanted.includes(request.mode) && expectedRefusal(request) === undefined)
    .map((request) => ({ request, ...distribute(request) }));
}

function expectedRefusal({ mode, total, sections }: WaterfallRequest): ErrorReason | undefined {
  const neverCut = sections.filter(({ never }) => never);
  const hasBases = mode !== "sequential";
  if (hasBases && neverCut.some(({ need, base = 0 }) => need > base)) return "SECTION_OVER_BUDGET";
  const least = sum(neverCut.map(({ need, base = 0 }) => (hasBases ? base : need)));
  return least > total ? "WINDOW_TOO_SMALL" : undefined;
}

function goldenForm(request: WaterfallRequest): unknown {
  const error = errorOf(request);
  if (error !== undefined)
    return { error: error.reason, ...(error.resource === undefined ? {} : { section: error.resource }) };
  const { grants, unused } = distribute(request);
  return { grants: Object.fromEntries(grants), unused };
}

function errorOf(request: WaterfallRequest): LociError | undefined {
  try {
    distribute(request);
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  return undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
