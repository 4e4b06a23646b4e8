/** A text as it is compared: in composed form, without white space at either end. */
export function comparedText(text: string): string {
  return text.normalize("NFC").trim();
}
