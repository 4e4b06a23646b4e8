import { type Company, companyRemembered, withoutCategories } from "@loci/core";
import {
  type CaptureCandidate,
  type CapturedCandidate,
  type CapturedTurn,
  type CaptureOutcome,
  formatScope,
  LociError,
  type MemoryId,
  permitsScope,
  type Scope,
  type Turn,
  type UnreadWords,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { readTurns } from "../sessions/read-turns.ts";
import { findSession, projectScopeOf, type StoredSession } from "../sessions/stored-session.ts";
import { candidatesByModel } from "./candidates-by-model.ts";
import { candidatesByRules, type JudgedCandidates, type ReadSession } from "./candidates-by-rules.ts";
import type { CaptureModelCalls } from "./capture-model.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { StatementsHere } from "./reading/read-here.ts";
import type { ReadingOptions } from "./reading/statement-reader.ts";
import { captureTurn } from "./capture-turn.ts";
import type { StoredCapture } from "./stored-capture.ts";

/** What is to be done about a candidate. */
export interface PlannedCandidate {
  readonly candidate: CaptureCandidate;
  /** Of the memory that is to be written for it. */
  readonly memory: MemoryId | undefined;
  readonly scope: Scope;
  /** The memory that it is about. */
  readonly target: StoredMemory | undefined;
  /** The first turn that it cites. */
  readonly turn: Turn;
}

export interface CapturePlan {
  readonly outcome: CaptureOutcome;
  readonly planned: readonly PlannedCandidate[];
}

/** So much of a turn is read, in UTF-16 units: who says more pastes a document. */
const longestRead = 16_000;

/** So many turns before the range are read to understand it. */
const turnsBefore = 6;

/**
 * Reads the turns and what is known, and decides what to remember. Writes nothing.
 *
 * @param model absent: rules find and judge
 */
export async function plannedCapture(
  services: CaptureServices,
  call: CaptureCall,
  capture: StoredCapture,
  model?: CaptureModelCalls,
): Promise<CapturePlan> {
  const { tenant, signal } = call;
  const { session: key, turns: range, authority } = capture;
  const { session } = await findSession(services, tenant, key, signal);
  if (session === undefined || session.since !== capture.since) throw sessionGone(key.id);
  const projectScope = reachesProject(capture, session) ? capture.projectScope : undefined;
  const read = await readTurns(
    services,
    { tenant, session, signal },
    { first: Math.max(1, range.first - turnsBefore), last: range.last },
  );
  await captureTurn(services, call);
  const turns = read.turns.map(capturedTurn);
  const scopes: readonly [Scope, ...Scope[]] = projectScope === undefined ? [key.scope] : [key.scope, projectScope];
  const company = await companyKnown(services, call, key.scope);
  const reading = { signal, company, turn: () => captureTurn(services, call) };
  const of = {
    scopes,
    input: {
      turns,
      after: range.first - 1,
      scope: formatScope(key.scope),
      projectScope: projectScope && formatScope(projectScope),
      mayApprove: authority.mayApprove,
      policies: services.detection,
      gates: {
        duplicate: services.embedder.gates.duplicate,
        related: services.embedder.gates.related ?? services.embedder.gates.duplicate - 0.15,
      },
    },
  };
  const { header: wishes } = session;
  const {
    candidates: judged,
    known,
    ...report
  } = await (model === undefined
    ? byRules(services, call, { ...of, reading, capture })
    : candidatesByModel(services, call, { ...of, wishes, statements: await StatementsHere.of(turns, reading) }, model));
  const candidates = withoutCategories(judged, wishes.captureExcept ?? []);
  await captureTurn(services, call);
  const byId = new Map(known.map((stored) => [stored.memory.id as string, stored]));
  const planned = candidates.map((candidate): PlannedCandidate => {
    const writes = candidate.state !== "rejected" && (candidate.decision === "ADD" || candidate.decision === "UPDATE");
    const cited = candidate.evidence[0]?.turn;
    return {
      candidate,
      memory: writes ? services.ids.next(services.clock()) : undefined,
      scope: scopes.find((scope) => formatScope(scope) === candidate.scope) ?? key.scope,
      target: candidate.target === null ? undefined : byId.get(candidate.target),
      turn: read.turns.find(({ number }) => number === cited) ?? (read.turns.at(-1) as Turn),
    };
  });
  const captured = planned.map(({ candidate, memory }): CapturedCandidate => ({
    ...candidate,
    memory: memory ?? null,
  }));
  const unread = unreadIn(read.turns, report.unread ?? []).filter(({ turn }) => turn >= range.first);
  const { unread: _all, ...made } = report;
  return { outcome: { ...made, candidates: captured, ...(unread.length === 0 ? {} : { unread }) }, planned };
}

/**
 * Nobody stands for what a session orders by itself: it reaches no further than the session does, whatever was ordered. And who has one that is
 * dead tried anew may not touch all that whoever asked for it might.
 */
function reachesProject({ authority, projectScope }: StoredCapture, session: StoredSession): boolean {
  if (authority.subject === undefined) return projectScopeOf(session) !== undefined;
  return projectScope !== undefined && permitsScope(authority, projectScope);
}

/** With what is too long to be read, in the order of the turns. */
function unreadIn(turns: readonly Turn[], unread: readonly UnreadWords[]): readonly UnreadWords[] {
  const tooLong = turns.flatMap(({ number, role, content }): readonly UnreadWords[] => {
    const units = role === "user" ? content.slice(longestRead).replace(/\s/gu, "").length : 0;
    return units === 0 ? [] : [{ turn: number, reason: "TOO_LONG", units }];
  });
  return [...tooLong, ...unread].toSorted((left, right) => left.turn - right.turn);
}

/** So many of the newest memories tell whom somebody speaks for. */
const newestRead = 60;

/** Whom the user speaks for, by what is remembered of them. */
async function companyKnown(
  services: CaptureServices,
  { tenant, signal }: CaptureCall,
  scope: Scope,
): Promise<Company | undefined> {
  const evaluationTime = services.clock();
  const newest = await services.ledger.list(tenant, { scopes: [scope], evaluationTime, limit: newestRead }, { signal });
  return companyRemembered(newest.map(({ memory }) => memory.text));
}

async function byRules(
  services: CaptureServices,
  call: CaptureCall,
  {
    reading,
    capture,
    ...of
  }: Omit<ReadSession, "statements"> & { readonly reading: ReadingOptions; readonly capture: StoredCapture },
): Promise<JudgedCandidates & Omit<CaptureOutcome, "candidates">> {
  using statements = await services.statementReader.read(of.input.turns, reading);
  const judged = await candidatesByRules(services, call, { ...of, statements });
  const { unread } = statements;
  // Asked for a model where there is none.
  const isFallback = capture.extractor === "model";
  const problem = isFallback ? { modelProblem: "There is no language model for captures here." } : {};
  return { ...judged, extractor: "rules", isFallback, ...problem, unread };
}

function capturedTurn({ number, role, content, at, recalled, toolCalls, name }: Turn): CapturedTurn {
  const tools = [...(toolCalls ?? []).map((call) => call.function.name), ...(role === "tool" && name ? [name] : [])];
  const said = role === "developer" ? "system" : role;
  return {
    turn: number,
    role: said,
    content: content.slice(0, longestRead),
    at,
    isRecalled: recalled,
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function sessionGone(id: string): LociError {
  return new LociError("SESSION_NOT_FOUND", {
    message: "The session that was to be captured is no longer there.",
    resource: id,
    advice: "It was deleted or erased meanwhile: there is nothing to capture.",
  });
}
