import { type BlockSchema, type BlockValue, blockValue, type BlockValues } from "@loci/domain";
import { blockFieldTitle } from "./block-title.ts";
import { onOneLine, trimmed } from "./block-white-space.ts";
import { humanText } from "./human-text.ts";
import { personaText } from "./persona-text.ts";

/**
 * A block as it stands in a context, before it is escaped. Blocks of the schemas persona and human have a form of
 * their own, a document is shown as it is, of others each field with a value has a line.
 *
 * @param values in normal form
 */
export function blockText(schema: BlockSchema, values: BlockValues): string {
  if (schema.name === "human") return humanText(values);
  if (schema.name === "persona") return personaText(values);
  return isDocument(schema) ? String(blockValue(values, "text") ?? "") : fieldLines(schema, values);
}

/** Whether a schema is that of a document: the single text field `text`. */
export function isDocument(schema: BlockSchema): boolean {
  const [field, second] = schema.fields;
  return field?.name === "text" && field.type === "text" && second === undefined;
}

function fieldLines(schema: BlockSchema, values: BlockValues): string {
  const lines: string[] = [];
  for (const field of schema.fields) {
    const value = blockValue(values, field.name);
    const shown = value === undefined ? "" : shownValueOf(value);
    if (shown !== "") lines.push(`[${blockFieldTitle(field).toUpperCase()}] ${shown}`);
  }
  return lines.join("\n");
}

function shownValueOf(value: BlockValue): string {
  return typeof value === "object"
    ? value.map((entry) => onOneLine(entry)).join("; ")
    : trimmed(onOneLine(String(value)));
}
