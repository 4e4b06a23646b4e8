import type { OpenEngineOptions } from "@loci/loci";
import { refusedVariable } from "./refused-variable.ts";

/**
 * What becomes of secrets and personal data in a directory that is opened by this process: by the variables that a server reads,
 * too, such as `LOCI_DETECTION_PHONE`.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a value that is none
 */
export async function detectionSettings(): Promise<NonNullable<OpenEngineOptions["detection"]>> {
  const { detectedClasses, detectionPolicies } = await import("@loci/loci");
  return Object.fromEntries(
    detectedClasses.map((name) => {
      const variable = `LOCI_DETECTION_${name.toUpperCase()}`;
      const given = process.env[variable] ?? "";
      const policy = detectionPolicies.find((each) => each === given);
      if (given !== "" && policy === undefined)
        throw refusedVariable(variable, `one of ${detectionPolicies.join(", ")}`);
      return [name, policy];
    }),
  );
}
