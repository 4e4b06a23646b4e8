import { isPlainObject, maxActionResultLength, shownText, turnProgresses } from "@loci/domain";

/** How deep the caller's own fields may be nested. */
const maxDepth = 32;

const listsOfTexts = [
  "filesRead",
  "filesWritten",
  "hypotheses",
  "rejectedHypotheses",
  "activeConstraints",
  "conflicts",
] as const;

/** Where a state is wrong, and how. */
export interface TurnStateProblem {
  readonly field: string;
  readonly problem: string;
}

/** What is wrong with a value that should be a turn state, or `undefined` when nothing is. */
export function turnStateProblem(state: unknown): TurnStateProblem | undefined {
  if (!isPlainObject(state)) return { field: "value", problem: "must be a plain object" };
  const depth = jsonProblem(state, "value", 0);
  if (depth !== undefined) return depth;
  if (typeof state["sessionId"] !== "string" || state["sessionId"] === "")
    return { field: "sessionId", problem: "must be the id of its session" };
  for (const name of ["createdAt", "turnNumber", "updatedAt"] as const) {
    const value = state[name];
    const mayBeAbsent = name !== "createdAt" && value === undefined;
    if (!mayBeAbsent && !(Number.isSafeInteger(value) && (name !== "turnNumber" || Number(value) >= 0)))
      return { field: name, problem: "must be a whole number" };
  }
  for (const name of ["taskDescription", "currentSubtask"] as const)
    if (!isAbsent(state[name]) && typeof state[name] !== "string") return { field: name, problem: "must be text" };
  if (!isAbsent(state["progress"]) && !turnProgresses.some((known) => known === state["progress"]))
    return { field: "progress", problem: `must be one of ${turnProgresses.join(", ")}` };
  return listProblem(state);
}

function listProblem(state: Readonly<Record<string, unknown>>): TurnStateProblem | undefined {
  for (const name of listsOfTexts)
    if (!entriesOf(state[name])?.every((entry) => typeof entry === "string"))
      return { field: name, problem: "must be a list of texts" };
  for (const { name, isOne, shape } of listsOfEntries) {
    const entries = entriesOf(state[name]);
    if (entries === undefined) return { field: name, problem: "must be a list" };
    const wrong = entries.findIndex((entry) => !isPlainObject(entry) || !isOne(entry));
    if (wrong >= 0) return { field: `${name}[${wrong}]`, problem: `must have ${shape}` };
  }
  return undefined;
}

type Entry = Readonly<Record<string, unknown>>;

const listsOfEntries = [
  { name: "actions", isOne: isAction, shape: `a type, a time and a result of at most ${maxActionResultLength} units` },
  { name: "verifiedFacts", isOne: isFact, shape: "a key and a value" },
  { name: "decisions", isOne: isDecision, shape: "a decision and a turn" },
] as const;

function isAction({ type, time, result }: Entry): boolean {
  const isShort = typeof result === "string" && result.length <= maxActionResultLength;
  return typeof type === "string" && Number.isSafeInteger(time) && (result === undefined || isShort);
}

function isFact({ key, value }: Entry): boolean {
  return typeof key === "string" && value !== undefined;
}

function isDecision({ decision, turn }: Entry): boolean {
  return typeof decision === "string" && Number.isSafeInteger(turn);
}

/** An absent list is an empty one. */
function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Only what JSON can hold and give back as it was: a state is the same after it was kept. */
function jsonProblem(value: unknown, field: string, depth: number): TurnStateProblem | undefined {
  if (depth > maxDepth) return { field: "value", problem: `is nested more than ${maxDepth} deep` };
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : { field, problem: "holds half of a surrogate pair" };
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { field, problem: "is not a number" };
  if (typeof value === "boolean" || value === null || value === undefined) return undefined;
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return { field, problem: "is no value of JSON" };
  // In a list JSON makes null of what is undefined
  if (isList && value.includes(undefined)) return { field, problem: "has an entry that is undefined" };
  for (const [name, entry] of Object.entries(value)) {
    const found = jsonProblem(entry, depth === 0 ? shownText(name) : field, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
