import {
  asGiven,
  checkChoice,
  checksOf,
  type ListTurnsRequest,
  type ListTurnsResult,
  maxTurnsPerSession,
  optional,
  type SessionKeyInput,
  type Turn,
  turnOrders,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { maxPageBytes } from "../calls/read-page.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";
import { turnsBackward, turnsForward } from "./read-turns.ts";
import { permittedKey } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import { existingSession } from "./stored-session.ts";

const anyTurn = { least: 1, most: maxTurnsPerSession };

/** A page token is good for the rest of the request alone, and read when that is known. */
const check = checksOf<ListTurnsRequest>()("request", {
  order: (order = "oldestFirst", path) => checkChoice(order, turnOrders, path),
  pageSize: checkPageSize,
  first: (first = 1, path) => checkWholeNumber(first, path, anyTurn),
  last: optional((last, path) => checkWholeNumber(last, path, anyTurn)),
  pageToken: asGiven,
});

/** Turns of a session from either end, a page at a time: by number, or by size when they are large. */
export async function listTurns(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  request: ListTurnsRequest = {},
): Promise<ListTurnsResult> {
  const { principal, signal } = call;
  const key = permittedKey(call, "read", keyInput);
  const { order, pageSize, first, last: asked, pageToken } = check(request);
  const session = await existingSession(services, principal.tenant, key, signal);
  const { lastTurn } = session.header;
  // What is appended between two pages belongs to those that are still to come, but a session that began anew does not.
  const query = ["turns", session.ref, session.since, first, asked, order];
  const place = parsePlaceToken(pageToken, query, ([number]) => checkWholeNumber(number, "pageToken", anyTurn));
  const last = Math.min(asked ?? lastTurn, lastTurn);
  const [from, to] = order === "oldestFirst" ? [place ?? first, last] : [first, Math.min(place ?? last, last)];
  if (from > to) return { turns: [], lastTurn };
  const of = { tenant: principal.tenant, session, signal };
  const wanted = Math.min(pageSize, to - from + 1);
  const chunks =
    order === "oldestFirst"
      ? turnsForward(services, of, { first: from, wanted })
      : turnsBackward(services, of, { last: to, wanted });
  const turns: Turn[] = [];
  let bytes = 0;
  for await (const chunk of chunks)
    for (const turn of chunk.turns) {
      bytes += Buffer.byteLength(JSON.stringify(turn));
      if (turns.length === wanted || (turns.length > 0 && bytes > maxPageBytes)) {
        const isWithin = turn.number >= from && turn.number <= to;
        return { turns, lastTurn, ...(isWithin ? { nextPageToken: formatPlaceToken([turn.number], query) } : {}) };
      }
      turns.push(turn);
    }
  return { turns, lastTurn };
}
