import { type BlockOperation, type BlockValue, LociError } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AppliedOperations,
  applyBlockOperations,
  diffBlockValues,
  frameworkBlock,
  normalBlockValues,
  operationsCollide,
  operationsOfWrite,
  shippedSchema,
} from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyValues, everyField } from "./any-block.ts";

const runs = { numRuns: propertyRuns(500) };
const entry = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const listOperation = fc.oneof(
  fc.record({ op: fc.constant("append"), field: fc.constantFrom("tags", "rules_kept"), value: entry }),
  fc.record({ op: fc.constant("remove"), field: fc.constantFrom("tags", "rules_kept"), value: entry }),
  fc.record({ op: fc.constant("replace"), field: fc.constant("tags"), old: entry, value: entry }),
  fc.record({ op: fc.constant("append"), field: fc.constant("constructor"), value: entry }),
) as fc.Arbitrary<BlockOperation>;

function applied(operations: readonly BlockOperation[], tags: readonly string[]): AppliedOperations | undefined {
  try {
    return applyBlockOperations(everyField, { tags }, { operations });
  } catch (error) {
    if (LociError.is(error) && ["EDIT_CONFLICT", "BLOCK_LIMIT_EXCEEDED"].includes(error.reason)) return undefined;
    throw error;
  }
}

const entriesOf = (value: BlockValue | undefined): readonly string[] => (typeof value === "object" ? value : []);

test("no list gets longer than its maximum, and what is appended is there or archived", () => {
  fc.assert(
    fc.property(
      fc.array(listOperation, { minLength: 1, maxLength: 20 }),
      fc.uniqueArray(entry, { maxLength: 5 }),
      (operations, tags) => {
        const after = applied(operations, tags);
        if (after === undefined) return;
        const left = entriesOf(after.values["tags"]);
        expect(left.length).toBeLessThanOrEqual(5);
        expect(entriesOf(after.values["rules_kept"]).length).toBeLessThanOrEqual(4);
        const archived = after.archived.filter(({ field }) => field === "tags").map((one) => one.entry);
        const taken = operations.flatMap((one) =>
          one.op === "remove" ? [one.value] : one.op === "replace" ? [one.old] : [],
        );
        const given = [
          ...tags,
          ...operations.flatMap((one) => (one.field === "tags" && one.op === "append" ? [one.value] : [])),
        ];
        const known = new Set([...left, ...archived, ...taken]);
        expect(given.filter((one) => !known.has(one))).toEqual([]);
      },
    ),
    runs,
  );
});

test("a write as operations makes the same of the block", () => {
  fc.assert(
    fc.property(anyValues, anyValues, (left, right) => {
      const [before, after] = [normalBlockValues(everyField, left), normalBlockValues(everyField, right)];
      const operations = operationsOfWrite(everyField, before, after);
      expect(operations.length).toBe(diffBlockValues(everyField, before, after).length);
      const made = operations.length === 0 ? before : applyBlockOperations(everyField, before, { operations }).values;
      expect(made).toEqual(after);
    }),
    runs,
  );
});

test("operations on lists that do not collide give the same entries in either order", () => {
  const one = fc
    .tuple(listOperation, listOperation)
    .filter(([left, right]) => left.field !== "constructor" && right.field !== "constructor");
  fc.assert(
    fc.property(one, fc.uniqueArray(entry, { maxLength: 3 }), ([left, right], tags) => {
      expect(operationsCollide(everyField, [left], [right])).toBe(operationsCollide(everyField, [right], [left]));
      if (operationsCollide(everyField, [left], [right])) return;
      const entriesAfter = (operations: readonly BlockOperation[]): readonly string[] | undefined => {
        const after = applied(operations, tags);
        return after === undefined ? undefined : [...entriesOf(after.values["tags"])].toSorted();
      };
      expect(entriesAfter([left, right])).toEqual(entriesAfter([right, left]));
    }),
    runs,
  );
});

test("the form of frameworks has the text, a limit, and says what is read only", () => {
  const block = { label: "journey", schema: shippedSchema("journey"), values: { currentStage: "Essay" } } as const;
  expect(frameworkBlock({ ...block, policy: "read_only", description: "Where Ann is" })).toEqual({
    label: "journey",
    value: "[CURRENT STAGE] Essay",
    description: "Where Ann is",
    limit: 1500,
    read_only: true,
  });
  expect(frameworkBlock({ ...block, policy: "auto" }, 80)).toMatchObject({ limit: 80, read_only: false });
});

test.each([
  [{ kind: "append", field: "tags", value: "a" }, "has no op", "Its op must be one of set, append,"],
  [{ op: "merge", field: "tags", value: "a" }, 'has the op "merge"', "Its op must be one of set, append,"],
  [{ op: "append", field: "tags", text: "a" }, 'has the unknown part "text"', "append has the parts op, field, value"],
  ["append", "is no object", "Pass one whose op is one of set,"],
])("what is no operation is told what it has: %j", (given, message, advice) => {
  const operations = [given] as unknown as readonly BlockOperation[];
  const refusal = expect.objectContaining({
    message: expect.stringContaining(message),
    advice: expect.stringContaining(advice),
  });
  expect(() => applyBlockOperations(everyField, {}, { operations })).toThrow(refusal);
});
