import { isPlainObject, LociError } from "@loci/domain";

/** What a model gave, field by field. @throws LociError `INVALID_REQUEST` */
export function fieldsOfInput(input: unknown): Readonly<Record<string, unknown>> {
  if (isPlainObject(input)) return input;
  throw new LociError("INVALID_REQUEST", {
    message: "The input is not an object.",
    advice: "Pass its fields by name.",
  });
}

/** @throws LociError `INVALID_REQUEST` unless it is a text that says something */
export function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new LociError("INVALID_REQUEST", {
    message: `${name} is ${value === undefined ? "missing" : "no text"}.`,
    field: name,
    advice: `Pass ${name} as a text.`,
  });
}
