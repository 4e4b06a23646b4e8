import type { BlockSchema } from "@loci/domain";
import { checkBlockSchema } from "./check-block-schema.ts";
import { readTomlTable } from "./read-block-toml.ts";

/**
 * Reads a schema that someone wrote as TOML: `name`, perhaps `description`, and a `[[fields]]` table a field.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` with the line when it is no TOML, `INVALID_SCHEMA` for what it says
 */
export function parseBlockSchema(toml: string): BlockSchema {
  // The check takes nothing for granted.
  return checkBlockSchema(readTomlTable(toml, "schema") as unknown as BlockSchema);
}
