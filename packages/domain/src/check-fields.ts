import { LociError } from "./error.ts";
import { nearestName } from "./nearest-name.ts";
import { shownText } from "./shown-value.ts";

/**
 * Checks that a value is a plain object with no other fields than the known ones. A misspelt field that was passed over
 * would silently lose what the caller meant, so it is refused.
 *
 * @param path where the value stood in the call, such as `input` or `turns[3]`
 * @throws LociError `INVALID_REQUEST`, naming the field
 */
export function checkFields(value: unknown, known: ReadonlySet<string>, path: string): void {
  if (!isPlainObject(value))
    throw new LociError("INVALID_REQUEST", {
      message: `${path} must be a plain object, but is ${kindOf(value)}.`,
      field: path,
      advice: `Pass an object with the fields ${[...known].join(", ")}.`,
    });
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    const meant = nearestName(name, known);
    throw new LociError("INVALID_REQUEST", {
      message: `${path} has the unknown field ${shownText(name, 80)}.`,
      field: `${path}.${name.slice(0, 80)}`,
      advice: `${meant === undefined ? "" : `Did you mean ${meant}? `}Known fields: ${[...known].join(", ")}.`,
    });
  }
}

/** The names of an interface's fields, all of them: the compiler refuses a list with one missing or one too many. */
export function fieldsOf<Shape>(names: Readonly<Record<keyof Shape, true>>): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/** @throws LociError `INVALID_REQUEST` unless the value is a list of a length within the bounds */
export function checkList<Element>(
  value: readonly Element[],
  path: string,
  bounds: { readonly least: number; readonly most: number },
): readonly Element[] {
  if (isListOfAnything(value) && value.length >= bounds.least && value.length <= bounds.most) return value;
  throw new LociError("INVALID_REQUEST", {
    message: Array.isArray(value)
      ? `${path} has ${value.length} entries, but must have ${bounds.least} to ${bounds.most}.`
      : `${path} must be a list, but is ${kindOf(value)}.`,
    field: path,
    advice: `Pass ${bounds.least} to ${bounds.most} entries a call.`,
  });
}

/** @throws LociError `INVALID_REQUEST` unless the value is one of the choices */
export function checkChoice<Choice extends string>(value: unknown, choices: readonly Choice[], path: string): Choice {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is ${typeof value === "string" ? shownText(value) : kindOf(value)}, which is not a choice.`,
    field: path,
    advice: `Use one of ${choices.join(", ")}.`,
  });
}

/** @throws LociError `INVALID_REQUEST` unless the value is true or false */
export function checkBoolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} must be true or false, but is ${kindOf(value)}.`,
    field: path,
    advice: "Pass a boolean.",
  });
}

/** Made by an object literal, `JSON.parse` or `Object.create(null)`: no class whose getters could run. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object of a class" : typeof value;
}

/** `Array.isArray` that keeps the element type of a readonly array. */
function isListOfAnything(value: readonly unknown[]): boolean {
  return Array.isArray(value);
}
