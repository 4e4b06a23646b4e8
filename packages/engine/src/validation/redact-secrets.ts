import { detect, type DetectionPolicies, redacted } from "@loci/core";
import { turnPoliciesOf } from "./detection-policies.ts";
import { pacedDetection } from "./paced-detection.ts";

/** A short text with each secret as `[redacted: card]`. */
export function withoutSecrets(text: string, policies: DetectionPolicies): string {
  return redacted(text, detect(text), turnPoliciesOf(policies));
}

/**
 * Takes secrets out of what was said, text by text. Equal texts stay equal, so that a repeated call is recognised.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 */
export function secretsRedacted(
  policies: DetectionPolicies,
  turn: () => Promise<void> | undefined,
): (text: string) => Promise<string> {
  const turnPolicies = turnPoliciesOf(policies);
  const find = pacedDetection(turn);
  return async (text) => redacted(text, await find(text), turnPolicies);
}
