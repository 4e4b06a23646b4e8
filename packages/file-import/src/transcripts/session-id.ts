import { checkIdentifier, LociError, maxSessionIdBytes, utf8ByteLength } from "@loci/domain";

/** Whether a session may have the id. */
export function isSessionId(id: string | undefined): boolean {
  try {
    return utf8ByteLength(checkIdentifier(id, "id")) <= maxSessionIdBytes;
  } catch (error) {
    if (LociError.is(error)) return false;
    throw error;
  }
}
