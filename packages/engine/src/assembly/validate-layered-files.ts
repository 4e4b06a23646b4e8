import { checkFields, checkList, checksOf, type DayLog, type LayeredFiles, optional } from "@loci/domain";
import { checkPromptText } from "../validation/validate-text.ts";

const maxDays = 1_000;

const checkDay = checksOf<DayLog>()("day", { date: checkPromptText, text: checkPromptText });

const check = checksOf<LayeredFiles>()("files", {
  files: optional(checkTexts),
  teamFiles: optional(checkTexts),
  days: optional((days: readonly DayLog[], path) =>
    checkList(days, path, { least: 0, most: maxDays }).map((day, index) => checkDay(day, `${path}[${index}]`)),
  ),
});

/** @throws LociError with the field at fault; `TEXT_TOO_LARGE` for a text of more than 1 MiB */
export function checkLayeredFiles(given: LayeredFiles): LayeredFiles {
  return check(given, "files");
}

function checkTexts(texts: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
  checkFields(texts, new Set(Object.keys(texts)), path);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, checkPromptText(text, `${path}[${JSON.stringify(name)}]`)]),
  );
}
