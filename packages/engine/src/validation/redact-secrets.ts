import { detect, detectionSteps, type DetectionPolicies, redacted } from "@loci/core";
import { takeTurns } from "../calls/take-turns.ts";
import { TextPace } from "../calls/text-pace.ts";
import { turnPoliciesOf } from "./detection-policies.ts";

/** A short text with each secret as `[redacted: card]`. */
export function withoutSecrets(text: string, policies: DetectionPolicies): string {
  return redacted(text, detect(text), turnPoliciesOf(policies));
}

/** To look through shorter texts takes less than others should wait for. */
const shortText = 8_192;

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
  const pace = new TextPace(turn);
  return async (text) => {
    if (pace.isDue(text)) await pace.rest();
    const found = text.length <= shortText ? detect(text) : await takeTurns(detectionSteps(text), turn);
    return redacted(text, found, turnPolicies);
  };
}
