import { type DetectionPolicies, detectionSteps } from "@loci/core";
import { LociError, type Origin } from "@loci/domain";
import { takeTurns } from "../calls/take-turns.ts";

/** A text and where it stood in the request. */
export interface ScreenedField {
  readonly texts: readonly string[];
  readonly field: string;
}

/** Whether what is kept was chosen by a model or taken from a file, so that nobody has looked at it. Else a person or program did. */
export function isScreened(origin: Origin | undefined): boolean {
  return origin !== undefined && origin !== "manual";
}

/**
 * Refuses text that holds a secret. The error names the class and never the text.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 * @throws LociError `SECRET_REFUSED`
 */
export async function refuseSecrets(
  { texts, field }: ScreenedField,
  policies: DetectionPolicies,
  turn: () => Promise<void> | undefined,
): Promise<void> {
  for (const text of texts) {
    const detections = await takeTurns(detectionSteps(text), turn);
    const found = detections.find((each) => policies[each.class] === "refuse");
    if (found === undefined) continue;
    throw new LociError("SECRET_REFUSED", {
      message: `${field} holds a secret of the class ${found.class}.`,
      field,
      advice: "Leave it out: what is remembered is shown to models.",
    });
  }
}
