import { type BlockSchema, type BlockValues, LociError, maxBlockBytes } from "@loci/domain";
import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { normalBlockValues } from "./check-block-values.ts";

/** A block is two deep: the block, a list. */
const maxDepth = 3;

/**
 * Reads a block back from TOML, also TOML that a person wrote.
 *
 * @returns the values in normal form
 * @throws LociError `INVALID_BLOCK_TEXT` with the line when it is no TOML or too long; `INVALID_BLOCK` for an unknown field
 *   or a value of another type
 */
export function readBlockToml(schema: BlockSchema, toml: string): BlockValues {
  const table = readTomlTable(toml, "block");
  const values: BlockValues = {};
  for (const [name, value] of Object.entries(table)) defineValue(values, name, plainValue(value, toml));
  return normalBlockValues(schema, values, "block");
}

/** As an own property, whatever its name. What is no value of a block is refused by the check of the values. */
function defineValue(values: BlockValues, name: string, value: unknown): void {
  Object.defineProperty(values, name, { value, enumerable: true });
}

/** The parser takes 31 February for 3 March. What it made up does not stand in the text, and is no date of a block. */
function plainValue(value: unknown, toml: string): unknown {
  if (!(value instanceof TomlDate)) return value;
  const text = value.toISOString();
  return value.isDate() && toml.includes(text) ? text : value;
}

/**
 * The table of a TOML text of at most 64 KiB of characters.
 *
 * @param what what errors call the text, such as `block`
 * @throws LociError `INVALID_BLOCK_TEXT` with the line
 */
export function readTomlTable(toml: string, what: string): Readonly<Record<string, unknown>> {
  if (toml.length > maxBlockBytes)
    throw unreadable(what, `it is ${toml.length} characters long, more than the ${maxBlockBytes} allowed`, 1);
  try {
    return parseToml(toml, { maxDepth });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw unreadable(what, cause.message.split("\n")[0] ?? "it is no TOML", cause.line);
  }
}

function unreadable(what: string, fault: string, line: number): LociError {
  return new LociError("INVALID_BLOCK_TEXT", {
    message: `The TOML of the ${what} cannot be read: line ${line}: ${fault}.`,
    field: what,
    advice: "Correct the line, or write the block as Markdown.",
    details: { line: String(line) },
  });
}
