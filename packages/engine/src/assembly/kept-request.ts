import {
  type AssembleRequest,
  authorize,
  LociError,
  parseBlockOwner,
  parseScopes,
  type Scope,
  type SessionKey,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { permittedKey } from "../sessions/session-key.ts";

/** What of Loci's own a context is to be filled from. */
export interface KeptRequest {
  readonly session?: SessionKey | undefined;
  /** Whose blocks, in order. Absent: the session says it. */
  readonly blockOwners?: readonly Scope[] | undefined;
}

/** Most owners whose blocks one context shows. */
const maxBlockOwners = 16;

/** @throws LociError with the field at fault; `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED` */
export function permittedKeptRequest(
  call: Call,
  { session, blockOwners, messages }: Pick<AssembleRequest, "session" | "blockOwners" | "messages">,
): KeptRequest {
  if (session !== undefined && messages !== undefined)
    throw new LociError("INVALID_REQUEST", {
      message: "There are both messages and a session, whose turns stand for them.",
      field: "messages",
      advice: "Append what was said to the session, and leave messages out.",
    });
  return {
    session: session === undefined ? undefined : permittedKey(call, "read", session),
    blockOwners: blockOwners === undefined ? undefined : permittedOwners(call, blockOwners),
  };
}

function permittedOwners({ principal }: Call, owners: NonNullable<AssembleRequest["blockOwners"]>): readonly Scope[] {
  const scopes = parseScopes(owners, "blockOwners");
  for (const [index, scope] of scopes.entries()) parseBlockOwner(scope, `blockOwners[${index}]`);
  if (scopes.length > maxBlockOwners)
    throw new LociError("INVALID_REQUEST", {
      message: `blockOwners names ${scopes.length} owners, more than the ${maxBlockOwners} allowed.`,
      field: "blockOwners",
      advice: "Name those whose blocks this context shows.",
    });
  authorize(principal, "read", scopes);
  return scopes;
}
