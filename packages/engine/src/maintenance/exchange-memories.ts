import {
  authorize,
  checkChoice,
  checkFields,
  checkList,
  coversEveryScope,
  type ExportedMemory,
  type ExportPage,
  type ExportRequest,
  formatScope,
  type ImportReport,
  type LeftOutLine,
  LociError,
  type MemoryId,
  type MemoryRecord,
  memoryId,
  parseInstant,
  permitsScope,
  type Ref,
} from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { commitMemories, type MemoryWrite, unused } from "../memories/commit-memories.ts";
import type { Call } from "../calls/call.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { type Page, readPage } from "../calls/read-page.ts";
import { newMemory } from "../memories/remember.ts";
import { checkRememberInput } from "../memories/validate-remember-input.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { isKeyTaken, isVersionConflict } from "../calls/version-conflict.ts";
import { erasedOf, isErased } from "../memories/erased-memories.ts";
import { withTakenKeys } from "./taken-keys.ts";
import { reviewsOfWaiting } from "../memories/waiting-memories.ts";

const defaultPageSize = 500;
const maxLines = 1_000;
const maxSlotValueBytes = 200;
const exportFields: ReadonlySet<string> = new Set(["after", "pageSize"]);

/** What a line is, so that another kind of JSONL is not taken for it. */
const lineFormat = "loci-memory-1";

/**
 * A stretch of the memories that the principal's scope patterns cover, as lines. `next` is the id of the last line: nothing
 * tells of memories that are not exported.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_NUMBER`, `INVALID_IDENTIFIER`
 */
export async function exportMemories(
  services: MaintenanceServices,
  call: Call,
  request: ExportRequest,
): Promise<ExportPage> {
  checkFields(request, exportFields, "request");
  const { rows, isLast } = await exportedPage(services, call, request);
  const lines = rows.map(({ line }) => line);
  const next = isLast ? undefined : rows.at(-1)?.id;
  return next === undefined ? { lines } : { lines, next };
}

/** The same, each memory with its id. @throws LociError `INVALID_NUMBER`, `INVALID_IDENTIFIER` */
export async function exportedPage(
  { ledger }: Pick<MaintenanceServices, "ledger">,
  call: Call,
  request: ExportRequest,
): Promise<Page<ExportedMemory>> {
  authorize(call.principal, "admin", []);
  const limit =
    request.pageSize === undefined
      ? defaultPageSize
      : checkWholeNumber(request.pageSize, "pageSize", { least: 1, most: maxLines });
  const after = request.after === undefined ? undefined : memoryId(request.after);
  return readPage<ExportedMemory>({
    limit,
    read: (last, count) => exportedAfter(ledger, call, last?.id ?? after, count),
    bytesOf: ({ line }) => Buffer.byteLength(line),
  });
}

/** The next so many that are exported; fewer only at the end. */
async function exportedAfter(
  ledger: Ledger,
  { principal, signal }: Call,
  start: MemoryId | undefined,
  limit: number,
): Promise<readonly ExportedMemory[]> {
  const found: ExportedMemory[] = [];
  for (let after = start; ;) {
    const wanted = limit - found.length;
    // Where few are covered, more are looked at in one go.
    const asked = coversEveryScope(principal) ? wanted : Math.max(wanted, maxLines);
    const page = await ledger.scan(principal.tenant, { after, limit: asked }, { signal });
    const exported = page.filter(({ memory }) => memory.state !== "deleted" && permitsScope(principal, memory.scope));
    for (const stored of exported.slice(0, wanted)) found.push({ id: stored.memory.id, line: lineOf(stored) });
    if (found.length === limit || page.length < asked) return found;
    after = page.at(-1)?.memory.id;
  }
}

function lineOf({ memory, recordedAt, usage }: StoredMemory): string {
  const { scope, ...fields } = memory;
  return JSON.stringify({ format: lineFormat, ...fields, scope: formatScope(scope), recordedAt, usage });
}

/** Rules that have become stricter since there are exports: a memory that they would refuse now is left out. */
const stricterRules: ReadonlySet<string> = new Set(["INVALID_TEXT", "INVALID_IDENTIFIER", "INVALID_TAGS"]);

/**
 * Stores exported memories under their ids, as first versions. What is there already stays as it is. What waited for approval waits
 * again, with a review that says no more of why, and takes no other's place.
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
  services: MaintenanceServices,
  call: Call,
  lines: readonly string[],
): Promise<ImportReport> {
  const { principal, signal } = call;
  checkList(lines, "lines", { least: 1, most: maxLines });
  const leftOut: LeftOutLine[] = [];
  const read = lines.flatMap((line, index) => {
    const memory = readLine(line, `lines[${index}]`);
    if (!("problem" in memory)) return { memory, index };
    leftOut.push({ index, ...memory });
    return [];
  });
  authorize(
    principal,
    "admin",
    read.map(({ memory }) => memory.scope),
  );
  // The last line of an id counts: of two exports in one file the later one is newer.
  const wanted = new Map<Ref, MemoryRecord>(read.map(({ memory }) => [memory.id, memory]));
  const reviewsOf = (writes: readonly MemoryWrite[]): ReturnType<typeof reviewsOfWaiting> =>
    reviewsOfWaiting(
      { ledger: services.ledger, tenant: principal.tenant, now: services.clock(), signal },
      writes.map(({ memory }) => memory),
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
      if (!isVersionConflict(error) && !isErased(error) && !isKeyTaken(error)) throw error;
    }
  }
}

const keyTakenLine = {
  reason: "MEMORY_EXISTS",
  problem: "key is that of another memory of the scope.",
} as const satisfies Omit<LeftOutLine, "index">;

/** The memory, or why it is left out. */
function readLine(line: string, path: string): MemoryRecord | Omit<LeftOutLine, "index"> {
  const { format, id, version, updatedAt, state, recordedAt, usage, ...fields } = parseLine(line, path);
  void [format, version, recordedAt, usage];
  // What nobody can remember, but capture, approval and replacement leave behind.
  const { supersededBy, slotValue, approvedBy, approvedAt, ...input } = fields;
  const ref = memoryId(id as string);
  const checked = checkedInput(input, path);
  if ("problem" in checked) return checked;
  const made = newMemory(ref, parseInstant(updatedAt, `${path}.updatedAt`), checked);
  return {
    ...made,
    state: checkChoice(state, ["active", "quarantined"], `${path}.state`),
    ...(supersededBy === undefined ? {} : { supersededBy: memoryId(supersededBy as string) }),
    ...(slotValue === undefined
      ? {}
      : { slotValue: checkStoredText(slotValue, `${path}.slotValue`, maxSlotValueBytes) }),
    ...(approvedBy === undefined ? {} : { approvedBy: checkStoredText(approvedBy, `${path}.approvedBy`) }),
    ...(approvedAt === undefined ? {} : { approvedAt: parseInstant(approvedAt, `${path}.approvedAt`) }),
  };
}

function checkedInput(
  input: Readonly<Record<string, unknown>>,
  path: string,
): ReturnType<typeof checkRememberInput> | Omit<LeftOutLine, "index"> {
  try {
    return checkRememberInput(input as unknown as Parameters<typeof checkRememberInput>[0], path);
  } catch (error) {
    if (!LociError.is(error) || !stricterRules.has(error.reason)) throw error;
    const { reason, message } = error;
    return { reason, problem: message.startsWith(`${path}.`) ? message.slice(path.length + 1) : message };
  }
}

function parseLine(line: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "format" in value && value.format === lineFormat)
      return { ...value };
  } catch {
    // Told below: what was thrown quotes the line.
  }
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is not an exported memory.`,
    field: path,
    advice: "Pass lines that `loci export` wrote. `loci import` with a folder or other files takes texts.",
  });
}
