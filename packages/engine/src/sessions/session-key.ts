import {
  authorize,
  checkFields,
  checkIdentifier,
  fieldsOf,
  formatScope,
  LociError,
  maxSessionIdBytes,
  parseScope,
  type Ref,
  type Role,
  type SessionKey,
  type SessionKeyInput,
  utf8ByteLength,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";

const keyFields = fieldsOf<SessionKeyInput>({ scope: true, id: true });

/** What a session is kept under: one name, one session. */
export function sessionRef({ scope, id }: SessionKey): Ref {
  return uuidOfName(0, ["session", formatScope(scope), id]);
}

/** What the turn state of a session is kept under. */
export function turnStateRef({ scope, id }: SessionKey): Ref {
  return uuidOfName(0, ["turnState", formatScope(scope), id]);
}

/**
 * The session that is named, if the principal has the role in its scope.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`, `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED`
 */
export function permittedKey({ principal }: Call, role: Role, key: SessionKeyInput): SessionKey {
  checkFields(key, keyFields, "session");
  const checked = { scope: parseScope(key.scope), id: checkSessionId(key.id) };
  authorize(principal, role, [checked.scope]);
  return checked;
}

/** @throws LociError `INVALID_IDENTIFIER` */
export function checkSessionId(id: string): string {
  const bytes = utf8ByteLength(checkIdentifier(id, "id"));
  if (bytes <= maxSessionIdBytes) return id;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `id is ${bytes} bytes long.`,
    field: "id",
    advice: `Use 1 to ${maxSessionIdBytes} bytes: what is learned from a session names it.`,
  });
}
