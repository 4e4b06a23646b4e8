import { detect, type Detection, detectionSteps } from "@loci/core";
import { takeTurns } from "../calls/take-turns.ts";
import { TextPace } from "../calls/text-pace.ts";

/** To look through shorter texts takes less than others should wait for. */
const shortText = 8_192;

/** Whether all of the texts are looked through without a rest. */
export function isLookedThroughAtOnce(texts: readonly string[]): boolean {
  return texts.reduce((units, { length }) => units + length, 0) <= shortText;
}

/**
 * Looks for secrets and personal data in text after text, and lets others have the thread meanwhile.
 *
 * @param turn resolves when the thread may be used again
 */
export function pacedDetection(turn: () => Promise<void> | undefined): (text: string) => Promise<readonly Detection[]> {
  const pace = new TextPace(turn);
  return async (text) => {
    if (pace.isDue(text)) await pace.rest();
    return text.length <= shortText ? detect(text) : takeTurns(detectionSteps(text), turn);
  };
}
