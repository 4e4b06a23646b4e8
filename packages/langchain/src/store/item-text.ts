import { maxTextBytes, visibleText } from "@loci/domain";

/** Names of fields that say nothing of what stands in them. */
const plainNames: ReadonlySet<string> = new Set(["text", "content", "memory"]);

/** Deeper levels of a value are no text to search by. */
const mostLevels = 32;

/**
 * What an item is found by: of each path what stands there, a line a value, and of a part with fields each with its name before it,
 * but for names such as `text`. `undefined` when there is nothing to read.
 *
 * @param paths such as `title`, `notes[*].text`, `authors[-1]`, or `$` for all of it
 */
export function textOfItem(value: unknown, paths: readonly string[]): string | undefined {
  const lines = paths.flatMap((path) => valuesAt(value, path).flatMap((found) => [...linesOf(found)]));
  const text = lines.join("\n").toWellFormed().replaceAll("\0", "");
  return visibleText(text).trim() === "" ? undefined : withinBytes(text);
}

function* linesOf(value: unknown, name = "", level = 0): Generator<string> {
  if (level > mostLevels || value === null || value === undefined) return;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    yield name === "" || plainNames.has(name) ? String(value) : `${name}: ${value}`;
  else if (Array.isArray(value)) for (const one of value) yield* linesOf(one, name, level + 1);
  else for (const [field, one] of Object.entries(value)) yield* linesOf(one, field, level + 1);
}

function valuesAt(value: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of stepsOf(path)) found = found.flatMap((one) => stepInto(one, step));
  return found;
}

/** `a.b[0]` is `a`, `b`, `[0]`. */
function stepsOf(path: string): readonly string[] {
  if (path === "$" || path === "") return [];
  return path
    .replaceAll("[", ".[")
    .split(".")
    .filter((step) => step !== "");
}

function stepInto(value: unknown, step: string): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === "*" || step === "[*]") return Object.values(value);
  if (Array.isArray(value)) {
    const place = step.startsWith("[") && step.endsWith("]") ? Number(step.slice(1, -1)) : Number.NaN;
    return Number.isInteger(place) && value.length > 0 ? value.slice(place).slice(0, 1) : [];
  }
  return Object.hasOwn(value, step) ? [(value as Readonly<Record<string, unknown>>)[step]] : [];
}

function withinBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxTextBytes) return text;
  // What is left of a character that was cut through goes, too.
  return new TextDecoder("utf-8", { fatal: false }).decode(bytes.subarray(0, maxTextBytes), { stream: true });
}
