import {
  asGiven,
  authorize,
  checkChoice,
  checkList,
  checksOf,
  type ExportedPart,
  exportedParts,
  type ExportedRecord,
  type ExportRecordsRequest,
  formatScope,
  LociError,
  memoryId,
  type NonEmpty,
  optional,
  parseScopes,
  permitsScope,
  type Ref,
  type Scope,
  type Sequence,
} from "@loci/domain";
import type { Family, Ledger, LogEntry, StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { maxPageBytes } from "../calls/read-page.ts";
import { citedMemories } from "./evidence-lines.ts";
import { exportedPage } from "./export-memories.ts";
import { recordFormat } from "./exported-line.ts";
import type { LinesOf, LineSource } from "./line-source.ts";
import { linesOfFamilies } from "./log-lines.ts";

const check = checksOf<ExportRecordsRequest>()("request", {
  parts: (parts = exportedParts, path) => checkParts(parts, path),
  scopes: optional((scopes, path) => parseScopes(scopes, path)),
  after: asGiven,
});

/** An export as it is asked for. */
export interface RecordExport {
  readonly parts: readonly ExportedPart[];
  readonly scopes: NonEmpty<Scope> | undefined;
  readonly start: ExportPlace;
}

/** Memories come first, by id. Everything else stands in the order of the log: behind so many lines of an entry. */
type ExportPlace =
  | { readonly in: "memories"; readonly after: string | undefined }
  | { readonly in: "log"; readonly sequence: Sequence; readonly lines: number };

/** A stretch of an export, and where the next one begins; absent at the end. */
export interface RecordsPage {
  readonly rows: readonly ExportedRecord[];
  readonly next?: ExportPlace | undefined;
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER` */
export function checkRecordExport(request: ExportRecordsRequest): RecordExport {
  const { parts, scopes, after } = check(request);
  return { parts, scopes, start: placeOf(after) };
}

function checkParts(parts: readonly ExportedPart[], path: string): readonly ExportedPart[] {
  const given = checkList(parts, path, { least: 1, most: exportedParts.length });
  return given.map((part, index) => checkChoice(part, exportedParts, `${path}[${index}]`));
}

const logPlace = /^(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,5})$/;

/** @throws LociError `INVALID_REQUEST` */
function placeOf(after: string | undefined): ExportPlace {
  if (after === undefined) return { in: "memories", after: undefined };
  const [, sequence, lines] = logPlace.exec(String(after)) ?? [];
  if (sequence !== undefined) return { in: "log", sequence: Number(sequence), lines: Number(lines) };
  try {
    return { in: "memories", after: memoryId(after) };
  } catch (cause) {
    throw new LociError("INVALID_REQUEST", {
      message: "after is no place of an export.",
      field: "after",
      advice: "Pass the place of the last line that you have, or leave it out.",
      cause,
    });
  }
}

/** The lines behind a place, at most 2 MiB of them or one, that the principal's scope patterns cover. */
export async function recordsPage(
  { ledger }: { readonly ledger: Ledger },
  call: Call,
  { parts, scopes }: RecordExport,
  place: ExportPlace,
): Promise<RecordsPage> {
  authorize(call.principal, "admin", scopes ?? []);
  const log: ExportPlace = { in: "log", sequence: 1, lines: 0 };
  const hasOthers = parts.some((part) => part !== "memories");
  if (place.in === "log") return hasOthers ? logPage(ledger, call, { parts, scopes }, place) : { rows: [] };
  if (!parts.includes("memories")) return { rows: [], next: hasOthers ? log : undefined };
  const { rows, isLast } = await exportedPage({ ledger }, call, { after: place.after, scopes });
  const records = rows.map(({ id, line }) => ({ type: "memory" as const, line, place: id }));
  const next: ExportPlace | undefined = isLast
    ? hasOthers
      ? log
      : undefined
    : { in: "memories", after: rows.at(-1)?.id };
  return { rows: records, next };
}

/** So many entries are read at first, then as many as should fit, and never more than the last number. */
const firstEntries = 8;
const mostEntries = 256;
/** Where little is covered, a call ends after so many entries, so that others have their turn. */
const entriesOfCall = 2_048;

async function logPage(
  ledger: Ledger,
  call: Call,
  { parts, scopes }: Omit<RecordExport, "start">,
  from: ExportPlace & { readonly in: "log" },
): Promise<RecordsPage> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const makers = new Map(parts.flatMap((part) => [...linesOfFamilies[part]]));
  const wanted = scopes && new Set(scopes.map(formatScope));
  const permits = (scope: Scope): boolean => permitsScope(principal, scope);
  const isCovered = ({ scope }: StoredResource): boolean => permits(scope) && wanted?.has(formatScope(scope)) !== false;
  const lastCommits: LineSource["lastCommits"] = new Map();
  const rows: ExportedRecord[] = [];
  let bytes = 0;
  let entries = 0;
  let after = from.sequence - 1;
  // What an entry had no room for is read again by itself.
  for (let limit = from.lines > 0 ? 1 : firstEntries; entries < entriesOfCall;) {
    const read = await ledger.changes(tenant, after, limit, { families: [...makers.keys()], signal });
    const resources = await resourcesOf(ledger, call, read);
    const cited = await citedMemories(ledger, call, resources.values());
    const source: LineSource = { ledger, tenant, signal, permits, cited, lastCommits };
    for (const entry of read) {
      const resource = resources.get(entry.ref);
      const make = makers.get(entry.family) as LinesOf;
      const made = resource === undefined || !isCovered(resource) ? [] : await make(source, entry, resource);
      const skipped = entry.sequence === from.sequence ? from.lines : 0;
      for (const [index, { type, fields }] of made.entries()) {
        if (index < skipped) continue;
        const place = `${entry.sequence}.${index + 1}`;
        const line = JSON.stringify({ format: recordFormat, type, place, ...fields });
        bytes += Buffer.byteLength(line);
        if (rows.length > 0 && bytes > maxPageBytes)
          return { rows, next: { in: "log", sequence: entry.sequence, lines: index } };
        rows.push({ type, line, place });
      }
    }
    entries += read.length;
    const last = read.at(-1);
    if (last === undefined || read.length < limit) return { rows };
    after = last.sequence;
    const average = Math.max(64, ...read.map(sizeOf));
    limit = Math.max(1, Math.min(limit * 2, mostEntries, Math.floor(maxPageBytes / average)));
  }
  return { rows, next: { in: "log", sequence: after + 1, lines: 0 } };
}

/** The resources that entries are of, as they are now. */
async function resourcesOf(
  ledger: Ledger,
  { principal: { tenant }, signal }: Call,
  entries: readonly LogEntry[],
): Promise<ReadonlyMap<Ref, StoredResource>> {
  const found = new Map<Ref, StoredResource>();
  for (const [family, ofFamily] of Map.groupBy(entries, (entry): Family => entry.family)) {
    const refs = [...new Set(ofFamily.map(({ ref }) => ref))];
    for (const [ref, resource] of await ledger.resources.get(tenant, family, refs, { signal }))
      found.set(ref, resource);
  }
  return found;
}

/** About how much an entry holds: turns are what is large. */
function sizeOf({ payload }: LogEntry): number {
  const turns = (payload as { readonly turns?: unknown } | null)?.turns;
  if (!Array.isArray(turns)) return 1_024;
  return (turns as readonly { readonly content: string }[]).reduce((sum, { content }) => sum + content.length, 1_024);
}
