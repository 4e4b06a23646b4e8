import {
  type LanguageModel,
  openAiCompatibleEmbedder,
  openAiCompatibleModel,
  type OpenEngineOptions,
} from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type {
  LanguageModelConfiguration,
  RemoteEmbedderConfiguration,
  ServerConfiguration,
} from "./server-configuration.ts";

/** The name under which `loci reindex --embedder` finds the configured embedder. */
const remoteEmbedder = "remote";

/**
 * The models that the configuration names, their keys read, and how much may be asked of them.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function configuredModels({
  embedder,
  summaryModel,
  captureModel,
  limits: { modelTokensPerMinute },
  usageCaps,
}: ServerConfiguration): Pick<
  OpenEngineOptions,
  "embedder" | "embedders" | "summaryModel" | "captureModel" | "modelTokensPerMinute" | "usageCaps"
> {
  const { remote, use } = embedder;
  return {
    ...(remote === undefined ? {} : remoteEmbedderOptions(remote)),
    ...(use === "remote" ? { embedder: remoteEmbedder } : {}),
    ...(summaryModel === undefined ? {} : { summaryModel: languageModel(summaryModel, "summary model") }),
    ...(captureModel === undefined ? {} : { captureModel: languageModel(captureModel, "capture model") }),
    ...(modelTokensPerMinute === 0 ? {} : { modelTokensPerMinute }),
    ...(usageCaps === undefined ? {} : { usageCaps }),
  };
}

function languageModel(configuration: LanguageModelConfiguration, name: string): LanguageModel {
  return openAiCompatibleModel({
    ...configuration,
    apiKey: readSecret(configuration.apiKey, `the key of the ${name}`),
  });
}

function remoteEmbedderOptions(remote: RemoteEmbedderConfiguration): Pick<OpenEngineOptions, "embedders"> {
  const embedder = openAiCompatibleEmbedder({
    ...remote,
    apiKey: readSecret(remote.apiKey, "the key of the embedder"),
  });
  return { embedders: { [remoteEmbedder]: async () => embedder } };
}
