import type { ScopeInput } from "./scope.ts";

/** What an export may be narrowed to. */
export const exportedParts = ["memories", "blocks", "sessions", "captures"] as const;

export type ExportedPart = (typeof exportedParts)[number];

/** What a line of an export may be: its `type`. */
export const exportedTypes = [
  "memory",
  "blockSchema",
  "block",
  "edit",
  "session",
  "turn",
  "turnState",
  "capture",
  "evidence",
] as const;

export type ExportedType = (typeof exportedTypes)[number];

/** What {@link MaintenanceApi.exportRecords} takes. */
export interface ExportRecordsRequest {
  /**
   * `blocks` are their forms, every version, and edits; `sessions` have their turns and turn states; `captures` what came of them,
   * and the places that memories rest on. Default: all of them.
   */
  readonly parts?: readonly ExportedPart[] | undefined;
  /** Only what lies in these scopes, such as `["user:alice"]`. 1 to 1,000. Default: all that the credential covers. */
  readonly scopes?: readonly ScopeInput[] | undefined;
  /** `place` of the last line that is there already: the export goes on behind it. Default: from the beginning. */
  readonly after?: string | undefined;
}

/** One line of an export. */
export interface ExportedRecord {
  /** One of `exportedTypes`; a newer server may have others. */
  readonly type: string;
  /** A JSON object without a line break. `maintenance.importRecords` takes it. */
  readonly line: string;
  /** Where the export goes on behind this line. Means something to the same ledger only. */
  readonly place: string;
}

/** What came of the lines of one type. */
export interface ImportedCount {
  /** One of `exportedTypes`; a newer server may have others. */
  readonly type: string;
  /** Lines whose content was stored. */
  readonly imported: number;
  /** Lines of what was there already, as it is or newer. */
  readonly unchanged: number;
  /** Lines of what was erased here, and stays so. */
  readonly erased: number;
}

/** What came of importing some lines. */
export interface ImportRecordsReport {
  /** Of each type that had a line, in the order of `exportedTypes`. */
  readonly counts: readonly ImportedCount[];
  /** Lines that could not be taken back, in their order. Absent: there are none. */
  readonly leftOut?: readonly LeftOutLine[] | undefined;
}

/** Asks for a stretch of all a tenant has. */
export interface ExportRequest {
  /** `next` of the stretch before. */
  readonly after?: string | undefined;
  /** The most memories, 1 to 1,000. Default 500. A stretch of large ones ends earlier, at 2 MiB. */
  readonly pageSize?: number | undefined;
}

/** A stretch of an export. */
export interface ExportPage {
  /** One JSON object each, without a line break: a memory as its ledger holds it. */
  readonly lines: readonly string[];
  /** Absent at the end. */
  readonly next?: string | undefined;
}

/** What came of importing some lines. */
export interface ImportReport {
  readonly imported: number;
  /** Those that were there already, as they are or newer. */
  readonly unchanged: number;
  /** Those that were erased here, and stay so. */
  readonly erased: number;
  /**
   * Those that hold what former versions stored and nobody may store any more: a text of nothing but white space, a name with
   * characters that cannot be seen. And those whose key another memory of their scope has. Absent: there are none.
   */
  readonly leftOut?: readonly LeftOutLine[] | undefined;
}

/** A line of an export that was not taken back. */
export interface LeftOutLine {
  /** Among the lines given, from 0. */
  readonly index: number;
  /** Such as `INVALID_TEXT` or `MEMORY_EXISTS`. */
  readonly reason: string;
  /** Which field it is, and what is wrong with it, without quoting it. */
  readonly problem: string;
}
