import { LociError } from "@loci/domain";
import { indexAdapters, indexKinds } from "@loci/loci/indexes";
import type {
  IndexAdapter,
  IndexChoice,
  IndexKind,
  IndexSetting,
  OpenEngineOptions,
  OutsideIndexKind,
} from "@loci/loci";
import { Option } from "commander";

type OutsideChoice = Exclude<IndexChoice, string>;
type OutsideAdapter = IndexAdapter & Required<Pick<IndexAdapter, "secret">>;

/** Where the indexes of a data directory live. */
export type IndexOption = IndexKind | OutsideIndexKind;

/** Those outside of the data directory: what it takes to reach them stands in variables. */
function outsideAdapters(): readonly OutsideAdapter[] {
  const adapters: readonly IndexAdapter[] = indexAdapters;
  return adapters.filter((adapter): adapter is OutsideAdapter => adapter.secret !== undefined);
}

/** Not options: other users of this machine see those, and these hold a password and a key. */
function variableOf({ path }: Pick<IndexSetting, "path">): string {
  return `LOCI_${path.replaceAll(".", "_").toUpperCase()}`;
}

/** `--index`, which `LOCI_INDEX_USE` gives the default of. */
export function indexOption(): Option {
  const secrets = outsideAdapters().map(({ name, secret }, at) =>
    at === 0 ? `${name} set ${variableOf(secret)}` : `for ${name} ${variableOf(secret)}`,
  );
  return new Option(
    "--index <kind>",
    `where the indexes of a data directory live from now on (default: where they are; for ${secrets.join(", ")})`,
  )
    .choices(indexAdapters.map(({ name }) => name))
    .env("LOCI_INDEX_USE");
}

/**
 * Where the indexes are to be, and where else they can be moved to: wherever the environment says how to get there.
 *
 * @param option `undefined`: where they are
 * @throws LociError `INVALID_CONFIGURATION` for one outside of the data directory without its secret
 */
export function chosenIndexes(option: IndexOption | undefined): Pick<OpenEngineOptions, "index" | "indexes"> {
  const adapters = outsideAdapters();
  const outside = adapters.map(outsideIndex).filter((choice) => choice !== undefined);
  const wanted = adapters.find(({ name }) => name === option);
  if (wanted === undefined) return { index: indexKinds.find((kind) => kind === option), indexes: outside };
  const index = outside.find(({ kind }) => kind === option);
  if (index !== undefined) return { index, indexes: outside };
  const variable = variableOf(wanted.secret);
  throw new LociError("INVALID_CONFIGURATION", {
    message: `--index ${wanted.name} needs a secret, but ${variable} is empty.`,
    field: "--index",
    advice: `Set ${variable} to ${wanted.secret.form}.`,
  });
}

function outsideIndex(adapter: OutsideAdapter): OutsideChoice | undefined {
  const { name, secret, settings } = adapter;
  const value = given(variableOf(secret));
  if (value === undefined) return undefined;
  const read = settings.filter(({ readBy }) => readBy !== undefined);
  const options = Object.fromEntries(read.map((setting) => [setting.option, settingValue(adapter, setting)]));
  return { kind: name, [secret.option]: value, ...options } as OutsideChoice;
}

function settingValue({ title }: IndexAdapter, setting: IndexSetting): string | number | undefined {
  const variable = variableOf(setting);
  const text = given(variable);
  if (text === undefined || setting.type === "text") return text;
  if (setting.type === "number") return Number(text);
  if (setting.choices.includes(text)) return text;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${variable} is ${JSON.stringify(text.slice(0, 60))}, which is none of ${title}'s.`,
    field: variable,
    advice: `Use ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(setting.choices)}.`,
  });
}

function given(variable: string): string | undefined {
  const value = process.env[variable];
  return value === "" ? undefined : value;
}
