import {
  type ExportedPart,
  type ExportedRecord,
  type ExportRecordsRequest,
  type ImportRecordsReport,
  LociError,
} from "@loci/domain";
import {
  type ExportRecordsRequest as ProtoExportRecordsRequest,
  type ExportRecordsResponse,
  ExportPart,
  type ImportRecordsResponse,
} from "../gen/loci/v1/maintenance_service.ts";
import type { Scope } from "../gen/loci/v1/scope.ts";
import { Enumeration } from "./enumeration.ts";
import { field, listOf, RequestForm } from "./request-form.ts";
import { scopeList } from "./scope.ts";
import { writableText } from "./writable-value.ts";

const partWords: Enumeration<ExportedPart, ExportPart> = new Enumeration<ExportedPart, ExportPart>({
  memories: ExportPart.MEMORIES,
  blocks: ExportPart.BLOCKS,
  sessions: ExportPart.SESSIONS,
  captures: ExportPart.CAPTURES,
});

const parts = listOf<ExportedPart, ExportPart>({
  write: (part, path) => partWords.toProto(part, path),
  read: (part, path) => partWords.fromProto(part, path),
});

export const exportRecordsRequest: RequestForm<ExportRecordsRequest, ProtoExportRecordsRequest> = new RequestForm<
  ExportRecordsRequest,
  ProtoExportRecordsRequest
>("request", {
  parts: field(
    "parts",
    (given, path) => (given === undefined ? [] : notEmpty(parts.write(given, path), path)),
    (given: ExportPart[], path) => (given.length === 0 ? undefined : parts.read(given, path)),
  ),
  scopes: field(
    "scopes",
    (scopes, path) => (scopes === undefined ? [] : scopeList.write(scopes, path)),
    (scopes: Scope[], path) => (scopes.length === 0 ? undefined : scopeList.read(scopes, path)),
  ),
  after: field(
    "after",
    (after, path) => (after === undefined ? "" : writableText(after, path, "INVALID_REQUEST")),
    (after: string) => (after === "" ? undefined : after),
  ),
});

/** On the wire an empty list asks for the default; in process it is refused, so it is here. */
function notEmpty(given: ExportPart[], path: string): ExportPart[] {
  if (given.length > 0) return given;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is empty.`,
    field: path,
    advice: "Leave it out for everything.",
  });
}

export function exportedRecordToProto({ type, line, place }: ExportedRecord): ExportRecordsResponse {
  return { type, line, place };
}

export function exportedRecordFromProto({ type, line, place }: ExportRecordsResponse): ExportedRecord {
  return { type, line, place };
}

export function importRecordsReportToProto({ counts, leftOut = [] }: ImportRecordsReport): ImportRecordsResponse {
  return {
    counts: counts.map(({ type, imported, unchanged, erased }) => ({
      type,
      importedCount: imported,
      unchangedCount: unchanged,
      erasedCount: erased,
    })),
    leftOut: [...leftOut],
  };
}

export function importRecordsReportFromProto({ counts, leftOut }: ImportRecordsResponse): ImportRecordsReport {
  const read = counts.map(({ type, importedCount, unchangedCount, erasedCount }) => ({
    type,
    imported: importedCount,
    unchanged: unchangedCount,
    erased: erasedCount,
  }));
  return leftOut.length === 0 ? { counts: read } : { counts: read, leftOut };
}
