import { writableText } from "./writable-value.ts";

/** @throws LociError `INVALID_IDENTIFIER` */
export function identifierToProto(identifier: string, field: string): string {
  return writableText(identifier, field, "INVALID_IDENTIFIER");
}
