import {
  defaultMaxActions,
  type FreshTurnState,
  type JsonValue,
  LociError,
  maxTurnDecisions,
  type TurnFact,
  type TurnState,
} from "@loci/domain";
import { checkTurnState } from "./check-turn-state.ts";
import { lastOf } from "./last-of.ts";

/**
 * Joins the state that was kept with what an agent brings from its turns since. The same two always give the same third.
 * Nothing is overwritten silently: where the two disagree, `conflicts` names it.
 *
 * Id and creation are those that were kept; task, subtask and progress the fresh ones where given; lists are united, the kept
 * entries first. Fields that nobody knows are kept too, the fresh ones where both have them.
 *
 * @param maxActions how many actions are kept, the newest. Default 50
 * @throws LociError `INVALID_REQUEST` for what is no turn state; `SESSION_MISMATCH` for states of two sessions; `TEXT_TOO_LARGE` when both together exceed 256 KiB
 */
export function mergeTurnState(
  loadedState: TurnState,
  freshState: FreshTurnState,
  maxActions: number = defaultMaxActions,
): TurnState {
  const loaded = checkTurnState(loadedState);
  const fresh = checkFreshState(freshState);
  if (loaded.sessionId !== fresh.sessionId)
    throw new LociError("SESSION_MISMATCH", {
      message: "The fresh turn state belongs to another session than the one that was kept.",
      field: "sessionId",
      resource: loaded.sessionId,
      advice: "Load the state of the session the agent is in, and merge with that.",
    });
  checkMaxActions(maxActions);
  const { baseTurn, turns, ...changes } = fresh;
  const actions = firstOfEach([...loaded.actions, ...fresh.actions], ({ type, time }) => [type, time]);
  const decisions = firstOfEach([...loaded.decisions, ...fresh.decisions], ({ decision, turn }) => [decision, turn]);
  const verifiedFacts = firstOfEach([...loaded.verifiedFacts, ...fresh.verifiedFacts], ({ key, value }) => [
    key,
    value,
  ]);
  const rejectedHypotheses = united(loaded.rejectedHypotheses, fresh.rejectedHypotheses);
  const rejected = new Set(rejectedHypotheses);
  const updatedAt = Math.max(loaded.updatedAt ?? loaded.createdAt, fresh.updatedAt ?? fresh.createdAt);
  return checkTurnState({
    ...loaded,
    ...changes,
    sessionId: loaded.sessionId,
    createdAt: loaded.createdAt,
    ...(loaded.updatedAt === undefined && fresh.updatedAt === undefined ? {} : { updatedAt }),
    turnNumber: Math.max(loaded.turnNumber, baseTurn + turns),
    taskDescription: isGiven(fresh.taskDescription) ? fresh.taskDescription : loaded.taskDescription,
    currentSubtask: isGiven(fresh.currentSubtask) ? fresh.currentSubtask : loaded.currentSubtask,
    progress: isGiven(fresh.progress) ? fresh.progress : loaded.progress,
    actions: lastOf(
      actions.toSorted((left, right) => left.time - right.time),
      maxActions,
    ),
    filesRead: united(loaded.filesRead, fresh.filesRead),
    filesWritten: united(loaded.filesWritten, fresh.filesWritten),
    verifiedFacts,
    hypotheses: united(loaded.hypotheses, fresh.hypotheses).filter((hypothesis) => !rejected.has(hypothesis)),
    rejectedHypotheses,
    decisions: lastOf(
      decisions.toSorted((left, right) => left.turn - right.turn),
      maxTurnDecisions,
    ),
    // Without a comparison of one's own, texts are sorted by their code units
    activeConstraints: united(loaded.activeConstraints, fresh.activeConstraints).toSorted(),
    conflicts: conflictsOf(loaded, fresh, verifiedFacts),
  });
}

const scalars = ["taskDescription", "currentSubtask", "progress"] as const;

function conflictsOf(loaded: TurnState, fresh: FreshTurnState, facts: readonly TurnFact[]): readonly string[] {
  const differing = scalars.filter(
    (name) => isGiven(loaded[name]) && isGiven(fresh[name]) && loaded[name] !== fresh[name],
  );
  const counts = new Map<string, number>();
  for (const { key } of facts) counts.set(key, (counts.get(key) ?? 0) + 1);
  const disputed = [...counts].filter(([, count]) => count > 1);
  return [...differing, ...disputed.map(([key]) => `verifiedFacts.${key}`)];
}

function isGiven(value: string | null): boolean {
  return value !== null && value !== "";
}

function united(loaded: readonly string[], fresh: readonly string[]): readonly string[] {
  return [...new Set([...loaded, ...fresh])];
}

/** The entries without those that have the key of one before them. */
function firstOfEach<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => JsonValue): readonly Entry[] {
  const seen = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify(keyOf(entry));
    if (!seen.has(key)) seen.set(key, entry);
  }
  return [...seen.values()];
}

function checkFreshState(fresh: FreshTurnState): FreshTurnState {
  const checked = checkTurnState(fresh);
  const { baseTurn, turns } = fresh;
  for (const count of [baseTurn, turns, baseTurn + turns])
    if (!Number.isSafeInteger(count) || count < 0)
      throw new LociError("INVALID_NUMBER", {
        message: "A fresh turn state's baseTurn and turns must be whole numbers from 0.",
        field: "baseTurn",
        advice: "Pass the turn number of the state it began with, and how many turns were made since.",
      });
  return { ...checked, baseTurn, turns };
}

function checkMaxActions(maxActions: number): void {
  if (Number.isSafeInteger(maxActions) && maxActions >= 0) return;
  throw new LociError("INVALID_NUMBER", {
    message: "maxActions must be a whole number from 0.",
    field: "maxActions",
    advice: `Leave it out for ${defaultMaxActions}.`,
  });
}
