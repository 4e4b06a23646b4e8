import { dailyLog } from "@loci/core";
import {
  authorize,
  type CapturedEntry,
  checkFields,
  type DailyLogRequest,
  fieldsOf,
  type Instant,
  LociError,
  type LoggedSession,
  parseScope,
  shownValue,
  type TenantId,
  type Turn,
} from "@loci/domain";
import { sessionFamily, type StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { turnsBackward } from "./read-turns.ts";
import type { SessionServices } from "./session-services.ts";
import { sessionOf, type StoredSession } from "./stored-session.ts";

const requestFields = fieldsOf<DailyLogRequest>({ scope: true, date: true, timeZone: true });
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const hour = 3_600_000;
/** No time zone is further from UTC. */
const furthestZone = 15 * hour;
const sessionsAtOnce = 200;
const placesAtOnce = 500;

/**
 * What was talked about on a day in the sessions of a scope. Reads the turns of sessions that had any at the time, from the
 * newest back to the day.
 */
export async function readDailyLog(
  services: SessionServices,
  { principal, signal }: Call,
  request: DailyLogRequest,
): Promise<string> {
  checkFields(request, requestFields, "request");
  const scope = parseScope(request.scope);
  const start = startOf(request.date);
  // Refuses an unknown zone before anything is read.
  dailyLog(request.date, [], request.timeZone);
  authorize(principal, "read", [scope]);
  const { tenant } = principal;
  const day = { from: start - furthestZone, to: start + 24 * hour + furthestZone };
  const logged: LoggedSession[] = [];
  for (let after: StoredSession["ref"] | undefined; ;) {
    const query = { family: sessionFamily, scopes: [scope] as const, after, limit: sessionsAtOnce };
    const stretch = await services.ledger.resources.list(tenant, query, { signal });
    for (const resource of stretch) {
      const session = sessionOf(resource);
      if (session?.times !== undefined && session.times.first < day.to && session.times.last >= day.from)
        logged.push(await loggedSession(services, { tenant, session, signal }, day.from));
    }
    if (stretch.length < sessionsAtOnce) return dailyLog(request.date, logged, request.timeZone);
    after = stretch.at(-1)?.ref;
  }
}

interface LoggedOf {
  readonly tenant: TenantId;
  readonly session: StoredSession;
  readonly signal: AbortSignal;
}

/** The times of a session's turns, newest first, at least as far back as is asked for. */
async function loggedSession(services: SessionServices, of: LoggedOf, from: Instant): Promise<LoggedSession> {
  const { header, times } = of.session;
  const turns: Pick<Turn, "at" | "number">[] = [];
  for await (const chunk of turnsBackward(services, of)) {
    for (const { at, number } of chunk.turns) turns.push({ at, number });
    if (times?.inOrder === true && (turns.at(-1)?.at ?? from) < from) break;
  }
  const captured = await capturedOf(
    services,
    of,
    turns.filter(({ at }) => at >= from),
  );
  return { id: header.id, title: header.title, turns: turns.map(({ at }) => at), captured };
}

/** What was captured from these turns, in their order. */
async function capturedOf(
  { ledger }: SessionServices,
  { tenant, session: { header }, signal }: LoggedOf,
  turns: readonly Pick<Turn, "number">[],
): Promise<readonly CapturedEntry[]> {
  const sourceId = `conversation:${header.id}`;
  const found: StoredMemory[] = [];
  for (let start = 0; start < turns.length; start += placesAtOnce) {
    const some = turns.slice(start, start + placesAtOnce);
    const places = some.map(({ number }) => ({ sourceId, position: number - 1 }));
    found.push(...(await ledger.atPositions(tenant, [header.scope], places, { signal })));
  }
  return found
    .map(({ memory }) => memory)
    .filter(({ origin }) => origin === "capture" || origin === "correction")
    .toSorted((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
    .map(({ category, text, createdAt }) => ({ category, text, at: createdAt }));
}

function startOf(date: unknown): Instant {
  const time = typeof date === "string" && datePattern.test(date) ? Date.parse(date) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(String(date))) return time;
  throw new LociError("INVALID_REQUEST", {
    message: `date is ${shownValue(date)}, which is no day.`,
    field: "date",
    advice: "Write it as yyyy-mm-dd, such as 2026-03-31.",
  });
}
