import {
  type CapturedCandidate,
  type CaptureJob,
  heldAt,
  type Loci,
  type Memory,
  type MemoryId,
  memoryId,
  type MemoryReview,
  type ScopeText,
} from "@loci/loci";
import { isOpened } from "../resources/resource-uri.ts";
import { asData } from "./tool-result.ts";

/** Where what a statement did stands now. `elsewhere`: in a scope that is not opened here. */
export const statementFates = ["remembered", "ended", "waits", "forgotten", "elsewhere"] as const;

type StatementFate = (typeof statementFates)[number];

/** A statement that changed what is remembered. It has words only where a model could recall them. */
export interface ShownStatement {
  readonly turn: number;
  readonly became: StatementFate;
  readonly category: string;
  /** Of the memory that it made, or ended. */
  readonly id?: string;
  readonly text?: string;
  readonly isShortened?: true;
  /** It was remembered, and is not true now. */
  readonly isOver?: true;
  readonly replaces?: string;
  /** Why it waits. */
  readonly reason?: string;
  /** By which the person is asked about it. */
  readonly review?: string;
}

/** What statements are held against. */
export interface StatementsNow {
  readonly memories: ReadonlyMap<MemoryId, Memory>;
  /** Of them those whose text goes on. */
  readonly cut: ReadonlySet<MemoryId>;
  readonly opened: readonly ScopeText[];
  /** What waits in these scopes; `undefined` for a caller who may not know. */
  readonly reviews: readonly MemoryReview[] | undefined;
}

/** A capture with the statements of it that changed what is remembered. */
export interface CaptureChanges {
  readonly capture: CaptureJob;
  readonly changes: readonly CapturedCandidate[];
  /** How many more there are. */
  readonly leftOut: number;
}

/** Of all captures together: each may be of 200 turns, and a model reads all that it is shown. One call reads as many memories. */
const mostStatements = 100;
/** Of each text. */
const textBytes = 300;

/** The first statements of captures that changed something. */
export function changesOf(captures: readonly CaptureJob[]): readonly CaptureChanges[] {
  let room = mostStatements;
  return captures.map((capture) => {
    // What was undone has changed nothing.
    const all = capture.state === "undone" ? [] : (capture.outcome?.candidates ?? []).filter(isChange);
    const changes = all.slice(0, room);
    room -= changes.length;
    return { capture, changes, leftOut: all.length - changes.length };
  });
}

/** What the statements were about, as it is now: what was forgotten or corrected since is not what the reports of captures say. */
export async function memoriesOf(
  loci: Loci,
  captures: readonly CaptureChanges[],
  call: { readonly signal: AbortSignal },
): Promise<Pick<StatementsNow, "memories" | "cut">> {
  const ids = [...new Set(captures.flatMap(({ changes }) => changes.flatMap((change) => memoryOf(change) ?? [])))];
  if (ids.length === 0) return { memories: new Map(), cut: new Set() };
  const { memories, cut } = await loci.memories.getMany({ ids, textBytes }, call);
  return { memories: new Map(memories.map((memory) => [memory.id, memory])), cut: new Set(cut) };
}

export function shownStatements({ capture, changes }: CaptureChanges, now: StatementsNow): readonly ShownStatement[] {
  return changes.map((candidate) => {
    const { category, evidence, reason } = candidate;
    const review = now.reviews?.find((each) => each.capture === capture.id && each.memory.id === candidate.memory);
    const about = memoryOf(candidate);
    const memory = about === undefined ? undefined : now.memories.get(about);
    const became = fateOf(candidate, memory, { ...now, mayWait: now.reviews === undefined || review !== undefined });
    const shown = { turn: evidence[0]?.turn ?? 0, became, category: asData(category) };
    if (became === "waits")
      return { ...shown, ...present({ reason: review?.reason ?? reason ?? undefined, review: review?.id }) };
    if (memory === undefined || became === "forgotten" || became === "elsewhere") return shown;
    const { id, text } = memory;
    const replaces = candidate.decision === "UPDATE" ? (candidate.target ?? undefined) : undefined;
    return {
      ...shown,
      id,
      text: asData(text),
      ...(now.cut.has(id) ? { isShortened: true } : {}),
      ...(became === "remembered" && !heldAt(memory, Date.now()) ? { isOver: true } : {}),
      ...present({ replaces }),
    };
  });
}

/** The turns of which something was not read, by reason. */
export function unreadIn({ outcome }: CaptureJob): { readonly unread?: Readonly<Record<string, readonly number[]>> } {
  const { unread = [] } = outcome ?? {};
  if (unread.length === 0) return {};
  const byReason = Object.entries(Object.groupBy(unread, ({ reason }) => reason));
  return { unread: Object.fromEntries(byReason.map(([reason, words]) => [reason, words.map(({ turn }) => turn)])) };
}

/** How many statements changed nothing: those that say what was known, and those that were refused, by reason. */
export function unchangedBy({ outcome }: CaptureJob): {
  readonly known: number;
  readonly refused: Readonly<Record<string, number>>;
} {
  const refused: Record<string, number> = {};
  let known = 0;
  for (const candidate of outcome?.candidates ?? []) {
    if (isChange(candidate)) continue;
    if (candidate.decision === "NOOP") known++;
    else {
      const reason = candidate.reason ?? "TOO_MANY_ENDINGS";
      refused[reason] = (refused[reason] ?? 0) + 1;
    }
  }
  return { known, refused };
}

/** An end of a memory that is held back, since there were too many in one capture, waits for nobody. */
function isChange({ state, decision }: CapturedCandidate): boolean {
  if (decision === "DELETE") return state === "active";
  return state !== "rejected" && decision !== "NOOP";
}

/** The memory that a statement made; of one that only ends another, that one. */
function memoryOf({ memory, target }: CapturedCandidate): MemoryId | undefined {
  return memory ?? (target === null ? undefined : memoryId(target));
}

function fateOf(
  { state, decision }: CapturedCandidate,
  memory: Memory | undefined,
  { opened, mayWait }: Pick<StatementsNow, "opened"> & { readonly mayWait: boolean },
): StatementFate {
  if (memory === undefined) return state === "quarantined" && mayWait ? "waits" : "forgotten";
  if (!isOpened(opened, memory.scope)) return "elsewhere";
  if (memory.state !== "active") return memory.state === "quarantined" ? "waits" : "forgotten";
  return decision === "DELETE" ? "ended" : "remembered";
}

function present<Values extends Readonly<Record<string, string | undefined>>>(
  values: Values,
): { readonly [Name in keyof Values]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
