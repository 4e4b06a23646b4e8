import { type BlockField, type BlockSchema, type BlockValue, blockValue, type BlockValues } from "@loci/domain";

const escaped = /[\\"\u0000-\u001f\u007f]/g;
const escapedInLines = /[\\"\u0000-\u0009\u000b-\u001f\u007f]/g;
const shortEscapes = new Map([
  ["\\", String.raw`\\`],
  ['"', String.raw`\"`],
  ["\b", String.raw`\b`],
  ["\t", String.raw`\t`],
  ["\n", String.raw`\n`],
  ["\f", String.raw`\f`],
  ["\r", String.raw`\r`],
]);

/**
 * A block as TOML: a line a field in the order of the schema, without what is absent. Equal values give equal bytes, which
 * are what the git mirror stores and what the content hash of an edit is made of.
 *
 * @param values in normal form
 */
export function writeBlockToml(schema: BlockSchema, values: BlockValues): string {
  let toml = "";
  for (const field of schema.fields) {
    const value = blockValue(values, field.name);
    if (value !== undefined) toml += `${field.name} = ${tomlValue(field, value)}\n`;
  }
  return toml;
}

function tomlValue(field: BlockField, value: BlockValue): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return `[${value.map(basicString).join(", ")}]`;
  if (field.type === "date") return value;
  return value.includes("\n") ? `"""\n${value.replaceAll(escapedInLines, escapeOf)}"""` : basicString(value);
}

function basicString(text: string): string {
  return `"${text.replaceAll(escaped, escapeOf)}"`;
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return shortEscapes.get(character) ?? String.raw`\u${code}`;
}
