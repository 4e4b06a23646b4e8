import { defaultPolicies, detect, detectionSteps, type DetectionPolicies, redacted } from "@loci/core";
import { takeTurns } from "../calls/take-turns.ts";
import { TextPace } from "../calls/text-pace.ts";

/** What was said keeps ways to reach a person: only what is learned from it does without. */
const turnPolicies: DetectionPolicies = { ...defaultPolicies, email: "allow", phone: "allow" };

/** A short text with each secret as `[redacted: card]`. */
export function withoutSecrets(text: string): string {
  return redacted(text, detect(text), turnPolicies);
}

/** To look through shorter texts takes less than others should wait for. */
const shortText = 8_192;

/**
 * Takes secrets out of what was said, text by text. Equal texts stay equal, so that a repeated call is recognised.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 */
export function secretsRedacted(turn: () => Promise<void> | undefined): (text: string) => Promise<string> {
  const pace = new TextPace(turn);
  return async (text) => {
    if (pace.isDue(text)) await pace.rest();
    const found = text.length <= shortText ? detect(text) : await takeTurns(detectionSteps(text), turn);
    return redacted(text, found, turnPolicies);
  };
}
