import { unescapeText } from "@loci/loci";
import { asData } from "./tool-result.ts";

/**
 * What a model means by words that it was shown: the character references of {@link asData} are read back where the stored
 * text has none of its own, so that a `<package>` that was shown as `&lt;package>` is not stored, or looked for, like that.
 *
 * @param stored what the model was shown, before it was made safe
 */
export function asShown(given: string, stored: string): string {
  const wasBroken = asData(stored) !== stored && unescapeText(stored) === stored;
  return wasBroken ? unescapeText(given) : given;
}
