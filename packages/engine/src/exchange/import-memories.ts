import {
  authorize,
  checkChoice,
  checkList,
  checksOf,
  type ImportReport,
  type LeftOutLine,
  LociError,
  type MemoryRecord,
  memoryId,
  optional,
  parseFormattedScope,
  parseInstant,
  type Ref,
  resourceId,
  type RememberInput,
  type Scope,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { isKeyTaken, isOutdated } from "../calls/version-conflict.ts";
import type { MemoryServices } from "../memories/memory-services.ts";
import { commitMemories, type MemoryWrite, unused } from "../memories/commit-memories.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import { newMemory } from "../memories/remember.ts";
import type { ReviewRecord } from "../memories/stored-review.ts";
import { checkRememberInput } from "../memories/validate-remember-input.ts";
import { reviewsOfWaiting } from "../memories/waiting-memories.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { maxLines, type ReadLine, readLine } from "./exported-line.ts";
import { withTakenKeys } from "./taken-keys.ts";

const maxSlotValueBytes = 200;
const maxReasonBytes = 200;

/** Rules that have become stricter since there are exports: a memory that they would refuse now is left out. */
const stricterRules: ReadonlySet<string> = new Set(["INVALID_TEXT", "INVALID_IDENTIFIER", "INVALID_TAGS"]);

/**
 * Stores exported memories under their ids, as first versions. What is there already stays as it is. What waited for approval waits
 * again, for the reason that its line has; a line without one says no more of why, and takes no other's place.
 *
 * Secrets are not looked for: an export comes back whole. What holds one was given by a program, which was warned, said in a session
 * that keeps secrets, or allowed by the policy at the time. Refusing it here would lose it for those who move a tenant, and protect
 * nobody: a line says itself where its memory came from, so whoever makes one up can say that a program gave it.
 *
 * A memory that a former version stored and this one does not is left out, and told: the others are not to wait for it. So is one
 * whose key another memory of the scope has.
 *
 * @throws LociError for the first line that is no exported memory, before any is stored; `SCOPE_NOT_PERMITTED`
 */
export async function importMemories(
  services: MemoryServices,
  call: Call,
  lines: readonly string[],
): Promise<ImportReport> {
  checkList(lines, "lines", { least: 1, most: maxLines });
  const read = lines.map((line, index) => memoryLine(line, index));
  const memories = readMemories(read);
  authorize(call.principal, "admin", scopesOfMemories(memories));
  return storeMemories(services, call, memories);
}

/** Callers of before there were lines of other types go on getting the same. */
function memoryLine(line: string, index: number): ReadLine {
  const read = readLine(line, index);
  if (read.type === "memory") return read;
  throw new LociError("INVALID_REQUEST", {
    message: `${read.path} is not an exported memory.`,
    field: read.path,
    advice: "Import it with `importRecords`, which takes lines of every type.",
  });
}

/** Lines of memories as they were read. */
export interface ReadMemories {
  readonly read: readonly (ReadMemory & { readonly index: number })[];
  readonly leftOut: readonly LeftOutLine[];
}

interface ReadMemory {
  readonly memory: MemoryRecord;
  readonly review: Omit<ReviewRecord, "memory" | "scope"> | undefined;
}

/** @throws LociError for the first line that is no exported memory */
export function readMemories(lines: readonly ReadLine[]): ReadMemories {
  const leftOut: LeftOutLine[] = [];
  const read = lines.flatMap(({ fields, index, path }) => {
    const found = readMemory(fields, path);
    if (!("problem" in found)) return { ...found, index };
    leftOut.push({ index, ...found });
    return [];
  });
  return { read, leftOut };
}

export function scopesOfMemories({ read }: ReadMemories): readonly Scope[] {
  return read.map(({ memory }) => memory.scope);
}

/** Stores what was read. The caller's right to do so was checked. */
export async function storeMemories(
  services: MemoryServices,
  call: Call,
  { read, leftOut }: ReadMemories,
): Promise<ImportReport> {
  const { principal, signal } = call;
  // The last line of an id counts: of two exports in one file the later one is newer.
  const wanted = new Map<Ref, MemoryRecord>(read.map(({ memory }) => [memory.id, memory]));
  const asked = new Map(read.flatMap(({ memory: { id }, review }) => (review === undefined ? [] : [[id, review]])));
  const reviewsOf = (writes: readonly MemoryWrite[]): ReturnType<typeof reviewsOfWaiting> =>
    reviewsOfWaiting(
      { ledger: services.ledger, tenant: principal.tenant, now: services.clock(), signal },
      writes.map(({ memory }) => memory),
      asked,
    );
  for (;;) {
    const known = await services.ledger.memories(principal.tenant, [...wanted.keys()], { signal });
    const erased = await erasedOf(services.ledger, principal.tenant, [...wanted.keys()], signal);
    const missing = [...wanted.values()].filter(({ id }) => !known.has(id) && !erased.has(id));
    const taken = await withTakenKeys(services.ledger, call, missing);
    const writes = missing.filter(({ id }) => !taken.has(id)).map((memory) => ({ memory, usage: unused }));
    const keyed = read.filter(({ memory: { id } }) => taken.has(id)).map(({ index }) => ({ index, ...keyTakenLine }));
    try {
      if (writes.length > 0) await commitMemories(services, call, writes, { resources: await reviewsOf(writes) });
      const imported = writes.length;
      const report = { imported, unchanged: read.length - imported - erased.size - keyed.length, erased: erased.size };
      if (leftOut.length + keyed.length === 0) return report;
      return { ...report, leftOut: [...leftOut, ...keyed].toSorted((left, right) => left.index - right.index) };
    } catch (error) {
      // Another import has stored some of them meanwhile, somebody else has taken a key, or one of them was erased here: the others still
      // come in.
      if (!isOutdated(error) && !isKeyTaken(error)) throw error;
    }
  }
}

const keyTakenLine = {
  reason: "MEMORY_EXISTS",
  problem: "key is that of another memory of the scope.",
} as const satisfies Omit<LeftOutLine, "index">;

/** The memory, or why it is left out. */
function readMemory(given: ReadLine["fields"], path: string): ReadMemory | Omit<LeftOutLine, "index"> {
  const { id, version, updatedAt, state, recordedAt, usage, review, ...fields } = given;
  void [version, recordedAt, usage];
  // What nobody can remember, but capture, approval and replacement leave behind.
  const { supersededBy, slotValue, approvedBy, approvedAt, ...input } = fields;
  const ref = memoryId(id as string);
  const checked = checkedInput(input, path);
  if ("problem" in checked) return checked;
  const made = newMemory(ref, parseInstant(updatedAt, `${path}.updatedAt`), checked);
  const memory: MemoryRecord = {
    ...made,
    state: checkChoice(state, ["active", "quarantined"], `${path}.state`),
    ...(supersededBy === undefined ? {} : { supersededBy: memoryId(supersededBy as string) }),
    ...(slotValue === undefined
      ? {}
      : { slotValue: checkStoredText(slotValue, `${path}.slotValue`, maxSlotValueBytes) }),
    ...(approvedBy === undefined ? {} : { approvedBy: checkStoredText(approvedBy, `${path}.approvedBy`) }),
    ...(approvedAt === undefined ? {} : { approvedAt: parseInstant(approvedAt, `${path}.approvedAt`) }),
  };
  return { memory, review: review === undefined ? undefined : checkReview(review as ReviewFields, `${path}.review`) };
}

type ReviewFields = Omit<ReviewRecord, "memory" | "scope">;

const checkReview = checksOf<ReviewFields>()("review", {
  reason: (reason, path) => checkStoredText(reason, path, maxReasonBytes),
  replaces: optional((id) => memoryId(id)),
  capture: optional((id) => resourceId(id, "capture")),
  createdAt: parseInstant,
});

function checkedInput(
  input: Readonly<Record<string, unknown>>,
  path: string,
): ReturnType<typeof checkRememberInput> | Omit<LeftOutLine, "index"> {
  try {
    const { scope, ...rest } = input as unknown as RememberInput;
    return checkRememberInput({ ...rest, scope: parseFormattedScope(scope, `${path}.scope`) }, path);
  } catch (error) {
    if (!LociError.is(error) || !stricterRules.has(error.reason)) throw error;
    const { reason, message } = error;
    return { reason, problem: message.startsWith(`${path}.`) ? message.slice(path.length + 1) : message };
  }
}
