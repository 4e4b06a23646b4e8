import { normalForm } from "@loci/domain";

/** A text as it is compared: in composed form, without white space at either end. */
export function comparedText(text: string): string {
  return normalForm(text, "NFC").trim();
}
