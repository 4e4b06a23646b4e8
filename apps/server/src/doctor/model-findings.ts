import { type Embedder, openAiCompatibleEmbedder, openLocalEmbedder } from "@loci/loci";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { configuredModels } from "../configuration/configured-models.ts";
import { readSecret } from "../configuration/read-secret.ts";
import { failWith, type Finding, ok } from "./finding.ts";

/** How long an embedder may take, in milliseconds: a recall waits 2,000 for it. */
const patience = 5_000;

/** Whether what makes vectors does so, and whether the keys of the other models are in their places. No model is asked for words. */
export async function modelFindings(configuration: ServerConfiguration): Promise<readonly Finding[]> {
  const findings = [await embedder(configuration)];
  const { summaryModel, captureModel } = configuration;
  const named = Object.entries({ summary: summaryModel, capture: captureModel }).filter(
    ([, given]) => given !== undefined,
  );
  if (named.length === 0) return findings;
  try {
    configuredModels(configuration);
    const shown = named.map(([use, given]) => `${use} by ${given?.model ?? ""}`);
    return [
      ...findings,
      ok("models", `Configured with their keys: ${shown.join(", ")}. They were not asked anything.`),
    ];
  } catch (error) {
    return [...findings, failWith("models", error)];
  }
}

async function embedder(configuration: ServerConfiguration): Promise<Finding> {
  let opened: Embedder | undefined;
  try {
    opened = await open(configuration);
    const start = performance.now();
    await opened.embed(["loci doctor"], { kind: "query", signal: AbortSignal.timeout(patience) });
    const { model, dimensions } = opened.space;
    return ok(
      "embedder",
      `${model} answers with ${dimensions} numbers in ${Math.round(performance.now() - start)} ms.`,
    );
  } catch (error) {
    return failWith("embedder", error);
  } finally {
    await opened?.close();
  }
}

async function open({ embedder: { use, remote } }: ServerConfiguration): Promise<Embedder> {
  if (use === "local" || remote === undefined) return openLocalEmbedder();
  return openAiCompatibleEmbedder({ ...remote, apiKey: readSecret(remote.apiKey, "the key of the embedder") });
}
