import {
  type AppendedTurns,
  type CaptureRange,
  type KeptSession as SessionNow,
  LociError,
  type SessionKeyInput,
  type SessionsApi,
  type Turn,
} from "@loci/domain";
import type { KnownConversation } from "./conversation.ts";
import { repetitions } from "./repetitions.ts";
import type { RunPart } from "./run-parts.ts";

/** What appending takes. */
type Sessions = Pick<SessionsApi, "append" | "create" | "get" | "turns">;

/** So often somebody else may have gone on with the session before this gives up. */
const mostAttempts = 50;
/** What others may have appended between a run and its repetition. */
const othersBetween = 40;

/**
 * A session that runs are appended to, each once: also when one is appended again by a process that knows nothing of the first time.
 *
 * Turns have no key of their own, so a repetition is known by what it says: as soon as somebody else may have gone on with the session,
 * its newest turns are searched for those of the run. What was said before the question tells a repetition from somebody who says the
 * same again, so that who says thanks twice is kept twice.
 */
export class KeptSession {
  readonly #sessions: Sessions;
  readonly #conversation: KnownConversation;
  readonly #key: SessionKeyInput;
  readonly #learns: boolean;
  #place: Place | undefined;

  /** @param learns whether memories are made of a session that is begun here */
  constructor(sessions: Sessions, conversation: KnownConversation & { readonly session: string }, learns: boolean) {
    this.#sessions = sessions;
    this.#conversation = conversation;
    this.#key = { scope: conversation.scope, id: conversation.session };
    this.#learns = learns;
  }

  /**
   * One run at a time.
   *
   * @param isLate whether others may have kept it meanwhile and gone on
   * @throws LociError as `sessions.append`
   */
  async append(run: readonly RunPart[], { isLate }: { isLate: boolean }): Promise<void> {
    for (const part of run) await this.#appendPart(part, isLate);
  }

  async #appendPart(part: RunPart, isLate: boolean): Promise<void> {
    let problem: unknown;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { lastTurn, lastOfOthers } = this.#place ?? (await this.#begin());
      const searched = { first: Math.max(1, lastTurn + 1 - widthOf(part)), last: lastTurn };
      try {
        const standing = lastOfOthers >= searched.first ? await this.#find(part, searched, isLate) : undefined;
        const appended = standing ?? (await this.#appendBehind(lastTurn, part));
        this.#place = appended.replayed
          ? { lastTurn: Math.max(lastTurn, appended.lastTurn), lastOfOthers: Math.max(lastOfOthers, appended.lastTurn) }
          : { lastTurn: appended.lastTurn, lastOfOthers };
        return;
      } catch (error) {
        // It may have been appended, or not.
        this.#place = undefined;
        if (!isOutdated(error)) throw error;
        problem = error;
      }
    }
    throw problem;
  }

  #appendBehind(lastTurn: number, part: RunPart): Promise<AppendedTurns> {
    part.notUpTo = lastTurn;
    return this.#sessions.append(this.#key, { expectedLast: lastTurn, turns: part.turns });
  }

  /** Where it stands now. It is begun when it is missing. */
  async #begin(): Promise<Place> {
    const { scope, session, agent, project } = this.#conversation;
    try {
      return placeOf(await this.#sessions.get(this.#key));
    } catch (error) {
      if (!hasReason(error, "SESSION_NOT_FOUND")) throw error;
    }
    try {
      // Captured by Loci itself in the commit that appends: what was kept is learnt of, whoever dies meanwhile.
      const capture = this.#learns ? { everyTurns: 1 } : "off";
      return placeOf(await this.#sessions.create({ scope, id: session as string, agent, project, capture }));
    } catch (error) {
      if (!hasReason(error, "SESSION_EXISTS")) throw error;
      return placeOf(await this.#sessions.get(this.#key));
    }
  }

  /** Where the turns of a run stand already. */
  async #find(
    { turns, before, notUpTo }: RunPart,
    among: CaptureRange,
    isLate: boolean,
  ): Promise<AppendedTurns | undefined> {
    const stored = await this.#read(among);
    const untimed = turns.map((turn) => ({ ...turn, at: undefined }));
    // A session that is shorter than it was is another one: it was deleted meanwhile.
    const first = notUpTo > among.last ? 0 : Math.max(0, notUpTo + 1 - among.first);
    for (const place of repetitions(untimed, before, stored, { isLate, first })) {
      // Loci compares them as it keeps them: secrets are not kept as they were said.
      const expectedLast = (stored[place] as Turn).number - 1;
      const found = await this.#sessions.append(this.#key, { expectedLast, turns: untimed }).catch((error: unknown) => {
        if (!isOutdated(error)) throw error;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #read({ first, last }: CaptureRange): Promise<readonly Turn[]> {
    const found: Turn[] = [];
    for (let pageToken: string | undefined; ;) {
      const page = await this.#sessions.turns(this.#key, { first, last, pageSize: 1_000, pageToken });
      found.push(...page.turns);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) return found;
    }
  }
}

/** Where a session stands, as far as is known here. */
interface Place {
  readonly lastTurn: number;
  /** The last turn that may be of another process. Among those up to it are perhaps those of a run. */
  readonly lastOfOthers: number;
}

function placeOf({ lastTurn }: Pick<SessionNow, "lastTurn">): Place {
  return { lastTurn, lastOfOthers: lastTurn };
}

/** How many of the session's newest turns may be those of a run, or of what was said before it. */
function widthOf({ before, runLength }: RunPart): number {
  return before.length + runLength + othersBetween;
}

function isOutdated(error: unknown): boolean {
  return ["TURN_CONFLICT", "VERSION_CONFLICT", "SESSION_NOT_FOUND"].some((reason) => hasReason(error, reason));
}

function hasReason(error: unknown, reason: string): error is LociError {
  return LociError.is(error) && error.reason === reason;
}
