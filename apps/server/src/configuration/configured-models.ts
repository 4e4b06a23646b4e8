import { openAiCompatibleEmbedder, openAiCompatibleModel, type OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { RemoteEmbedderConfiguration, ServerConfiguration } from "./server-configuration.ts";

/** The name under which `loci reindex --embedder` finds the configured embedder. */
const remoteEmbedder = "remote";

/**
 * The models that the configuration names, their keys read.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function configuredModels({
  embedder,
  summaryModel,
}: ServerConfiguration): Pick<OpenEngineOptions, "embedder" | "embedders" | "summaryModel"> {
  const { remote, use } = embedder;
  return {
    ...(remote === undefined ? {} : remoteEmbedderOptions(remote)),
    ...(use === "remote" ? { embedder: remoteEmbedder } : {}),
    ...(summaryModel === undefined
      ? {}
      : {
          summaryModel: openAiCompatibleModel({
            ...summaryModel,
            apiKey: readSecret(summaryModel.apiKey, "summary model"),
          }),
        }),
  };
}

function remoteEmbedderOptions(remote: RemoteEmbedderConfiguration): Pick<OpenEngineOptions, "embedders"> {
  const embedder = openAiCompatibleEmbedder({ ...remote, apiKey: readSecret(remote.apiKey, "embedder") });
  return { embedders: { [remoteEmbedder]: async () => embedder } };
}
