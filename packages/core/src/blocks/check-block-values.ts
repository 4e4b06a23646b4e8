import {
  type BlockField,
  type BlockSchema,
  type BlockValue,
  blockValue,
  type BlockValues,
  isPlainObject,
  LociError,
  maxBlockBytes,
  shownText,
  utf8ByteLength,
} from "@loci/domain";
import { writeBlockToml } from "./write-block-toml.ts";
import { checkBlockValue } from "./block-value.ts";

/**
 * The values in normal form: trimmed, on one line where the field has one, without what is empty, in the order of the
 * schema. Checks types only: a draft may lack what is required and be longer than allowed.
 *
 * @throws LociError `INVALID_BLOCK` for an unknown field or a value of another type than its field's
 */
export function normalBlockValues(schema: BlockSchema, values: BlockValues, path = "values"): BlockValues {
  if (!isPlainObject(values))
    throw invalid(path, "must be a plain object", "Pass an object with the fields of the block's schema.");
  const known = new Set(schema.fields.map(({ name }) => name));
  for (const name of Object.keys(values))
    if (!known.has(name))
      throw invalid(
        path,
        `has the unknown field ${shownText(name, 80)}`,
        `Fields of the schema ${schema.name}: ${[...known].join(", ")}.`,
      );
  const normal: Record<string, BlockValue> = {};
  for (const field of schema.fields) {
    const given: unknown = blockValue(values, field.name);
    if (given === undefined || given === null) continue;
    const value = checkBlockValue(field, given, `${path}.${field.name}`);
    if (value !== undefined) normal[field.name] = value;
  }
  return normal;
}

/**
 * The values as they are written: in normal form, absent fields with their defaults.
 *
 * @throws LociError `INVALID_BLOCK` as {@link normalBlockValues}, and when something required is absent;
 *   `BLOCK_LIMIT_EXCEEDED` when a field or the whole block is too long
 */
export function checkBlockValues(schema: BlockSchema, values: BlockValues, path = "values"): BlockValues {
  const given = normalBlockValues(schema, values, path);
  const checked: Record<string, BlockValue> = {};
  for (const field of schema.fields) {
    const value = blockValue(given, field.name) ?? field.default;
    if (value !== undefined) {
      checkLength(field, value, `${path}.${field.name}`);
      checked[field.name] = value;
    } else if (field.required === true)
      throw invalid(`${path}.${field.name}`, "is required and has no value", "Give the field a value.");
  }
  const bytes = utf8ByteLength(writeBlockToml(schema, checked));
  if (bytes > maxBlockBytes)
    throw new LociError("BLOCK_LIMIT_EXCEEDED", {
      message: `The block takes ${bytes} bytes as TOML, more than the ${maxBlockBytes} allowed.`,
      field: path,
      advice: "Shorten it, or move what is seldom needed into memories.",
      details: { bytes: String(bytes), maxBytes: String(maxBlockBytes) },
    });
  return checked;
}

/** @throws LociError `BLOCK_LIMIT_EXCEEDED` for a list of too many entries, a string or a text of too many units */
function checkLength(field: BlockField, value: BlockValue, path: string): void {
  if (field.max === undefined || typeof value === "number" || typeof value === "boolean") return;
  if (value.length <= field.max) return;
  const what = typeof value === "string" ? "UTF-16 units" : "entries";
  throw new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `${path} has ${value.length} ${what}, more than the ${field.max} allowed.`,
    field: path,
    advice: typeof value === "string" ? "Shorten it." : "Remove entries, or replace one.",
    details: { field: field.name, max: String(field.max), length: String(value.length) },
  });
}

function invalid(field: string, fault: string, advice: string): LociError {
  return new LociError("INVALID_BLOCK", { message: `${field} ${fault}.`, field, advice });
}
