import {
  type BlockFieldChange,
  type BlockOperation,
  type BlockSchema,
  type BlockValue,
  blockValue,
  type BlockValues,
} from "@loci/domain";

/** The fields that two versions of a block differ in, in the order of the schema. */
export function diffBlockValues(
  schema: BlockSchema,
  before: BlockValues,
  after: BlockValues,
): readonly BlockFieldChange[] {
  return schema.fields.flatMap(({ name }) => {
    const [left, right] = [blockValue(before, name), blockValue(after, name)];
    if (sameBlockValue(left, right)) return [];
    return [
      {
        field: name,
        ...(left === undefined ? {} : { before: left }),
        ...(right === undefined ? {} : { after: right }),
      },
    ];
  });
}

/** What a direct write did, as operations that pending edits may collide with: a `set` for each field that differs. */
export function operationsOfWrite(
  schema: BlockSchema,
  before: BlockValues,
  after: BlockValues,
): readonly BlockOperation[] {
  return diffBlockValues(schema, before, after).map(({ field, after: value }) => ({
    op: "set",
    field,
    value: value ?? "",
  }));
}

function sameBlockValue(left: BlockValue | undefined, right: BlockValue | undefined): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
