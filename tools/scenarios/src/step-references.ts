import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

const reference = /^\$\{([^:}]+):([^}]+)\}$/;

/**
 * A request with what earlier steps answered in place of `${step:answer.path.to.0.field}`.
 *
 * @param lines what was printed for each earlier step
 * @throws Error for a reference to what is not there
 */
export function withReferences(request: JsonObject, lines: ReadonlyMap<string, JsonValue>): JsonObject {
  return filled(request, lines) as JsonObject;
}

function filled(value: JsonValue, lines: ReadonlyMap<string, JsonValue>): JsonValue {
  if (Array.isArray(value)) return value.map((each) => filled(each, lines));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, lines)]));
  const [, step, path] = (typeof value === "string" && reference.exec(value)) || [];
  return step === undefined || path === undefined ? value : referred(step, path, lines);
}

function referred(step: string, path: string, lines: ReadonlyMap<string, JsonValue>): JsonValue {
  let value = lines.get(step);
  for (const name of path.split("."))
    value = typeof value === "object" && value !== null ? (value as JsonObject)[name] : undefined;
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error(`\${${step}:${path}} names nothing that was answered before`);
}
