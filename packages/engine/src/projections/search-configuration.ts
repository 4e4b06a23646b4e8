import type { TextLanguage } from "@loci/core";
import type { Ledger } from "@loci/ledger";
import type { MetadataFields } from "./declared-metadata.ts";

/** What memories are found by, besides what every memory has. */
export interface SearchConfiguration {
  readonly language?: TextLanguage | undefined;
  readonly metadataFields?: MetadataFields | undefined;
}

const settingName = "search-configuration";

/**
 * What is given, and else what was given the last time: a program that says nothing of it, such as a command line on the
 * data of a server, finds what the server finds, and has no index built again.
 */
export async function rememberedConfiguration(
  ledger: Ledger,
  { language, metadataFields }: SearchConfiguration,
): Promise<SearchConfiguration> {
  const value = await ledger.settings.get(undefined, settingName);
  const recorded = value === undefined ? {} : (JSON.parse(value) as SearchConfiguration);
  return { language: language ?? recorded.language, metadataFields: metadataFields ?? recorded.metadataFields };
}

export async function rememberConfiguration(ledger: Ledger, configuration: SearchConfiguration): Promise<void> {
  const value = JSON.stringify(configuration);
  if ((await ledger.settings.get(undefined, settingName)) !== value)
    await ledger.settings.set(undefined, settingName, value);
}
