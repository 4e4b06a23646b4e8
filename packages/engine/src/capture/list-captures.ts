import {
  asGiven,
  authorize,
  type CaptureState,
  captureStates,
  checkChoice,
  checkList,
  checksOf,
  formatScope,
  type ListCapturesRequest,
  type ListCapturesResult,
  LociError,
  memoryId,
  type NonEmpty,
  optional,
  parseScopes,
  permitsScope,
  type Ref,
  type Scope,
} from "@loci/domain";
import { captureFamily, type StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { permittedKey, sessionRef } from "../sessions/session-key.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";
import type { CaptureServices } from "./capture-services.ts";
import { capturesOrdered } from "./ordered-captures.ts";
import { captureOf, captureView, type StoredCapture } from "./stored-capture.ts";

/** Of those that are asked for there may be few among many. */
const leastRead = 200;

const check = checksOf<ListCapturesRequest>()("request", {
  session: asGiven,
  scopes: asGiven,
  states: optional(checkStates),
  pageSize: checkPageSize,
  pageToken: asGiven,
});

/** What a list is of, and what that is called in page tokens. */
interface Listed {
  readonly query: { readonly group: string } | { readonly fromGroup: string } | { readonly scopes: NonEmpty<Scope> };
  readonly named: readonly unknown[];
}

/** Where a page goes on: behind a capture, and of which group that is. */
interface Place {
  readonly after: Ref;
  readonly group: string;
}

/** The captures of a session, or of all sessions of scopes, a page at a time. */
export async function listCaptures(
  services: CaptureServices,
  call: Call,
  request: ListCapturesRequest,
): Promise<ListCapturesResult> {
  const { principal } = call;
  const { session, scopes, states, pageSize: limit, pageToken } = check(request);
  const { query, named } = listed(call, { session, scopes });
  const token = ["captures", principal.tenant, ...named, ...(states === undefined ? [] : [states])];
  const place = parsePlaceToken(pageToken, token, ([ref, group]): Place => {
    if (group !== undefined && typeof group !== "string") throw new TypeError("no group");
    return { after: memoryId(ref as string), group: group ?? "" };
  });
  if (pageToken === undefined) await capturesOrdered(services, call);
  const isShown = ({ state, session: { scope } }: StoredCapture): boolean =>
    permitsScope(principal, scope) && states?.includes(state) !== false;
  const found: StoredCapture[] = [];
  for await (const capture of captures(services, call, { query, place, least: limit + 1 })) {
    if (isShown(capture)) found.push(capture);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const shown = page.map((capture) => captureView(capture));
  if (found.length <= limit || last === undefined) return { captures: shown };
  return { captures: shown, nextPageToken: formatPlaceToken([last.ref, sessionRef(last.session)], token) };
}

/** @throws LociError `SCOPE_REQUIRED`, `INVALID_REQUEST`, and what forbids the session or the scopes */
function listed(call: Call, { session, scopes }: Pick<ListCapturesRequest, "session" | "scopes">): Listed {
  if (session !== undefined && scopes !== undefined)
    throw new LociError("INVALID_REQUEST", {
      message: "The request names a session and scopes.",
      field: "scopes",
      advice: "Leave one of the two out.",
    });
  if (session !== undefined) {
    const group = sessionRef(permittedKey(call, "read", session));
    return { query: { group }, named: [group] };
  }
  if (scopes === "*") {
    authorize(call.principal, "read", []);
    return { query: { fromGroup: "" }, named: ["*"] };
  }
  const named = parseScopes(scopes ?? [], "scopes");
  authorize(call.principal, "read", named);
  return { query: { scopes: named }, named: [named.map(formatScope)] };
}

async function* captures(
  { ledger }: CaptureServices,
  { principal, signal }: Call,
  { query, place, least }: Pick<Listed, "query"> & { readonly place: Place | undefined; readonly least: number },
): AsyncGenerator<StoredCapture> {
  const limit = Math.max(least, leastRead);
  let { after, group } = place ?? { after: undefined, group: "" };
  for (;;) {
    const from = "fromGroup" in query ? { fromGroup: group } : query;
    const stretch: readonly StoredResource[] = await ledger.resources.list(
      principal.tenant,
      { family: captureFamily, limit, after, ...from },
      { signal },
    );
    for (const resource of stretch) {
      const capture = captureOf(resource);
      if (capture !== undefined) yield capture;
    }
    const last = stretch.at(-1);
    if (stretch.length < limit || last === undefined) return;
    after = last.ref;
    group = last.group ?? "";
  }
}

/** Each once, in one order, whatever the caller's. @throws LociError `INVALID_REQUEST` for none and for unknown ones */
function checkStates(values: readonly CaptureState[], path: string): readonly CaptureState[] {
  const given = checkList(values, path, { least: 1, most: captureStates.length });
  const wanted = new Set(given.map((state, index) => checkChoice(state, captureStates, `${path}[${index}]`)));
  return captureStates.filter((state) => wanted.has(state));
}
