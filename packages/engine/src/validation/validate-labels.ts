import { type Category, checkIdentifier, LociError, shownText, utf8ByteLength } from "@loci/domain";

const categoryPattern = /^[a-z][a-z0-9_-]{0,63}$/;
const maxTags = 32;
const maxTagBytes = 64;
const maxCategories = 100;

/** @throws LociError `INVALID_CATEGORY` unless it is 1 to 64 of `a-z`, `0-9`, `_`, `-`, beginning with a letter */
export function checkCategory(value: unknown, field: string): Category {
  if (typeof value === "string" && categoryPattern.test(value)) return value;
  throw new LociError("INVALID_CATEGORY", {
    message: `${field} is ${typeof value === "string" ? shownText(value, 80) : typeof value}, which names no category.`,
    field,
    advice: "Use fact, decision, preference, entity, procedure, note, learning, or a lower-case word of your own.",
  });
}

/**
 * Categories to search in, each once. An empty list is refused: it could be meant as "none" or as "all".
 *
 * @throws LociError `INVALID_CATEGORY`
 */
export function checkCategories(value: readonly unknown[], field: string): readonly Category[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxCategories)
    throw new LociError("INVALID_CATEGORY", {
      message: `${field} must be a list of 1 to ${maxCategories} categories.`,
      field,
      advice: "Leave it out to search in every category.",
    });
  return [...new Set(value.map((category, index) => checkCategory(category, `${field}[${index}]`)))];
}

/** Tags, each once, in the order given. @throws LociError `INVALID_TAGS` */
export function checkTags(value: readonly unknown[], field: string): readonly string[] {
  if (!Array.isArray(value)) return refuseTags(field, "must be a list of tags");
  if (value.length > maxTags) return refuseTags(field, `has ${value.length} tags, but at most ${maxTags} are allowed`);
  return [...new Set(value.map((tag, index) => checkTag(tag, `${field}[${index}]`)))];
}

function checkTag(value: unknown, field: string): string {
  if (typeof value !== "string" || value.trim() === "") return refuseTags(field, "must be a word");
  const bytes = utf8ByteLength(value.toWellFormed());
  if (bytes > maxTagBytes) return refuseTags(field, `is ${bytes} bytes long, but at most ${maxTagBytes} are allowed`);
  try {
    return checkIdentifier(value, field);
  } catch (cause) {
    if (!LociError.is(cause)) throw cause;
    return refuseTags(field, cause.message.slice(field.length + 1, -1), cause);
  }
}

function refuseTags(field: string, problem: string, cause?: unknown): never {
  throw new LociError("INVALID_TAGS", {
    message: `${field} ${problem}.`,
    field,
    advice: `Pass at most ${maxTags} tags of 1 to ${maxTagBytes} bytes.`,
    cause,
  });
}
