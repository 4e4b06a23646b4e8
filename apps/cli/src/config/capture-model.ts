import type { OpenEngineOptions } from "@loci/loci";

const prefix = "LOCI_CAPTURE_MODEL_";

/**
 * The model that captures in a directory that is opened by this process: by the variables that a server reads, too, such as
 * `LOCI_CAPTURE_MODEL_BASE_URL`.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a value that is none, a model that is said by half, and a key that is not there
 */
export async function captureModelOfVariables(): Promise<Pick<OpenEngineOptions, "captureModel">> {
  // Other settings of a server are not this command's: they may well be wrong here.
  const said = Object.entries(process.env).filter(([name, value]) => name.startsWith(prefix) && value !== "");
  if (said.length === 0) return {};
  // Takes longer to load than most commands take to run.
  const { configuredModels, loadConfiguration } = await import("@loci/server");
  const { captureModel } = configuredModels(loadConfiguration({ environment: Object.fromEntries(said) }));
  return { captureModel };
}
