import { type AppendPlan, checkAppendFields, checkTurns, planAppend, turnsSaidAlready } from "@loci/core";
import {
  type AppendedTurns,
  type AppendTurnsRequest,
  type SessionKey,
  type SessionKeyInput,
  throwIfAborted,
  type Turn,
  type TurnInput,
} from "@loci/domain";
import type { Committed, Idempotency } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { isErased, isOutdated } from "../calls/version-conflict.ts";
import { placeOfResults } from "./appended-by-request.ts";
import { readTurns } from "./read-turns.ts";
import { redactedTurns } from "./redacted-turns.ts";
import { commitRememberedTurns } from "./remember-turns.ts";
import { permittedKey } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import { existingSession, sessionWritten, type StoredSession, timesWith } from "./stored-session.ts";

/**
 * Appends turns in one commit, with the memories that are made of them. Reads the session, and of its turns at most as many as are given. A request id is not needed: the
 * turns themselves tell whether they were appended before.
 */
export async function appendTurns(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  request: AppendTurnsRequest,
): Promise<AppendedTurns> {
  const key = permittedKey(call, "write", keyInput);
  checkAppendFields(request);
  const { turns, expectedLast } = request;
  return appendAt(services, call, key, { turns, placeIn: behind(expectedLast) });
}

/** Turns, and how a call that gives them is known again. */
export interface TurnsToAppend {
  readonly turns: readonly TurnInput[];
  /** Default: they follow whatever stands there, but for those that are the last to stand there already. */
  readonly expectedLast?: number | undefined;
  /** By it a repetition is known wherever the turns stand by then. Default: they tell themselves, at their place. */
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Appends turns as {@link appendTurns} does, with what a repeated call needs.
 *
 * @throws LociError as {@link appendTurns}, without `expectedLast` never `TURN_CONFLICT`; `REQUEST_ID_REUSED`
 */
export async function appendOnce(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  { turns, expectedLast, idempotency }: TurnsToAppend,
): Promise<AppendedTurns> {
  const placeIn = expectedLast === undefined ? behindAll(services, call) : behind(expectedLast);
  return appendAt(services, call, permittedKey(call, "write", keyInput), { turns, idempotency, placeIn });
}

function behind(expectedLast: number): FindPlace {
  return async () => ({ expectedLast, known: 0 });
}

function behindAll(services: SessionServices, { principal: { tenant }, signal }: Call): FindPlace {
  return async (session, clean) => {
    const { lastTurn } = session.header;
    const last = await readTurns(services, { tenant, signal, session }, { newest: clean.length });
    const known = turnsSaidAlready(last.turns, clean);
    return known === clean.length ? { expectedLast: lastTurn - known, known: 0 } : { expectedLast: lastTurn, known };
  };
}

/** Which turns are appended, and behind which one. */
interface AppendPlace {
  readonly expectedLast: number;
  /** How many of the given turns, from the first one on, are those up to `expectedLast`: they are not appended. */
  readonly known: number;
}

/** @param clean the turns as the session keeps them */
type FindPlace = (session: StoredSession, clean: readonly TurnInput[]) => Promise<AppendPlace>;

interface GivenTurns extends Pick<TurnsToAppend, "turns" | "idempotency"> {
  readonly placeIn: FindPlace;
}

async function appendAt(
  services: SessionServices,
  call: Call,
  key: SessionKey,
  { turns, idempotency, placeIn }: GivenTurns,
): Promise<AppendedTurns> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const given = checkTurns(turns);
  let redacted: readonly TurnInput[] | undefined;
  for (;;) {
    const session = await existingSession(services, tenant, key, signal);
    // The clean turns are made once, however often somebody else is quicker.
    if (!session.header.keepSecrets)
      redacted ??= await redactedTurns(given, services.detection, () => services.thread.next(tenant, signal));
    const clean = session.header.keepSecrets ? given : (redacted ?? given);
    const { expectedLast, known } = await placeIn(session, clean);
    const asked = { expectedLast, turns: clean.slice(known) };
    const stored = await turnsBehind(services, call, session, asked);
    const plan = planAppend(session.header, stored, asked, services.clock());
    const appended = { ...plan.appended, firstTurn: plan.appended.firstTurn - known };
    if (appended.replayed && idempotency === undefined) return appended;
    const committed = await commitPlan(services, call, session, { ...plan, idempotency });
    if (committed === undefined) continue;
    // The same request was carried out a moment ago.
    if (committed.replayed) return placeOfResults(services, call, key, { ...committed, count: turns.length });
    return appended;
  }
}

/** The turns that stand where the given ones are to. */
async function turnsBehind(
  services: SessionServices,
  { principal: { tenant }, signal }: Call,
  session: StoredSession,
  { expectedLast, turns }: AppendTurnsRequest,
): Promise<readonly Turn[]> {
  const isBehind = Number.isSafeInteger(expectedLast) && expectedLast >= 0 && expectedLast < session.header.lastTurn;
  if (!isBehind) return [];
  const range = { first: expectedLast + 1, last: expectedLast + turns.length };
  return (await readTurns(services, { tenant, session, signal }, range)).turns;
}

interface PlannedCommit extends AppendPlan {
  readonly idempotency: Idempotency | undefined;
}

/** `undefined` when the session is no longer what it was read as: then everything is decided again. */
async function commitPlan(
  services: SessionServices,
  call: Call,
  session: StoredSession,
  { turns, session: header, idempotency }: PlannedCommit,
): Promise<Pick<Committed, "replayed" | "results"> | undefined> {
  const { principal, signal } = call;
  const { ref, version } = session;
  const record = { ...session, header, times: timesWith(session.times, turns) };
  // Of turns that stand there already a version without any keeps where they stood when this was asked.
  const written = sessionWritten(record, version + 1, turns.length === 0 ? undefined : turns);
  const appending = { expect: [{ ref, version }], changes: [written], idempotency };
  try {
    const committed = header.rememberTurns
      ? await commitRememberedTurns(services, call, { header, turns, appending })
      : await services.ledger.commit({ ...authoredBy(principal), ...appending }, { signal });
    return committed ?? { replayed: false, results: [] };
  } catch (error) {
    // Erased meanwhile, it is not found when it is read again. Without a resource it is about the request.
    if (!isOutdated(error) || (isErased(error) && error.resource === undefined)) throw error;
    throwIfAborted(signal);
    return undefined;
  }
}
