import {
  defaultPolicies,
  type DetectedClass,
  detectedClasses,
  detectionPolicies,
  type DetectionPolicies,
  type DetectionPolicy,
} from "@loci/core";
import { LociError, shownValue } from "@loci/domain";

/** What becomes of text that holds data of a class. Classes that are not named: refused, `email` and `phone` redacted. */
export type GivenDetectionPolicies = { readonly [Class in DetectedClass]?: DetectionPolicy | undefined };

/** With the defaults filled in. @throws LociError `INVALID_CONFIGURATION` */
export function detectionPoliciesOf(given: GivenDetectionPolicies = {}): DetectionPolicies {
  const policies = { ...defaultPolicies };
  for (const [name, policy] of Object.entries(given)) {
    const field = `detection.${name}`;
    const found = detectedClasses.find((each) => each === name);
    if (found === undefined)
      throw refused(field, `${field} is no class that is looked for: they are ${detectedClasses.join(", ")}.`);
    if (policy === undefined) continue;
    if (!detectionPolicies.includes(policy))
      throw refused(field, `${field} is ${shownValue(policy)}, which is not one of ${detectionPolicies.join(", ")}.`);
    policies[found] = policy;
  }
  return policies;
}

/** What was said is kept as it was, but for what is refused: only what is learned from it does without the rest. */
export function turnPoliciesOf(policies: DetectionPolicies): DetectionPolicies {
  const kept = Object.entries(policies).map(([name, policy]) => [name, policy === "refuse" ? policy : "allow"]);
  return Object.fromEntries(kept) as DetectionPolicies;
}

function refused(field: string, message: string): LociError {
  return new LociError("INVALID_CONFIGURATION", { message, field, advice: "Give another one, or none." });
}
