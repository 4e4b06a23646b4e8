import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * What of attw's findings is meant. The packages are ES modules: CommonJS gets them by `require`, which Node 22.13 and newer can
 * do, and resolution of the time before `exports` finds them no more than Node does.
 */
const meant: ReadonlySet<string> = new Set(["CJSResolvesToESM"]);
const formerResolution = "node10";

/** What `publint` and `attw` find wrong with a tarball, a line for each finding. */
export async function findingsOf(tarball: string): Promise<string[]> {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const types = await checkPackage(createPackageFromTarballData(data));
  return [
    ...messages.map((message) => `publint ${message.code}: ${formatMessage(message, pkg) ?? ""}`),
    ...(types.types === false ? [] : types.problems)
      .filter((problem) => !meant.has(problem.kind))
      .filter((problem) => !("resolutionKind" in problem) || problem.resolutionKind !== formerResolution)
      .map((problem) => `attw ${problem.kind}: ${JSON.stringify(problem)}`),
  ];
}
