import { type IndexAdapter, indexAdapters, type IndexSetting, type SecretSetting } from "@loci/loci";
import { choice, pathSetting, type Setting, setting, text, variableName, wholeNumber } from "./setting.ts";

/** The settings that a server reads for indexes: what the adapters declare, by its path in the file. */
export const indexSettings: Readonly<Record<string, Setting<string> | Setting<number>>> = Object.fromEntries(
  indexAdapters.flatMap((adapter: IndexAdapter) => [
    ...(adapter.secret === undefined ? [] : secretSettings(adapter.secret)),
    ...settingsForServers(adapter).map((declared) => [declared.path, settingOf(declared)] as const),
  ]),
);

/** The settings of an adapter, without those that only commands read. */
export function settingsForServers({ settings }: IndexAdapter): readonly IndexSetting[] {
  return settings.filter(({ readBy }) => readBy !== "commands");
}

/** A secret stands in a file or a variable, never in the configuration itself. */
function secretSettings({ path, called, about }: SecretSetting): readonly (readonly [string, Setting<string>])[] {
  return [
    [`${path}_file`, pathSetting(`File with ${about}.`, `Name a file that holds ${called} and nothing else.`)],
    [`${path}_variable`, setting(variableName, `Environment variable with ${about}.`)],
  ];
}

function settingOf(declared: IndexSetting): Setting<string> | Setting<number> {
  if (declared.type === "text") return setting(text(declared.advice), declared.about);
  if (declared.type === "choice") return setting(choice(declared.choices), declared.about);
  return setting(wholeNumber(declared.least, declared.most), declared.about);
}
