import { checkFields, checkList, type DayLog, fieldsOf, type LayeredFiles } from "@loci/domain";
import { checkPromptText } from "../validation/validate-text.ts";

const filesFields = fieldsOf<LayeredFiles>({ files: true, teamFiles: true, days: true });
const dayFields = fieldsOf<DayLog>({ date: true, text: true });
const maxDays = 1_000;

/** @throws LociError with the field at fault; `TEXT_TOO_LARGE` for a text of more than 1 MiB */
export function checkLayeredFiles(given: LayeredFiles): LayeredFiles {
  checkFields(given, filesFields, "files");
  const { files, teamFiles, days } = given;
  return {
    ...(files === undefined ? {} : { files: checkTexts(files, "files.files") }),
    ...(teamFiles === undefined ? {} : { teamFiles: checkTexts(teamFiles, "files.teamFiles") }),
    ...(days === undefined
      ? {}
      : { days: checkList(days, "files.days", { least: 0, most: maxDays }).map((day, index) => checkDay(day, index)) }),
  };
}

function checkTexts(texts: Readonly<Record<string, string>>, field: string): Readonly<Record<string, string>> {
  checkFields(texts, new Set(Object.keys(texts)), field);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, checkPromptText(text, `${field}[${JSON.stringify(name)}]`)]),
  );
}

function checkDay(day: DayLog, index: number): DayLog {
  const field = `files.days[${index}]`;
  checkFields(day, dayFields, field);
  return { date: checkPromptText(day.date, `${field}.date`), text: checkPromptText(day.text, `${field}.text`) };
}
