import { type BlockSchema, type BlockValues, LociError, shownText } from "@loci/domain";
import { checkBlockValues } from "./check-block-values.ts";
import { parseBlockSchema } from "./parse-block-schema.ts";
import { readBlockToml } from "./read-block-toml.ts";
import { presetTexts, shippedSchemaTexts } from "./shipped-toml.ts";

/** The schemas that come with Loci: persona, human, student, journey, engagement_strategy, core_memory, memory_file. */
export const shippedSchemas: readonly BlockSchema[] = shippedSchemaTexts.map((text) => parseBlockSchema(text));

/** @throws LociError `SCHEMA_NOT_FOUND` when none of that name comes with Loci */
export function shippedSchema(name: string): BlockSchema {
  const schema = shippedSchemas.find((known) => known.name === name);
  if (schema !== undefined) return schema;
  throw notFound(
    "schema",
    name,
    shippedSchemas.map((known) => known.name),
  );
}

/** The personas that come with Loci. */
export const presetNames: readonly string[] = Object.keys(presetTexts);

/**
 * The values of a persona that comes with Loci.
 *
 * @throws LociError `SCHEMA_NOT_FOUND` for another name
 */
export function personaPreset(name: string): BlockValues {
  const text = Object.hasOwn(presetTexts, name) ? presetTexts[name] : undefined;
  if (text === undefined) throw notFound("preset", name, presetNames);
  const persona = shippedSchema("persona");
  return checkBlockValues(persona, readBlockToml(persona, text));
}

function notFound(what: string, name: string, known: readonly string[]): LociError {
  return new LociError("SCHEMA_NOT_FOUND", {
    message: `No ${what} is called ${shownText(name)}.`,
    resource: name.slice(0, 64),
    advice: `Those that come with Loci are ${known.join(", ")}.`,
  });
}
