import { planAppend } from "@loci/core";
import { LociError, maxTurnsPerAppend, type Principal, throwIfAborted, type Turn } from "@loci/domain";
import { type Ledger, type ResourceChange, sessionFamily } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import { sessionRef, turnStateRef } from "../sessions/session-key.ts";
import {
  namesForeignProject,
  sessionOf,
  type SessionRecord,
  sessionWritten,
  timesWith,
} from "../sessions/stored-session.ts";
import { findTurnState, turnStateWritten } from "../sessions/stored-turn-state.ts";
import type { LeftOut, LineResults } from "./line-results.ts";
import { nameOf, type SessionLine, type TurnLine, type TurnStateLine } from "./read-session-lines.ts";

export type LineOfSession = SessionLine | TurnLine | TurnStateLine;

/** Takes sessions back, each with its lines in one commit. */
export async function importSessions(
  { ledger }: { readonly ledger: Ledger },
  call: Call,
  lines: readonly LineOfSession[],
  results: LineResults,
): Promise<void> {
  for (const ofSession of Map.groupBy(lines, nameOf).values()) await importSession(ledger, call, ofSession, results);
}

async function importSession(
  ledger: Ledger,
  call: Call,
  lines: readonly LineOfSession[],
  results: LineResults,
): Promise<void> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const { key } = lines[0] as LineOfSession;
  const ref = sessionRef(key);
  const stateRef = turnStateRef(key);
  for (;;) {
    throwIfAborted(signal);
    if ((await erasedOf(ledger, tenant, [ref, stateRef], signal)).size > 0) {
      for (const line of lines) results.set(line, "erased");
      return;
    }
    const stored = (await ledger.resources.get(tenant, sessionFamily, [ref], { signal })).get(ref);
    const turnState = await findTurnState({ ledger }, tenant, key, signal);
    const taken = new TakenSession(principal, stored?.version ?? 0, stored && sessionOf(stored));
    for (const line of lines) if (line.type === "session") results.set(line, taken.begin(line));
    const turns = lines.filter((line) => line.type === "turn");
    for (const line of turns.toSorted((left, right) => left.turn.number - right.turn.number))
      results.set(line, taken.append(line));
    const changes: ResourceChange[] = [...taken.changes];
    const expect = changes.length === 0 ? [] : [{ ref, version: stored?.version ?? 0 }];
    for (const line of lines) {
      if (line.type !== "turnState") continue;
      const problem = taken.problemOf(line);
      // What is there is at least as new, and a session that was deleted here has none.
      const isKnown = turnState !== undefined || changes.some((change) => change.ref === stateRef);
      results.set(line, isKnown || taken.isDeleted ? "unchanged" : (problem ?? "imported"));
      if (isKnown || taken.isDeleted || problem !== undefined) continue;
      expect.push({ ref: stateRef, version: 0 });
      changes.push(turnStateWritten(key, line.state, 1));
    }
    if (changes.length === 0) return;
    try {
      await ledger.commit({ ...authoredBy(principal), expect, changes }, { signal });
      return;
    } catch (error) {
      // Somebody else has changed or erased it meanwhile: it is looked at again.
      if (!isOutdated(error)) throw error;
    }
  }
}

/** A session as lines make it. */
class TakenSession {
  readonly isDeleted: boolean;
  readonly #principal: Principal;
  readonly #changes: ResourceChange[] = [];
  #version: number;
  #record: SessionRecord | undefined;
  #pending: Turn[] = [];

  constructor(principal: Principal, version: number, record: SessionRecord | undefined) {
    this.#principal = principal;
    this.#version = version;
    this.#record = record;
    this.isDeleted = version > 0 && record === undefined;
  }

  get changes(): readonly ResourceChange[] {
    this.#flush();
    return this.#changes;
  }

  /** A session that is there stays as it is, and one that was deleted here stays so. */
  begin({ header, arrival, isProjectForeign }: SessionLine): "imported" | "unchanged" {
    if (this.#version > 0) return "unchanged";
    const isForeign = namesForeignProject(this.#principal, header);
    // What an export from before this was kept does not say is not taken for granted.
    const mark = isForeign === undefined ? {} : { isProjectForeign: isForeign || isProjectForeign !== false };
    this.#record = {
      header,
      since: 1,
      arrival: { ...arrival, taken: 0 },
      ...mark,
    };
    this.#changes.push(sessionWritten(this.#record, ++this.#version));
    return "imported";
  }

  append(line: TurnLine): "imported" | "unchanged" | LeftOut {
    if (this.isDeleted) return "unchanged";
    const problem = this.problemOf(line);
    if (problem !== undefined) return problem;
    const record = this.#record as SessionRecord;
    const { header, arrival } = record;
    const { number, ...turn } = line.turn;
    if (number <= header.lastTurn) return "unchanged";
    if (arrival === undefined || arrival.taken !== header.lastTurn) return wentOn;
    if (number > header.lastTurn + 1) return gap;
    try {
      // A closed session has its turns, too.
      const open = { ...header, state: "open" as const };
      const plan = planAppend(open, [], { expectedLast: header.lastTurn, turns: [turn] }, header.updatedAt);
      const { state, updatedAt } = header;
      this.#record = {
        ...record,
        header: { ...plan.session, state, updatedAt },
        times: timesWith(record.times, plan.turns),
        arrival: { ...arrival, taken: number },
      };
      this.#pending.push(...plan.turns);
      if (this.#pending.length === maxTurnsPerAppend) this.#flush();
      return "imported";
    } catch (error) {
      if (!LociError.is(error)) throw error;
      return { reason: error.reason, problem: "The turn does not follow on the turn before it." };
    }
  }

  /** Why nothing of another session goes into this one. */
  problemOf({ createdAt }: LineOfSession): LeftOut | undefined {
    if (this.#record === undefined) return noSession;
    return this.#record.header.createdAt === createdAt ? undefined : anotherSession;
  }

  /** An entry of the log has as many turns as one appending call can have. */
  #flush(): void {
    if (this.#pending.length === 0) return;
    this.#changes.push(sessionWritten(this.#record as SessionRecord, ++this.#version, this.#pending));
    this.#pending = [];
  }
}

const noSession = {
  reason: "SESSION_NOT_FOUND",
  problem: "Its session is not there: import that line first.",
} as const;
const anotherSession = {
  reason: "SESSION_EXISTS",
  problem: "The scope has another session of this id, which was begun at another time.",
} as const;
const wentOn = {
  reason: "TURN_CONFLICT",
  problem: "The session has turns here that no import brought, so that no further ones are added to it.",
} as const;
const gap = { reason: "TURN_CONFLICT", problem: "The turn before it is not there: import that line first." } as const;
