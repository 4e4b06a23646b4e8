import { checkAppendFields, checkTurns, planAppend, turnsSaidAlready } from "@loci/core";
import {
  type AppendedTurns,
  type AppendTurnsRequest,
  type SessionKey,
  type SessionKeyInput,
  throwIfAborted,
  type Turn,
  type TurnInput,
} from "@loci/domain";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { isOutdated } from "../calls/version-conflict.ts";
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
  return appendAt(services, call, key, { turns, placeIn: async () => ({ expectedLast, known: 0 }) });
}

/**
 * Appends turns behind whatever stands there, but for those that are the last to stand there already.
 *
 * @throws LociError as {@link appendTurns}, never `TURN_CONFLICT`
 */
export async function appendBehindAll(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  turns: readonly TurnInput[],
): Promise<AppendedTurns> {
  const { principal, signal } = call;
  const of = { tenant: principal.tenant, signal };
  return appendAt(services, call, permittedKey(call, "write", keyInput), {
    turns,
    placeIn: async (session, clean) => {
      const { lastTurn } = session.header;
      const last = await readTurns(services, { ...of, session }, { newest: clean.length });
      const known = turnsSaidAlready(last.turns, clean);
      return known === clean.length ? { expectedLast: lastTurn - known, known: 0 } : { expectedLast: lastTurn, known };
    },
  });
}

/** Which turns are appended, and behind which one. */
interface AppendPlace {
  readonly expectedLast: number;
  /** How many of the given turns, from the first one on, are those up to `expectedLast`: they are not appended. */
  readonly known: number;
}

interface GivenTurns {
  readonly turns: readonly TurnInput[];
  /** @param clean the turns as the session keeps them */
  readonly placeIn: (session: StoredSession, clean: readonly TurnInput[]) => Promise<AppendPlace>;
}

async function appendAt(
  services: SessionServices,
  call: Call,
  key: SessionKey,
  { turns, placeIn }: GivenTurns,
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
    if (plan.appended.replayed || (await isCommitted(services, call, session, plan)))
      return { ...plan.appended, firstTurn: plan.appended.firstTurn - known };
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

/** False when the session is no longer what it was read as: then everything is decided again. */
async function isCommitted(
  services: SessionServices,
  call: Call,
  session: StoredSession,
  { turns, session: header }: ReturnType<typeof planAppend>,
): Promise<boolean> {
  const { principal, signal } = call;
  const { ref, version } = session;
  const record = { ...session, header, times: timesWith(session.times, turns) };
  const appending = { expect: [{ ref, version }], changes: [sessionWritten(record, version + 1, turns)] };
  try {
    if (header.rememberTurns) await commitRememberedTurns(services, call, { header, turns, appending });
    else await services.ledger.commit({ ...authoredBy(principal), ...appending }, { signal });
    return true;
  } catch (error) {
    // Erased meanwhile, it is not found when it is read again.
    if (!isOutdated(error)) throw error;
    throwIfAborted(signal);
    return false;
  }
}
