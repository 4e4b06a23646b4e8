import { checksOf, type Instant, optional, parseInstant, parseFormattedScope, type SessionKey } from "@loci/domain";
import { checkSessionId } from "../sessions/session-key.ts";

/** The session that a line names as its source, which may have been deleted since. */
export interface CitedSession {
  readonly scope: string;
  readonly id: string;
  readonly createdAt?: Instant | undefined;
}

const check = checksOf<CitedSession>()("session", {
  scope: (scope, path) => parseFormattedScope(scope, path),
  id: (given, path) => checkSessionId(given, path),
  createdAt: optional(parseInstant),
});

/** @throws LociError for what names no session */
export function checkCited(
  given: CitedSession,
  path: string,
): SessionKey & { readonly createdAt: Instant | undefined } {
  return check(given, path);
}
