import type { Filter } from "@loci/domain";
import { expect, test } from "vitest";
import { selectedRows } from "../src/set-apart.ts";

const isProcedure = { field: "category", operator: "equals", value: "procedure" } as const;
const isFact = { ...isProcedure, value: "fact" } as const;
const isStatic = { field: "isStatic", operator: "equals", value: true } as const;
const none = undefined;

test.each<[string, Filter | undefined, ReturnType<typeof selectedRows>]>([
  ["everything", none, { isApart: none, where: none }],
  ["procedures", isProcedure, { isApart: true, where: none }],
  ["all else", { not: isProcedure }, { isApart: false, where: none }],
  ["facts", isFact, { isApart: false, where: isFact }],
  ["some procedures", { and: [isProcedure, isStatic] }, { isApart: true, where: isStatic }],
  ["some of the others", { and: [{ not: isProcedure }, isStatic] }, { isApart: false, where: isStatic }],
  [
    "procedures and some others",
    { or: [isProcedure, isStatic] },
    { isApart: none, where: { or: [isProcedure, isStatic] } },
  ],
  ["both", { or: [isProcedure, { not: isProcedure }] }, { isApart: none, where: none }],
  ["neither", { and: [isProcedure, { not: isProcedure }] }, none],
  ["nothing of a list without members", { or: [] }, none],
  [
    "facts by another operator",
    { and: [{ ...isProcedure, operator: "notEquals" }] },
    {
      isApart: false,
      where: { ...isProcedure, operator: "notEquals" },
    },
  ],
])("a search for %s looks where these lie", (_, where, selected) => {
  expect(selectedRows(where)).toEqual(selected);
});
