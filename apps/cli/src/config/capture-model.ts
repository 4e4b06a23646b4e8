import type { LanguageModel, OpenEngineOptions } from "@loci/loci";

const prefix = "LOCI_CAPTURE_MODEL_";
const named = `${prefix}MODEL`;

/**
 * The model that captures in a directory that is opened by this process: by the variables that a server reads, too, such as
 * `LOCI_CAPTURE_MODEL_BASE_URL`.
 *
 * @param captures Whether the command makes memories of sessions. For any other one the variables are read only if a capture that
 *   somebody left asks the model: what is wrong with them is then the problem in its report, and rules capture
 * @throws LociError `INVALID_CONFIGURATION` for a command that captures: for a value that is none, a model that is said by half, and
 *   a key that is not there
 */
export async function captureModelOfVariables(captures: boolean): Promise<Pick<OpenEngineOptions, "captureModel">> {
  // Other settings of a server are not this command's: they may well be wrong here.
  const said = Object.entries(process.env).filter(([name, value]) => name.startsWith(prefix) && value !== "");
  if (said.length === 0) return {};
  const environment = Object.fromEntries(said);
  return { captureModel: captures ? await configuredModel(environment) : modelWhenAsked(environment) };
}

async function configuredModel(environment: NodeJS.ProcessEnv): Promise<LanguageModel | undefined> {
  // Takes longer to load than most commands take to run.
  const { configuredModels, loadConfiguration } = await import("@loci/server");
  return configuredModels(loadConfiguration({ environment })).captureModel;
}

function modelWhenAsked(environment: NodeJS.ProcessEnv): LanguageModel | undefined {
  const model = environment[named];
  if (model === undefined) return undefined;
  return {
    model,
    async generate(request) {
      // One that is named is configured, or refused.
      const configured = (await configuredModel(environment)) as LanguageModel;
      return configured.generate(request);
    },
  };
}
