import { rotationStrategies, rotationThresholds } from "@loci/core";
import { blockTextLengths, defaultBlockTextLength, LociError, shownValue } from "@loci/domain";
import type { BlockSettings } from "./block-services.ts";

/** What an engine is told of them; the rest is by default. */
export type GivenBlockSettings = { readonly [Name in keyof BlockSettings]?: BlockSettings[Name] | undefined };

/** With the defaults filled in. @throws LociError `INVALID_CONFIGURATION` */
export function blockSettingsOf(given: GivenBlockSettings = {}): BlockSettings {
  const { maxChars = defaultBlockTextLength, rotation = "adaptive", threshold = rotationThresholds.adaptive } = given;
  const { least, most } = blockTextLengths;
  if (!Number.isInteger(maxChars) || maxChars < least || maxChars > most)
    throw refused("maxChars", maxChars, `a whole number from ${least} to ${most}`);
  if (!rotationStrategies.includes(rotation))
    throw refused("rotation", rotation, `one of ${rotationStrategies.join(", ")}`);
  if (!(threshold >= 0 && threshold <= 1)) throw refused("threshold", threshold, "a number from 0 to 1");
  return { maxChars, rotation, threshold };
}

function refused(name: string, value: unknown, wanted: string): LociError {
  const field = `blocks.${name}`;
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} is ${shownValue(value)}, which is not ${wanted}.`,
    field,
    advice: "Give another one, or none.",
  });
}
