import type { ScopeText } from "@loci/domain";
import type { ImportReport } from "@loci/file-import";
import { addTo, type RestoredExport, sumOf, type TypeCounts } from "../files/import-export.ts";
import type { TranscriptFileReport } from "../sessions/import-transcript-file.ts";
import { typesAsFields, typesInWords } from "./exported-types.ts";
import { counted } from "./format-text.ts";
import { printHowToClose, printTranscriptReport } from "./print-transcripts.ts";
import { printJson } from "./print-json.ts";
import { printLine, printNote } from "./terminal.ts";

/** An export that was taken back, with its file. */
export type TakenExport = RestoredExport & { readonly path: string };

/** What came of all paths. */
export interface Imported {
  readonly report: ImportReport;
  readonly exports: readonly TakenExport[];
  readonly transcripts: readonly TranscriptFileReport[];
}

/** How it was asked for. */
interface ImportRequest {
  readonly scope: ScopeText;
  readonly dryRun: boolean;
  readonly close: boolean;
}

/** Everything at once, for machines. */
export function printImportAsJson({ report, exports, transcripts }: Imported, { scope, dryRun }: ImportRequest): void {
  const { types, ...restored } = restoredOf(exports);
  printJson({
    scope,
    ...report,
    ...(dryRun ? { dryRun } : {}),
    ...(exports.length > 0 ? { restored: { ...restored, types: typesAsFields(types) } } : {}),
    ...(transcripts.length > 0 ? { transcripts } : {}),
  });
}

/** What came of exports and transcripts. */
export function printImport({ exports, transcripts }: Imported, { scope, close }: ImportRequest): void {
  if (exports.length > 0) {
    const { types, unchanged, erased, leftOut } = restoredOf(exports);
    const missing = leftOut.length === 0 ? "" : ` ${leftOut.length} were left out.`;
    printLine(`From exports: ${typesInWords(types)}. ${unchanged} were there, ${erased} stay erased.${missing}`);
  }
  for (const transcript of transcripts) printTranscriptReport(transcript, scope);
  if (!close) printHowToClose(transcripts, scope);
}

/** What came of documents and conversations. */
export function printFiles({ report }: Imported, { scope, dryRun }: ImportRequest): void {
  const { files, added, changed, removed, unchanged } = report;
  if (files === 0 && removed === 0) return;
  printLine(
    `${dryRun ? "Nothing was done. It would be: " : ""}${counted(files, "file")} into ${scope}: ${added} new, ${changed} changed, ${removed} gone, ${unchanged} unchanged.${refusedOf(report)}${timesOf(report)}`,
  );
}

/** Says on standard error what was not stored, and why. */
export function noteWhatIsMissing({ report, exports }: Imported): void {
  noteLeftOut(report);
  noteLeftOutLines(restoredOf(exports).leftOut);
  noteRefused(report);
  noteMissing(report);
}

/** A line of an export that was not taken back, with the file and its number there. */
type LeftOutLine = RestoredExport["leftOut"][number] & { readonly path: string };

/** All exports together. */
function restoredOf(exports: readonly TakenExport[]): {
  readonly imported: number;
  readonly unchanged: number;
  readonly erased: number;
  /** Of what was imported. */
  readonly types: TypeCounts;
  readonly leftOut: readonly LeftOutLine[];
} {
  const types: TypeCounts = {};
  for (const { imported } of exports) for (const [type, count] of Object.entries(imported)) addTo(types, type, count);
  const sum = (counts: readonly TypeCounts[]): number => counts.reduce((total, each) => total + sumOf(each), 0);
  return {
    imported: sumOf(types),
    unchanged: sum(exports.map(({ unchanged }) => unchanged)),
    erased: sum(exports.map(({ erased }) => erased)),
    types,
    leftOut: exports.flatMap(({ path, leftOut }) => leftOut.map((line) => ({ path, ...line }))),
  };
}

/** Says on standard error which files of folders are no text, and what to do about them. */
function noteLeftOut({ leftOut }: ImportReport): void {
  for (const { problem } of leftOut.slice(0, mostNamed)) printNote(`loci: left out: ${problem}`);
  if (leftOut.length > mostNamed)
    printNote(`loci: and ${leftOut.length - mostNamed} more were left out; --json names all`);
}

/** Says on standard error which lines of exports may not be stored any more, and why. */
function noteLeftOutLines(lines: readonly LeftOutLine[]): void {
  for (const { path, line, problem } of lines.slice(0, mostNamed))
    printNote(`loci: left out: ${path}:${line}: ${problem}`);
  if (lines.length > mostNamed) printNote(`loci: and ${lines.length - mostNamed} more lines; --json names all`);
}

/** Says on standard error in which files sections hold a secret. */
function noteRefused({ refusedIn }: ImportReport): void {
  for (const { path, sections } of refusedIn.slice(0, mostNamed))
    printNote(
      `loci: left out of ${path}: ${counted(sections, "section")} that ${sections === 1 ? "holds" : "hold"} a secret`,
    );
  if (refusedIn.length > mostNamed)
    printNote(`loci: and of ${refusedIn.length - mostNamed} more files; --json names all`);
}

/** Says on standard error of which files something is remembered that are not there any more. */
function noteMissing({ missing }: ImportReport): void {
  for (const { source, memories } of missing.slice(0, mostNamed))
    printNote(
      `loci: ${source} is not there any more; still remembered of it: ${counted(memories, "memory", "memories")}`,
    );
  if (missing.length > mostNamed) printNote(`loci: and ${missing.length - mostNamed} more files; --json names all`);
  if (missing.length > 0) printNote("loci: --forget-missing forgets them; with --dry-run it says how many");
}

const mostNamed = 20;

function refusedOf({ refused }: ImportReport): string {
  return refused === 0 ? "" : ` ${refused} hold a secret and were left out.`;
}

/** Where the times of documents came from, for those who wonder why something looks old. */
function timesOf({ times }: ImportReport): string {
  const found = [
    [times.frontMatter, "front matter"],
    [times.git, "git"],
    [times.file, "files"],
  ] as const;
  const named = found.filter(([count]) => count > 0).map(([count, from]) => `${count} from ${from}`);
  return named.length === 0 ? "" : ` Times: ${named.join(", ")}.`;
}
