import { create, toJson } from "@bufbuild/protobuf";
import { FilterSchema } from "@loci/api-web";
import { expect, test } from "vitest";
import { whereFilter } from "../src/page/text/where-filter.ts";
import { WhereError } from "../src/page/text/where-tokens.ts";

function read(text: string): unknown {
  const filter = whereFilter(text);
  return filter === undefined ? undefined : toJson(FilterSchema, create(FilterSchema, filter));
}

function comparison(field: string, operator: string, ...values: readonly unknown[]): unknown {
  return { comparison: { field, operator: `FILTER_OPERATOR_${operator}`, values } };
}

const isFact = comparison("category", "EQUALS", { text: "fact" });
const isLarge = comparison("importance", "AT_LEAST", { number: 0.7 });
const isBilling = comparison("tags", "CONTAINS", { text: "billing" });

test.each<readonly [string, unknown]>([
  ["", undefined],
  ["  ", undefined],
  ["category=fact", isFact],
  ['category = "fact"', isFact],
  ["importance >= 0.7 and category = fact", { all: { filters: [isLarge, isFact] } }],
  [
    "category = fact or importance>=.7 AND tags has billing",
    { any: { filters: [isFact, { all: { filters: [isLarge, isBilling] } }] } },
  ],
  [
    "(category = fact or importance >= 7e-1) and tags has billing",
    { all: { filters: [{ any: { filters: [isFact, isLarge] } }, isBilling] } },
  ],
  ["not (category = fact)", { not: isFact }],
  ["not not category = fact", { not: { not: isFact } }],
  ['category in (fact, "a \\"b\\", c")', comparison("category", "IN", { text: "fact" }, { text: 'a "b", c' })],
  [
    'metadata.area not in (1, true, "1", us)',
    comparison("metadata.area", "NOT_IN", { number: 1 }, { boolean: true }, { text: "1" }, { text: "us" }),
  ],
  ["isStatic = true", comparison("isStatic", "EQUALS", { boolean: true })],
  ["createdAt < 2026-11-03", comparison("createdAt", "LESS_THAN", { number: Date.UTC(2026, 10, 3) })],
  ["slot != 5", comparison("slot", "NOT_EQUALS", { text: "5" })],
])("%j is read", (text, filter) => {
  expect(read(text)).toEqual(filter);
});

function refusalOf(text: string): unknown {
  try {
    whereFilter(text);
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each<readonly [text: string, at: number, message: RegExp]>([
  ["colour = red", 0, /There is no field colour\. There are category, .* and metadata\.NAME\./],
  ["category = fact and metadata. = 1", 20, /There is no field metadata\./],
  ["importance >= high", 14, /high is not a number/],
  ["importance has 1", 11, /Behind importance stands one of = != </],
  ["tags = billing", 5, /Behind tags stands one of has/],
  ["isStatic = yes", 11, /yes is not true or false/],
  ["createdAt > soon", 12, /soon is not a time, such as 2026-11-03/],
  ["category =", 10, /It ends where there should be a value/],
  ["category = (", 11, /Instead of \( there should be a value/],
  ["category = fact category = note", 16, /Instead of category there should be and, or, or nothing more/],
  ["category in (fact", 17, /It ends where there should be \)/],
  ["category not = fact", 9, /Behind category stands one of/],
  ["(category = fact", 16, /It ends where there should be \)/],
  ["category = fact)", 15, /Instead of \) there should be/],
  ['category = "fact', 11, /This quote has no end/],
  ["and", 0, /There is no field and/],
  ["importance > Infinity", 13, /Infinity is not a number/],
  [`${"(".repeat(20)}category = fact`, 16, /more than 16 levels/],
  [`${"not ".repeat(20)}category = fact`, 64, /more than 16 levels/],
])("%j is refused, and where", (text, at, message) => {
  const error = refusalOf(text);
  expect(error).toBeInstanceOf(WhereError);
  expect(error).toMatchObject({ at, message: expect.stringMatching(message) as string });
});

test("a long filter takes a time that grows with it", () => {
  const time = (length: number): number => {
    const text = Array.from({ length }, (_, index) => `metadata.a${index} = "\\"${index}"`).join(" and ");
    const begin = performance.now();
    whereFilter(text);
    return performance.now() - begin;
  };
  time(2_000);
  const [once, tenTimes] = [Math.min(time(2_000), time(2_000)), time(20_000)];
  expect(tenTimes).toBeLessThan(Math.max(once, 1) * 60);
});
