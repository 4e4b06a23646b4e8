import { LociError, type SectionSource, shownText } from "@loci/domain";
import { type FilePrefix, isFolder, sourceOfFile } from "../layout/file-sources.ts";
import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "../rendering/context-format.ts";
import { singleLine } from "../rendering/escape.ts";
import { checkGivenText } from "../rendering/reserved-delimiter.ts";
import { truncationMark } from "../shortening/characters.ts";
import type { ShortenedText, TextRoom } from "../shortening/shorten-text.ts";
import type { AssemblyInput } from "./assembly-input.ts";

type GivenTexts = Pick<AssemblyInput, "system" | "project" | "task" | "coreMemory" | "files">;

/** The text of the application a section is filled from. */
export function givenTextOf(
  input: GivenTexts,
  source: SectionSource,
  layout: Pick<Layout, "sections">,
): string | undefined {
  switch (source) {
    case "system":
    case "project":
    case "task":
    case "coreMemory":
      return input[source];
    default:
      return (
        fileOf(input.files?.files, source, "file:", layout) ??
        fileOf(input.files?.teamFiles, source, "teamFile:", layout)
      );
  }
}

/** Daily logs as one text, newest first, each below its date: escaped, because they may quote anything. */
export function daysText({ files }: GivenTexts, format: ContextFormat): string | undefined {
  const days = (files?.days ?? []).filter(({ text }) => text.trim() !== "");
  if (days.length === 0) return undefined;
  return days
    .toSorted((left, right) => (left.date < right.date ? 1 : -1))
    .map(({ date, text }) => `### ${date}\n${format.escapeText(text.trim(), "line")}`)
    .join("\n\n");
}

/**
 * A text of days that was cut, without the heading that its cut went through or left without anything below it: half a date
 * is another one, and one without a text says that nothing happened.
 *
 * @param room as it was cut for
 * @returns `undefined` when nothing is left
 */
export function withoutCutHeading(
  shortened: ShortenedText,
  room: Pick<TextRoom, "tokensOf">,
): ShortenedText | undefined {
  if (!shortened.text.endsWith(truncationMark)) return shortened;
  const kept = shortened.text.slice(0, -truncationMark.length);
  const lines = kept.trimEnd();
  const lastLine = lines.slice(lines.lastIndexOf("\n") + 1);
  if (!/^#{1,3}(?: |$)/.test(lastLine)) return shortened;
  const before = lines.slice(0, lines.length - lastLine.length).trimEnd();
  if (before === "") return undefined;
  const text = before + truncationMark;
  return { text, tokens: room.tokensOf(text), nextTokens: shortened.nextTokens };
}

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/**
 * Checks every text the application gives: each has a section of the layout, none holds a delimiter of it.
 *
 * @throws LociError `INVALID_REQUEST` for a text the layout has no section for, or a day that is none or is there twice;
 *   `RESERVED_DELIMITER`, `INVALID_TEXT`
 */
export function checkGivenTexts(input: GivenTexts, layout: Layout, format: ContextFormat): void {
  const sources = layout.sections.map(({ source }) => source);
  const { files, teamFiles, days = [] } = input.files ?? {};
  for (const source of ["system", "project", "task", "coreMemory"] as const)
    checkOne(input[source], source, sources.includes(source), layout, format);
  for (const [file, text] of Object.entries(files ?? {}))
    checkFile(file, text, "file:", `files.files[${shownText(file)}]`, layout, format);
  for (const [file, text] of Object.entries(teamFiles ?? {}))
    checkFile(file, text, "teamFile:", `files.teamFiles[${shownText(file)}]`, layout, format);
  if (days.length > 0 && !sources.includes("days")) throw noSection("files.days", layout);
  const dates = new Set<string>();
  for (const [index, { date }] of days.entries()) {
    if (!dayPattern.test(date) || dates.has(date))
      throw new LociError("INVALID_REQUEST", {
        message: `files.days[${index}].date is ${dates.has(date) ? "there twice" : "not a date"}.`,
        field: `files.days[${index}].date`,
        advice: "Give each day once, as yyyy-mm-dd.",
      });
    dates.add(date);
  }
}

function checkFile(
  file: string,
  text: string,
  prefix: FilePrefix,
  field: string,
  layout: Layout,
  format: ContextFormat,
): void {
  const source = sourceOfFile(
    file,
    prefix,
    layout.sections.map((section) => section.source),
  );
  checkOne(text, field, source !== undefined, layout, format);
  // Its name is shown above it.
  if (source !== undefined && isFolder(source)) checkGivenText(file, field, format);
}

function checkOne(
  text: string | undefined,
  field: string,
  hasSection: boolean,
  layout: Layout,
  format: ContextFormat,
): void {
  if (text === undefined) return;
  // Dropped without a word it could be the very instruction that matters.
  if (!hasSection && text.trim() !== "") throw noSection(field, layout);
  checkGivenText(text, field, format);
}

function noSection(field: string, { name, sections }: Layout): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `The layout ${name} has no section for ${field}.`,
    field,
    advice: `Leave it out, or choose a layout that has one. Its sections are ${sections.map((section) => section.name).join(", ")}.`,
  });
}

/** One file as it is; those of a folder by name, each below its own and a blank line apart. */
function fileOf(
  files: Readonly<Record<string, string>> | undefined,
  source: SectionSource,
  prefix: FilePrefix,
  { sections }: Pick<Layout, "sections">,
): string | undefined {
  if (files === undefined || !source.startsWith(prefix)) return undefined;
  const name = source.slice(prefix.length);
  if (!isFolder(source)) return Object.hasOwn(files, name) ? files[name] : undefined;
  const sources = sections.map((section) => section.source);
  const shown = Object.entries(files)
    .filter(([file, text]) => text.trim() !== "" && sourceOfFile(file, prefix, sources) === source)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (shown.length === 0) return undefined;
  return shown.map(([file, text]) => `### ${singleLine(file)}\n${text.trim()}`).join("\n\n");
}
