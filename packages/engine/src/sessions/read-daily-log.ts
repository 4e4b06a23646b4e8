import { dailyLog, furthestZone } from "@loci/core";
import {
  asGiven,
  authorize,
  checksOf,
  type DailyLogRequest,
  type Instant,
  LociError,
  type LoggedSession,
  parseScope,
  shownValue,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { capturedEntries, loggedOf, spokenSince } from "./logged-session.ts";
import { sessionsSpokenIn } from "./sessions-spoken-in.ts";
import type { SessionServices } from "./session-services.ts";

const check = checksOf<DailyLogRequest>()("request", {
  scope: parseScope,
  date: (date, path) => ({ named: date, start: startOf(date, path) }),
  timeZone: asGiven,
});
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const dayLength = 86_400_000;

/**
 * What was talked about on a day in the sessions of a scope. Reads the turns of sessions that had any at the time, from the
 * newest back to the day.
 */
export async function readDailyLog(
  services: SessionServices,
  { principal, signal }: Call,
  request: DailyLogRequest,
): Promise<string> {
  const {
    scope,
    date: { named, start },
    timeZone,
  } = check(request);
  // Refuses an unknown zone before anything is read.
  dailyLog(named, [], timeZone);
  authorize(principal, "read", [scope]);
  const { tenant } = principal;
  const spoken = { from: start - furthestZone, to: start + dayLength + furthestZone };
  const logged: LoggedSession[] = [];
  for await (const session of sessionsSpokenIn(services, { tenant, scope, signal }, spoken)) {
    const of = { tenant, session, signal };
    const turns = await spokenSince(services, of, spoken.from);
    logged.push(loggedOf(session, turns, await capturedEntries(services, of, turns)));
  }
  return dailyLog(named, logged, timeZone);
}

function startOf(date: unknown, path: string): Instant {
  const time = typeof date === "string" && datePattern.test(date) ? Date.parse(date) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(String(date))) return time;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is ${shownValue(date)}, which is no day.`,
    field: path,
    advice: "Write it as yyyy-mm-dd, such as 2026-03-31.",
  });
}
