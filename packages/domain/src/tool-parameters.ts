import { LociError } from "./error.ts";
import { utf8ByteLength } from "./identifiers.ts";

/** The longest schema of a tool's parameters, in bytes of its JSON. One of 250,000 with a name every ten is read for a quarter of a second. */
export const maxToolParametersBytes: number = 64 * 1024;
/** The most that the schemas of all tools of a call have together. */
export const maxToolsBytes: number = 512 * 1024;
/** How deep objects and lists stand in each other. Providers take schemas of 5 to 10. */
const deepest = 64;

/** Checks the JSON of a schema before it is read. @throws LociError `TEXT_TOO_LARGE` */
export function checkToolParametersSize(json: string, field: string): void {
  const bytes = utf8ByteLength(json);
  if (bytes > maxToolParametersBytes) throw tooLarge(field, bytes, maxToolParametersBytes);
}

/**
 * Checks the schema of a tool's parameters: JSON that is neither so large nor so deep that reading it would hold up others.
 *
 * @returns its bytes as JSON
 * @throws LociError `INVALID_REQUEST`, `TEXT_TOO_LARGE`
 */
export function checkToolParameters(schema: object, field: string): number {
  const waiting: { readonly value: object; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > deepest)
      throw new LociError("INVALID_REQUEST", {
        message: `${field} has objects and lists more than ${deepest} deep in each other.`,
        field,
        advice: "Pass a flatter schema: models do not follow one that is as deep.",
      });
    for (const inner of Object.values(value) as readonly unknown[]) {
      // Each takes at least a byte and what parts it from the next one.
      if (++values > maxToolParametersBytes / 2) throw tooLarge(field, undefined, maxToolParametersBytes);
      if (typeof inner === "object" && inner !== null) waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  const json = jsonOf(schema, field);
  checkToolParametersSize(json, field);
  return utf8ByteLength(json);
}

/** @throws LociError `TEXT_TOO_LARGE` @param bytes of the JSON of all schemas of a call */
export function checkToolsSize(bytes: number, field: string): void {
  if (bytes > maxToolsBytes) throw tooLarge(field, bytes, maxToolsBytes);
}

function jsonOf(schema: object, field: string): string {
  try {
    return JSON.stringify(schema);
  } catch (cause) {
    // It contains a bigint, or something whose own way into JSON throws.
    throw new LociError("INVALID_REQUEST", {
      message: `${field} is not a JSON object.`,
      field,
      advice: "Pass a JSON schema, or leave it out for a function without parameters.",
      cause,
    });
  }
}

function tooLarge(field: string, bytes: number | undefined, maxBytes: number): LociError {
  const size = bytes === undefined ? `more than ${maxBytes} bytes` : `${bytes} bytes`;
  return new LociError("TEXT_TOO_LARGE", {
    message: `${field} takes ${size} as JSON, but at most ${maxBytes} are allowed.`,
    field,
    advice: "Offer fewer tools, or describe them in fewer words.",
    details: { maxBytes: String(maxBytes) },
  });
}
