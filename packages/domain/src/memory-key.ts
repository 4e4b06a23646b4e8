import { checkFields, fieldsOf, isPlainObject } from "./check-fields.ts";
import { LociError } from "./error.ts";
import { utf8ByteLength } from "./identifiers.ts";
import { parseScope, type Scope, type ScopeInput } from "./scope.ts";

/** The longest key of a memory, in bytes of UTF-8. */
export const maxMemoryKeyBytes = 512;

/** A memory by what the application calls it: the one that has the key in the scope. */
export interface MemoryKey {
  readonly scope: ScopeInput;
  readonly key: string;
}

const keyFields = fieldsOf<MemoryKey>({ scope: true, key: true });

/**
 * Checks the key of a memory: 1 to 512 bytes of UTF-8, without NUL and halves of surrogate pairs. It is taken as it is.
 *
 * @throws LociError `INVALID_IDENTIFIER`
 */
export function checkMemoryKey(value: unknown, field: string): string {
  const problem = keyProblem(value);
  if (problem === undefined) return value as string;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${field} ${problem}.`,
    field,
    advice: `Use 1 to ${maxMemoryKeyBytes} bytes of well-formed text without NUL characters.`,
  });
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `SCOPE_REQUIRED`, `INVALID_IDENTIFIER` */
export function parseMemoryKey(value: MemoryKey): { readonly scope: Scope; readonly key: string } {
  checkNamesMemory(value);
  return { scope: parseScope(value.scope, "scope"), key: checkMemoryKey(value.key, "key") };
}

/**
 * Checks that a value names a memory by nothing but its scope and key.
 *
 * @throws LociError `INVALID_REQUEST`
 */
export function checkNamesMemory(value: unknown): void {
  if (isPlainObject(value) && typeof value["id"] === "string")
    throw new LociError("INVALID_REQUEST", {
      message: "which is a memory, but must be the id of one, or its scope and key.",
      field: "which",
      advice: "Pass the memory's id, and for an update its etag among the options.",
    });
  checkFields(value, keyFields, "which");
}

function keyProblem(value: unknown): string | undefined {
  if (value === undefined) return "is missing";
  if (typeof value !== "string") return `must be text, but is ${value === null ? "null" : typeof value}`;
  if (value === "") return "must not be empty";
  if (!value.isWellFormed()) return "holds half of a surrogate pair";
  if (value.includes("\0")) return "holds a NUL character";
  const bytes = utf8ByteLength(value);
  return bytes > maxMemoryKeyBytes ? `is ${bytes} bytes long` : undefined;
}
