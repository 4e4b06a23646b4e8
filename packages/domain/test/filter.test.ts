import { describe, expect, test } from "vitest";
import { checkFilter, type Filter } from "../src/index.ts";

const good: Filter = { field: "category", operator: "equals", value: "fact" };
const nest = (depth: number): Filter => (depth === 1 ? good : { not: nest(depth - 1) });

describe("checkFilter", () => {
  test.each<[string, Filter]>([
    ["a comparison", good],
    ["a list", { field: "origin", operator: "in", value: ["manual", "import"] }],
    ["metadata", { field: "metadata.team_2", operator: "atLeast", value: 3 }],
    ["hostile text as a value", { field: "slot", operator: "equals", value: "x' OR 1=1 --" }],
    ["a tree", { and: [good, { or: [good, { not: good }] }] }],
    ["16 levels", nest(16)],
  ])("%s passes", (_name, filter) => {
    expect(checkFilter(filter)).toEqual(filter);
  });

  test.each<[string, unknown, string]>([
    ["an unknown field", { field: "id", operator: "equals", value: "x" }, "where.field"],
    ["a hostile field", { field: "metadata.x' OR 1=1", operator: "equals", value: 1 }, "where.field"],
    ["a prototype field", { field: "metadata.__proto__", operator: "equals", value: 1 }, "where.field"],
    ["an unknown operator", { field: "slot", operator: "like", value: "x" }, "where.operator"],
    ["NaN", { field: "importance", operator: "equals", value: Number.NaN }, "where.value"],
    ["infinity", { field: "importance", operator: "in", value: [1, Infinity] }, "where.value"],
    ["a list where one value belongs", { field: "slot", operator: "equals", value: ["x"] }, "where.value"],
    ["one value where a list belongs", { field: "slot", operator: "in", value: "x" }, "where.value"],
    ["a list of 1,001", { field: "slot", operator: "in", value: Array.from({ length: 1001 }, String) }, "where.value"],
    ["half a surrogate pair", { field: "slot", operator: "equals", value: "\ud800" }, "where.value"],
    ["an empty and", { and: [] }, "where.and"],
    ["an and that is no list", { and: good }, "where.and"],
    [
      "a bad part deep inside",
      { and: [good, { or: [good, { not: { ...good, field: "x" } }] }] },
      "where.and[1].or[1].not.field",
    ],
    ["nothing", null, "where"],
  ])("%s is refused, and its place is named", (_name, filter, field) => {
    expect(() => checkFilter(filter as Filter)).toThrow(expect.objectContaining({ reason: "INVALID_FILTER", field }));
  });

  test("17 levels and 257 comparisons are refused", () => {
    const wide: Filter = { or: Array.from({ length: 257 }, () => good) };
    expect(() => checkFilter(nest(17))).toThrow("more than 16 levels");
    expect(() => checkFilter(wide)).toThrow("more than 256 comparisons");
  });
});
