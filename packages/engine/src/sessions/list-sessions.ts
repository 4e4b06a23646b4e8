import {
  asGiven,
  authorize,
  checkChoice,
  checksOf,
  formatScope,
  type KeptSession,
  type ListSessionsRequest,
  type ListSessionsResult,
  memoryId,
  optional,
  parseScopes,
  type SessionKeyInput,
} from "@loci/domain";
import { sessionFamily, type StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { readPage } from "../calls/read-page.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";
import { permittedKey } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import { existingSession, sessionOf, sessionView } from "./stored-session.ts";

const leastRead = 200;

const check = checksOf<ListSessionsRequest>()("request", {
  scopes: parseScopes,
  state: optional((state, path) => checkChoice(state, ["open", "closed"], path)),
  pageSize: checkPageSize,
  pageToken: asGiven,
});

/** One session. */
export async function getSession(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
): Promise<KeptSession> {
  const key = permittedKey(call, "read", keyInput);
  const session = await existingSession(services, call.principal.tenant, key, call.signal);
  return sessionView(session, session.version);
}

/** The sessions of scopes, a page at a time. */
export async function listSessions(
  services: SessionServices,
  { principal, signal }: Call,
  request: ListSessionsRequest,
): Promise<ListSessionsResult> {
  const { scopes, state, pageSize: limit, pageToken } = check(request);
  authorize(principal, "read", scopes);
  const query = ["sessions", principal.tenant, scopes.map(formatScope), state];
  const place = parsePlaceToken(pageToken, query, ([ref]) => memoryId(ref as string));
  const { rows, isLast } = await readPage<StoredResource>({
    limit,
    read: async (last, count) => {
      const found: StoredResource[] = [];
      // Of those in one state there may be few among many.
      const size = state === undefined ? count : Math.max(count, leastRead);
      for (let after = last?.ref ?? place; ;) {
        const some = { family: sessionFamily, scopes, after, limit: size };
        const stretch = await services.ledger.resources.list(principal.tenant, some, { signal });
        found.push(...stretch.filter((resource) => isIn(resource, state)).slice(0, count - found.length));
        if (found.length === count || stretch.length < size) return found;
        after = stretch.at(-1)?.ref;
      }
    },
    bytesOf: (resource) => Buffer.byteLength(JSON.stringify(resource.state)),
  });
  const sessions = rows.flatMap((resource) => {
    const session = sessionOf(resource);
    return session === undefined ? [] : [sessionView(session, session.version)];
  });
  const last = rows.at(-1);
  return { sessions, ...(isLast || last === undefined ? {} : { nextPageToken: formatPlaceToken([last.ref], query) }) };
}

function isIn(resource: StoredResource, state: string | undefined): boolean {
  return state === undefined || sessionOf(resource)?.header.state === state;
}
