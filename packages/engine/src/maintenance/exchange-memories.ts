import {
  authorize,
  type CallOptions,
  checkChoice,
  checkFields,
  checkList,
  type ExportPage,
  type ExportRequest,
  formatScope,
  type ImportReport,
  LociError,
  type MemoryId,
  type MemoryRecord,
  memoryId,
  parseInstant,
  permitsScope,
  type Principal,
  type Ref,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { commitMemories, unused } from "../commit-memories.ts";
import type { EngineServices } from "../engine-services.ts";
import { readPage } from "../read-page.ts";
import { newMemory } from "../remember.ts";
import { checkRememberInput } from "../validation/validate-remember-input.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { isVersionConflict } from "../version-conflict.ts";
import { erasedOf, isErased } from "../erased-memories.ts";

const defaultPageSize = 500;
const maxLines = 1_000;
const exportFields: ReadonlySet<string> = new Set(["after", "pageSize"]);

/** What a line is, so that another kind of JSONL is not taken for it. */
const lineFormat = "loci-memory-1";

/** A stretch of a tenant's memories, as lines. @throws LociError `INVALID_REQUEST`, `INVALID_NUMBER`, `INVALID_IDENTIFIER` */
export async function exportMemories(
  { ledger }: EngineServices,
  principal: Principal,
  request: ExportRequest,
  call: CallOptions,
): Promise<ExportPage> {
  authorize(principal, "admin", []);
  checkFields(request, exportFields, "request");
  const limit =
    request.pageSize === undefined
      ? defaultPageSize
      : checkWholeNumber(request.pageSize, "pageSize", { least: 1, most: maxLines });
  const after = request.after === undefined ? undefined : memoryId(request.after);
  const { rows, isLast } = await readPage<ScannedMemory>({
    limit,
    read: async (last, count) => {
      const page = await ledger.scan(principal.tenant, { after: last?.id ?? after, limit: count }, call);
      return page.map((stored) => ({ id: stored.memory.id, line: lineOf(stored, principal) }));
    },
    bytesOf: ({ line = "" }) => Buffer.byteLength(line),
  });
  const lines = rows.flatMap(({ line }) => line ?? []);
  const next = isLast ? undefined : rows.at(-1)?.id;
  return next === undefined ? { lines } : { lines, next };
}

interface ScannedMemory {
  readonly id: MemoryId;
  /** Absent for what is not exported. */
  readonly line: string | undefined;
}

function lineOf({ memory, recordedAt, usage }: StoredMemory, principal: Principal): string | undefined {
  if (memory.state === "deleted" || !permitsScope(principal, memory.scope)) return undefined;
  const { scope, ...fields } = memory;
  return JSON.stringify({ format: lineFormat, ...fields, scope: formatScope(scope), recordedAt, usage });
}

/**
 * Stores exported memories under their ids, as first versions. What is there already stays as it is.
 *
 * @throws LociError for the first line that is no exported memory, before any is stored; `SCOPE_NOT_PERMITTED`
 */
export async function importMemories(
  services: EngineServices,
  principal: Principal,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<ImportReport> {
  checkList(lines, "lines", { least: 1, most: maxLines });
  const read = lines.map((line, index) => readLine(line, `lines[${index}]`));
  authorize(
    principal,
    "admin",
    read.map(({ scope }) => scope),
  );
  // The last line of an id counts: of two exports in one file the later one is newer.
  const wanted = new Map<Ref, MemoryRecord>(read.map((memory) => [memory.id, memory]));
  for (;;) {
    const known = await services.ledger.memories(principal.tenant, [...wanted.keys()], { signal });
    const erased = await erasedOf(services.ledger, principal.tenant, [...wanted.keys()], signal);
    const writes = [...wanted.values()]
      .filter(({ id }) => !known.has(id) && !erased.has(id))
      .map((memory) => ({ memory, usage: unused }));
    try {
      if (writes.length > 0) await commitMemories(services, principal, writes, undefined, signal);
      const imported = writes.length;
      return { imported, unchanged: lines.length - imported - erased.size, erased: erased.size };
    } catch (error) {
      // Another import has stored some of them meanwhile, or one of them was erased here: the others still come in.
      if (!isVersionConflict(error) && !isErased(error)) throw error;
    }
  }
}

function readLine(line: string, path: string): MemoryRecord {
  const { format, id, version, updatedAt, state, supersededBy, recordedAt, usage, ...input } = parseLine(line, path);
  void [format, version, recordedAt, usage];
  const checked = checkRememberInput(input as unknown as Parameters<typeof checkRememberInput>[0], path);
  const made = newMemory(memoryId(id as string), parseInstant(updatedAt, `${path}.updatedAt`), checked);
  return {
    ...made,
    state: checkChoice(state, ["active", "quarantined"], `${path}.state`),
    ...(supersededBy === undefined ? {} : { supersededBy: memoryId(supersededBy as string) }),
  };
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
