import {
  authorize,
  checkKeptIdentifier,
  checksOf,
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

const checkKey = checksOf<SessionKeyInput>()("session", { scope: parseScope, id: checkSessionId });

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
  const checked = checkKey(key);
  authorize(principal, role, [checked.scope]);
  return checked;
}

/** Of a session that may be there already. @throws LociError `INVALID_IDENTIFIER` */
export function checkSessionId(id: string, path = "id"): string {
  const bytes = utf8ByteLength(checkKeptIdentifier(id, path));
  if (bytes <= maxSessionIdBytes) return id;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${path} is ${bytes} bytes long.`,
    field: path,
    advice: `Use 1 to ${maxSessionIdBytes} bytes: what is learned from a session names it.`,
  });
}
