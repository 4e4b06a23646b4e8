import {
  type BlockField,
  blockFieldTypes,
  blockLabel,
  blockOverflows,
  type BlockSchema,
  isPlainObject,
  LociError,
  maxBlockFields,
  shownText,
} from "@loci/domain";
import { blockFieldTitle } from "./block-title.ts";
import { isBlankLine, linesOf, trimmed } from "./block-white-space.ts";
import { checkBlockValue } from "./block-value.ts";

const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const schemaParts = new Set(["name", "description", "fields"]);
const fieldParts = new Set([
  "name",
  "type",
  "title",
  "description",
  "required",
  "default",
  "max",
  "overflow",
  "options",
]);
/** Most units of a title, a description or an option, and most options. */
const maxWords = 1000;
const maxOptions = 100;
const maxLength = 65_536;

/**
 * Checks a schema that someone wrote.
 *
 * @throws LociError `INVALID_SCHEMA` with the place of what is wrong; `INVALID_BLOCK` for a name that is no label
 */
export function checkBlockSchema(schema: BlockSchema): BlockSchema {
  checkParts(schema, schemaParts, "schema");
  const name = blockLabel(schema.name, "schema.name");
  checkWords(schema.description, "schema.description");
  const { fields } = schema;
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > maxBlockFields)
    throw invalid("schema.fields", `must be a list of 1 to ${maxBlockFields} fields`);
  const checked = fields.map((field: BlockField, index) => checkField(field, `schema.fields[${index}]`));
  checkDistinct(
    checked.map((field) => field.name),
    "names",
  );
  checkDistinct(
    checked.map((field) => trimmed(blockFieldTitle(field)).toLowerCase()),
    "titles",
  );
  return { ...schema, name, fields: checked };
}

function checkField(field: BlockField, path: string): BlockField {
  checkParts(field, fieldParts, path);
  if (typeof field.name !== "string" || !fieldName.test(field.name))
    throw invalid(`${path}.name`, "must be a letter and then at most 63 letters, digits and underscores");
  if (!blockFieldTypes.includes(field.type))
    throw invalid(`${path}.type`, `must be one of ${blockFieldTypes.join(", ")}`);
  checkWords(field.title, `${path}.title`);
  checkWords(field.description, `${path}.description`);
  if (field.required !== undefined && typeof field.required !== "boolean")
    throw invalid(`${path}.required`, "must be true or false");
  checkLimits(field, path);
  checkOptions(field, path);
  if (field.default === undefined) return { ...field };
  const value = checkBlockValue(field, field.default, `${path}.default`);
  if (value === undefined) throw invalid(`${path}.default`, "must not be empty");
  return { ...field, default: value };
}

function checkLimits({ type, max, overflow }: BlockField, path: string): void {
  const counted = type === "list" || type === "string" || type === "text";
  if (max !== undefined && !(counted && Number.isSafeInteger(max) && max >= 1 && max <= maxLength))
    throw invalid(`${path}.max`, `must be a whole number from 1 to ${maxLength}, of a list, string or text`);
  if (overflow === undefined) return;
  if (type !== "list" || max === undefined || !blockOverflows.includes(overflow))
    throw invalid(`${path}.overflow`, `must be one of ${blockOverflows.join(", ")}, of a list with max`);
}

function checkOptions({ type, options }: BlockField, path: string): void {
  if (type !== "choice" && options === undefined) return;
  const known = Array.isArray(options) ? (options as readonly unknown[]) : [];
  const good = known.every(
    (option) => typeof option === "string" && option !== "" && isPlainLine(option) && option.length <= maxWords,
  );
  if (
    type !== "choice" ||
    !good ||
    known.length === 0 ||
    known.length > maxOptions ||
    new Set(known).size < known.length
  )
    throw invalid(`${path}.options`, `must be 1 to ${maxOptions} different lines of text, of a choice`);
}

function checkWords(words: unknown, path: string): void {
  if (words === undefined) return;
  if (typeof words !== "string" || words === "" || !isPlainLine(words) || words.length > maxWords)
    throw invalid(path, `must be one line of at most ${maxWords} UTF-16 units without white space at its ends`);
}

function isPlainLine(text: string): boolean {
  return text.isWellFormed() && linesOf(text).length === 1 && trimmed(text) === text && !isBlankLine(text);
}

function checkDistinct(names: readonly string[], what: string): void {
  if (new Set(names).size < names.length) throw invalid("schema.fields", `must have different ${what}`);
}

function checkParts(value: unknown, known: ReadonlySet<string>, path: string): void {
  if (!isPlainObject(value)) throw invalid(path, "must be a plain object");
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw invalid(path, `has the unknown part ${shownText(unknown, 80)}: known are ${[...known].join(", ")}`);
}

function invalid(field: string, fault: string): LociError {
  return new LociError("INVALID_SCHEMA", {
    message: `${field} ${fault}.`,
    field,
    advice: "Correct the schema; one that comes with Loci shows the form.",
  });
}
