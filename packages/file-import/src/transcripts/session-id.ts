import { isIdentifier, maxSessionIdBytes, utf8ByteLength } from "@loci/domain";

/** Whether a session may have the id. */
export function isSessionId(id: string | undefined): boolean {
  return isIdentifier(id) && utf8ByteLength(id) <= maxSessionIdBytes;
}
